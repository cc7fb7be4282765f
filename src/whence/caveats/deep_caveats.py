"""Caveats that a query raises on rows that do not come out as they are: below a group-by, a filter, a join.

They are found by running the part of the plan below the caveat once more, narrowly: only the messages and, for each,
the ids of the source rows it was raised on. Where that part need not give the same rows again, one summary stands for
all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from whence.caveats.sites import CaveatSites, reason
from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.lineage.block import Block
from whence.lineage.decode import decode
from whence.plan.context import RewriteContext
from whence.plan.expr import alias, ref
from whence.plan.expressions import expressions
from whence.plan.rewrite import with_lineage
from whence.plan.sites import Site
from whence.plan.step import Step, TracedStep
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project
from whence.store.caveat_file import caveat_table

_UNKNOWN = "A query raised this caveat on rows that cannot be found again."


@dataclass(frozen=True)
class DeepSite:
    """The caveats of one site, and which source rows each was raised on (None: not known)."""

    number: int
    caveats: pa.Table
    rows: Block | None


def deep_caveats(
    engine: Engine, query: Query, caveat_sites: CaveatSites, context: RewriteContext, *, lineage: bool
) -> Iterator[DeepSite]:
    """Yield the caveats of every site whose messages do not travel with rows of the result."""
    found = {each.number for each in caveat_sites.raised_sites}
    for number, site in enumerate(caveat_sites.sites):
        if number in found:
            continue
        if site.input_step is None or not _repeats(site.input_step) or _asks(site):
            yield DeepSite(number, _table(site, number, pa.chunked_array([[_summary(site)]])), None)
        else:
            yield _search_site(
                engine, query, site, number=number, below=site.input_step, context=context, lineage=lineage
            )


def _search_site(
    engine: Engine, query: Query, site: Site, number: int, below: Step, context: RewriteContext, *, lineage: bool
) -> DeepSite:
    traced = with_lineage(below, context) if lineage else TracedStep(below, ())
    message = context.ids.column("message", "string")
    ids = [(each, context.ids.column("id", each.column.type, nullable=True)) for each in traced.carried_ids]
    shown = (alias(reason(site), message), *(alias(ref(each.column), column) for each, column in ids))
    table = engine.to_arrow(engine.write(query, Project(Filter(traced.step, site.condition), shown)))
    rows = decode(traced.carried_ids, table.select(range(1, table.num_columns))) if traced.carried_ids else None
    return DeepSite(number, _table(site, number, table.column(0)), rows)


def _table(site: Site, number: int, messages: pa.ChunkedArray) -> pa.Table:
    return caveat_table(messages, site.caveat.name, site=number)


def _summary(site: Site) -> str:
    return str(site.message.value) if site.message.kind == "literal" else _UNKNOWN


def _repeats(plan: Step) -> bool:
    """Running the part again gives the same rows, in whatever order."""
    changing = (step for step in plan.walk() if not step.traits.passes_through)
    return all(step.repeatable == "always" and all(expr.repeats for expr in expressions(step)) for step in changing)


def _asks(site: Site) -> bool:
    """Whether a site asks for doubts or bounds in its condition or message, which only the query itself can tell."""
    parts = (site.condition, site.message)
    return any(node.kind == "question" for part in parts for node in part.walk())
