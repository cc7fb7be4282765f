"""Shows how the lineage and the doubt flags of a dataset came about: plans, block and indexes, as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.lineage.block import Block
from whence.lineage.edges import Edges
from whence.lineage.index import build_arrays
from whence.lineage.rerun import Rerun
from whence.model.dataset import DatasetRecord
from whence.plan.context import RewriteContext
from whence.plan.limits import Limits
from whence.plan.readings import shown_readings
from whence.plan.rewrite import column_map, with_flags, with_lineage
from whence.plan.step import Step

_MOST_SHOWN = 12
"""Numbers of an array that are shown."""


def explain(engine: Engine, edges: Edges, rerun: Rerun, record: DatasetRecord) -> str:
    """One text; Spark's column numbers are counted from 1, so that it is the same every time."""
    query, plan = rerun.query(record)
    context = RewriteContext(
        ids=query.read.ids,
        limits=Limits(len(query.sources)),
        traced_sources=rerun.traced_sources(record, query),
        shown_readings=shown_readings(column_map(plan), plan.columns),
        puts_groups_aside=False,
    )
    after = engine.write(query, with_lineage(plan, context).step)
    sections = [
        ("The plan as Spark understood it", engine.plan_text(query.frame)),
        ("The plan with row ids", engine.plan_text(after)),
        ("The derivation block", "\n".join(_block(edges.block(record), edges, record))),
        ("The indexes made from it", "\n".join(_indexes(edges, record))),
        *_flags(engine, query, plan),
    ]
    return _renumber("\n\n".join(f"{title}:\n{text.rstrip()}" for title, text in sections))


def _flags(engine: Engine, query: Query, plan: Step) -> Iterator[tuple[str, str]]:
    """Yield the plan with doubt flags; nothing where no value it reads is in doubt."""
    flagged = with_flags(plan, query.read.ids)
    if not flagged.is_certain:
        yield "The plan with doubt flags", engine.plan_text(engine.write(query, flagged.step))


def _block(block: Block, edges: Edges, record: DatasetRecord) -> Iterator[str]:
    labels = [edges.record(source).label for source in edges.sources(record)]
    for part in block.parts:
        yield f"  row of {record.label:12} {_numbers(part.out_ids(block.rows))}"
        for number, ids in part.sources.items():
            if number < len(labels):
                yield f"  row of {labels[number]:12} {_numbers(ids)}"


def _indexes(edges: Edges, record: DatasetRecord) -> Iterator[str]:
    block = edges.block(record)
    for number, source in enumerate(edges.sources(record)):
        parent = edges.record(source)
        outs, ids = block.pairs(number)
        for title, keys, values, size, other in (
            (f"back to {parent.label}", outs, ids, record.rows, parent.rows),
            (f"on from {parent.label}", ids, outs, parent.rows, record.rows),
        ):
            arrays, facts = build_arrays(keys, values, size, other)
            held = ", ".join(f"{name} {_numbers(array)} ({array.dtype})" for name, array in arrays.items())
            yield f"  {title}: {held or 'nothing, the rows are the same'}"
            yield f"    every row reached: {_yes(facts.reaches_all)}; none reached twice: {_yes(facts.is_disjoint)}"


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


def _numbers(array: npt.NDArray[np.integer]) -> str:
    shown = " ".join(map(str, array[:_MOST_SHOWN].tolist()))
    return f"[{shown}{' ...' if len(array) > _MOST_SHOWN else ''}]"


def _renumber(text: str) -> str:
    numbers: dict[str, int] = {}
    return re.sub(r"#(\d+)", lambda found: f"#{numbers.setdefault(found[1], len(numbers) + 1)}", text)
