"""The tool that checks a claim about a value, and says what the value rests on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, Field

from whence.mcp.answer import Answer, clip
from whence.mcp.arguments import ColumnName, DatasetName
from whence.mcp.caveat_words import caveat_line, is_doubtful
from whence.mcp.compare_claim import Claimed, Match, compare_claim
from whence.mcp.conditions import Where, find_rows
from whence.mcp.context import ToolContext
from whence.mcp.lineage_words import origin_sentence
from whence.mcp.tool import Arguments, Tool
from whence.mcp.values import text_of
from whence.model.plural import counted
from whence.workspace.checked import checked_column

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

Verdict = Literal["confirmed", "confirmed if rounded", "contradicted", "mixed", "no such row"]

_MOST_CAVEATS = 3
_LONGEST_CAVEAT = 200


class VerifyClaim(Arguments):
    """The claim."""

    dataset: DatasetName
    where: Where = Field(description='Which row: a SQL condition such as "town = \'Ulm\'", or {"town": "Ulm"}.')
    column: ColumnName
    value: Claimed = Field(description="The value that the claim says; a number may be rounded.")


class CheckedClaim(BaseModel):
    """The verdict, with what the value rests on. Of several rows it is about the first that contradicts the claim."""

    verdict: Verdict
    sentence: str
    row: int | None = None
    value: str | None = None
    is_doubtful: bool = False
    lineage: str = ""
    caveats: list[str] = Field(default_factory=list)
    link: str = ""


def verify_claim(context: ToolContext, asked: VerifyClaim) -> Answer:
    """Check a claim such as "the total of Ulm is 412": find the row that `where` chooses, compare its value with the
    claim, and answer with a verdict, where the value came from, what is doubtful about it, and a link for a person."""
    dataset = context.workspace[asked.dataset]
    checked_column(dataset.record, asked.column)
    checked = _check(context, dataset, asked)
    lines = [checked.sentence, checked.lineage, *checked.caveats]
    lines += [f"Look at it: {checked.link}"] if checked.link else []
    return Answer([], [each for each in lines if each], content=checked.model_dump())


def _check(context: ToolContext, dataset: Dataset, asked: VerifyClaim) -> CheckedClaim:
    rows = find_rows(dataset, asked.where)
    if not len(rows):
        sentence = f"No such row: nothing in {dataset.record.label} matches {text_of(asked.where, 200)}."
        return CheckedClaim(verdict="no such row", sentence=sentence)
    values = dataset.context.store.take(dataset.record, rows, [asked.column]).column(0).to_pylist()
    matches = [compare_claim(value, asked.value) for value in values]
    place = next((number for number, each in enumerate(matches) if each == "different"), 0)
    row, verdict = int(rows[place]), _verdict(Counter(matches))
    is_in_doubt = is_doubtful(dataset, row, asked.column)
    groups = dataset.caveats.list(row=row, column=asked.column)
    caveats = [clip(caveat_line(each), _LONGEST_CAVEAT) for each in groups[:_MOST_CAVEATS]]
    more = len(groups) - len(caveats)
    return CheckedClaim(
        verdict=verdict,
        sentence=_sentence(
            dataset, asked, verdict, row, value=values[place], matches=Counter(matches), is_in_doubt=is_in_doubt
        ),
        row=row,
        value=text_of(values[place], 200),
        is_doubtful=is_in_doubt,
        lineage=origin_sentence(dataset, row),
        caveats=[*caveats, *([f"- {more} more: ask can_i_trust."] if more else [])],
        link=context.link_to_cell(dataset.name, row, asked.column),
    )


def _verdict(matches: Counter[Match]) -> Verdict:
    if not matches["different"]:
        return "confirmed if rounded" if matches["rounded"] else "confirmed"
    return "mixed" if matches["equal"] or matches["rounded"] else "contradicted"


def _sentence(
    dataset: Dataset,
    asked: VerifyClaim,
    verdict: Verdict,
    row: int,
    *,
    value: object,
    matches: Counter[Match],
    is_in_doubt: bool,
) -> str:
    """Return the verdict with the value that was found."""
    found = f"{asked.column} in row {row} of {dataset.record.label} is {text_of(value, 200)}"
    against = "" if matches["different"] == 0 else f", not {text_of(asked.value, 200)}"
    several = matches.total()
    fitting = several - matches["different"]
    among = f" {counted(several, 'row')} match the condition, {fitting} of them fit the claim." if several > 1 else ""
    doubt = " The value is in doubt." if is_in_doubt else " Nothing about the value is in doubt."
    return f"{verdict.capitalize()}: {found}{against}.{among}{doubt}"


TOOL = Tool("verify_claim", "Verify a claim", VerifyClaim, verify_claim, output=CheckedClaim)
