"""The tool that describes a dataset: what made it, and the profile of each column."""

from __future__ import annotations

from pydantic import Field

from whence.mcp.answer import Answer
from whence.mcp.arguments import DatasetName
from whence.mcp.context import ToolContext
from whence.mcp.summary import origin_of, summary_of
from whence.mcp.tool import Pageable, Tool
from whence.mcp.values import text_of
from whence.store.profile import Profile
from whence.workspace.checked import checked_column


class DescribeDataset(Pageable):
    """Which dataset."""

    dataset: DatasetName
    column: str | None = Field(default=None, description="Only this column.")


def describe_dataset(context: ToolContext, asked: DescribeDataset) -> Answer:
    """Describe a dataset: what made it and from what, whether its lineage is exact, and for each column the type,
    missing and distinct values, range, mean, frequent values, and whether any value is in doubt."""
    dataset = context.workspace[asked.dataset]
    names = dataset.columns[asked.more :] if asked.column is None else [checked_column(dataset.record, asked.column)]
    doubtful = dataset.caveats.doubt.columns
    head = [summary_of(dataset), origin_of(dataset), f"Lineage: {dataset.lineage.strategy}"]
    total = len(dataset.columns) if asked.column is None else 1
    lines = (_column(dataset.profile(name), name in doubtful) for name in names)
    return Answer(head, lines, asked.more, total)


def _column(profile: Profile, is_doubtful: bool) -> str:
    """Return the profile of a column as one line."""
    facts = [f"{profile.nulls:,} missing"] if profile.nulls else []
    facts += [] if profile.distinct is None else [f"{profile.distinct:,} distinct"]
    facts += [] if profile.min is None else [f"{text_of(profile.min)} to {text_of(profile.max)}"]
    facts += [] if profile.mean is None else [f"mean {profile.mean:.6g}"]
    if profile.mean is None and profile.top:
        facts.append("often " + ", ".join(f"{text_of(value)} ({count:,})" for value, count in profile.top[:3]))
    facts += ["some values are in doubt"] if is_doubtful else []
    return f"{profile.column} {profile.type}: {', '.join(facts)}"


TOOL = Tool("describe_dataset", "Describe a dataset", DescribeDataset, describe_dataset)
