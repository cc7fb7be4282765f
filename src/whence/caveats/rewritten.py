"""The plan that is run for a query: with ids, then with marks, and what each of its columns is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest

from whence.caveats.raised import Noted
from whence.engine.engine import Query
from whence.engine.worker.write_parts import Layout
from whence.lineage.strategy import Choice
from whence.model.schema import Schema
from whence.plan.columnmap import ColumnMap
from whence.plan.expr import Column, Expr, alias, ref
from whence.plan.fresh import Fresh
from whence.plan.limits import Limits
from whence.plan.readings import shown_readings
from whence.plan.rewrite import column_map, with_lineage, with_marks
from whence.plan.rowkey import RowKey, Values, columns_of
from whence.plan.step import Carried, Marked, Rid, Step, Traced
from whence.plan.steps.project import Project
from whence.plan.steps.window_rows import WindowRows, without_needless_memory


@dataclass(frozen=True)
class Rewritten:
    """The plan to run, what its columns are, and what they will say."""

    plan: Step
    layout: Layout
    carried: tuple[Carried, ...]
    is_loose: bool
    columns: ColumnMap
    key: RowKey | None
    hidden: tuple[Column, ...]
    """Columns that the row key reads and the query does not show."""
    late: tuple[Column, ...] | None
    """Columns that show what the rows were grouped by, where their ids were left for later."""
    windows: tuple[WindowRows, ...]


def rewrite(noted: Noted, query: Query, schema: Schema, choice: Choice) -> Rewritten:
    """The plan with ids first, then with marks: the id columns are never in doubt, but ghosts must stay out of them."""
    fresh = query.read.fresh
    fresh.limits = Limits(len(query.sources))
    fresh.only = frozenset(range(len(query.sources))) - choice.pruned.keys() if choice.pruned else None
    columns = column_map(noted.plan)
    fresh.shown_readings = shown_readings(columns, query.columns)
    traced, late = _traced(noted.step, query, choice, fresh)
    traced, windows = without_needless_memory(traced)
    marked = with_marks(traced.step, fresh)
    flagged = [position for position, column in enumerate(query.columns) if column.id in marked.cells]
    hidden = tuple(each for each in dict.fromkeys(columns_of(traced.key)) if each not in query.columns)
    layout = Layout(
        schema.names,
        tuple(flagged),
        has_row_marks=marked.row is not None,
        has_ghosts=marked.present is not None,
        id_columns=len(traced.carried) + len(hidden) + len(noted.raised),
        sources=None if hidden or noted.raised or choice.most_bytes is not None else _sources(traced.carried),
    )
    beside = (*(each.column for each in traced.carried), *hidden, *(each.said for each in noted.raised))
    final = Project(marked.step, _outputs(query, marked, layout, beside, fresh))
    return Rewritten(final, layout, traced.carried, marked.is_loose, columns, traced.key, hidden, late, windows)


def _sources(carried: tuple[Carried, ...]) -> tuple[int, ...] | None:
    """The source of each id, where every row has just one of each."""
    found = tuple(each.source for each in carried if isinstance(each, Rid))
    return found if len(set(found)) == len(carried) else None


def _traced(plan: Step, query: Query, choice: Choice, fresh: Fresh) -> tuple[Traced, tuple[Column, ...] | None]:
    """The plan with ids, or without them and with the columns by which its groups are known again later."""
    if choice.mode == "off":
        return Traced(plan, ()), None
    if choice.deferral is not None and choice.deferral.pairs(fresh) is not None:
        traced = choice.deferral.without_ids(plan, fresh)
        if isinstance(traced.key, Values) and set(traced.key.columns) <= set(query.columns):
            return traced, traced.key.columns
        fresh.limits = Limits(len(query.sources))
    return with_lineage(plan, fresh), None


def _outputs(
    query: Query, marked: Marked, layout: Layout, beside: tuple[Column, ...], fresh: Fresh
) -> tuple[Expr, ...]:
    """In the order the layout promises, under the names it stores, because a query may repeat a name or a column."""
    flags = [marked.cells[query.columns[position].id] for position in layout.marks]
    flags += [flag for flag in (marked.row, marked.present) if flag is not None]
    columns = (*query.columns, *flags, *beside)
    made = (fresh.column("out", column.type, nullable=True) for column in columns)
    named = (
        column if name is None else replace(column, name=name) for column, name in zip_longest(made, layout.written)
    )
    return tuple(alias(ref(column), output) for column, output in zip(columns, named, strict=True))
