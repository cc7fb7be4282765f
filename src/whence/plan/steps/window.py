"""Compute for each row a value from the rows around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import cast

from whence.plan.catalyst import Build, Node, Option
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap, Uses, as_deciding, readings
from whence.plan.columnmap import reading as reading_of
from whence.plan.context import RewriteContext
from whence.plan.decides_for import row_uses
from whence.plan.expr import (
    Column,
    Expr,
    SortKey,
    WindowSpec,
    alias,
    literal,
    ref,
)
from whence.plan.expr_grounds import add_columns
from whence.plan.expressions import raises_caveats
from whence.plan.flags import Flags
from whence.plan.grounds import Grounds
from whence.plan.influence import Influences, influence_of_all_rows
from whence.plan.rewrite import column_map
from whence.plan.rowkey import columns_of
from whence.plan.step import BoundedStep, CarriedIds, FlaggedStep, Rid, Span, Step, TracedStep
from whence.plan.steps.limited_sources import renumber_source, with_limited_sources
from whence.plan.steps.project import Project
from whence.plan.steps.row_places import SPAN, places, span_of
from whence.plan.steps.window_bounds import add_window_ranges
from whence.plan.steps.window_doubt import WindowDoubt
from whence.plan.steps.window_readings import WindowReading, check, first_and_last
from whence.plan.steps.window_rows import WindowRows
from whence.plan.traits import Traits

ANY_ORDER = (SortKey(literal(1, "int")),)
"""Where Spark itself numbers rows in no order, for a LIMIT in a correlated subquery: it checks that users give one."""


@dataclass(frozen=True)
class Window(Step):
    """Window functions: `f(x) OVER (PARTITION BY ... ORDER BY ... frame)`."""

    lineage_rule = (
        "the row itself and what the function reads: the frame; for row_number, rank and dense_rank the rows before "
        "it; for percent_rank, cume_dist and ntile the partition; for lag, lead, first, last and nth_value the row "
        "read; a window that only a filter uses influences"
    )
    caveat_rule = (
        "a value is in doubt if a value in its frame is, if rows of the partition might come or go (for what looks "
        "backward only: before it), or if a sort key or partition key of a row that might be in it is in doubt"
    )
    repeatable = "if the order is total"

    read_from = "Window"

    traits = Traits(
        keeps_rows=True,
        passes_through=False,
        row_depends_on="as below",
        is_one_way=False,
        is_conjunctive=False,
        groups_rows=False,
        computes_measures=False,
        reads_around=True,
        gathers_in_python=False,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=False,
    )

    child: Step
    exprs: tuple[Expr, ...]
    partition: tuple[Expr, ...]
    order: tuple[SortKey, ...]
    number: int

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        order, partition = node.sort_keys.get("orderSpec", ()), node.exprs.get("partitionSpec", ())
        exprs = _functions(node.exprs["windowExpressions"], partition)
        if not order and any(expr.args[0].name == "rownumber" for expr in exprs):
            order, exprs = ANY_ORDER, tuple(_with_order(expr, ANY_ORDER) for expr in exprs)
        step = cls(inputs[0], exprs, partition, order, node.ids.number())
        for reading in step.readings:
            check(reading)
        return step

    def to_catalyst(self) -> Build:
        return Build("Window", (self.exprs, self.partition, self.order, self.child, Option()))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.child.columns, *(expr.output for expr in self.exprs))

    @property
    def most_rows(self) -> int:
        return self.child.most_rows

    @property
    def readings(self) -> tuple[WindowReading, ...]:
        """The functions of the user's, and what each reads."""
        return tuple(WindowReading(self.number, expr) for expr in self.exprs if not expr.output.is_internal)

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        shown = [reading for reading in self.readings if reading.name in context.shown_readings]
        if not shown or not child.carried_ids:
            return replace(child, step=replace(self, child=child.step))
        clauses = [reading.function.condition for reading in shown if reading.function.condition is not None]
        limited = with_limited_sources(child, tuple(dict.fromkeys(clauses)), context)
        return _Spans(self, limited, child.carried_ids, shown, context).with_spans()

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        if child.is_certain and not raises_caveats(self):
            return FlaggedStep(replace(self, child=child.step))
        doubt = WindowDoubt(child, self.partition, self.order, self.readings, ids)
        step = self.with_partition(doubt.split_ghosts(self.partition), doubt.with_claim_inputs())
        flags = Flags(ids)
        cells = flags.cells({**child.doubts, **doubt.claims()})
        row, present = flags.flag(child.is_row_doubtful, "row"), flags.present(child.is_present)
        data = (*child.data_columns, *(ref(expr.output) for expr in self.exprs))
        return FlaggedStep(Project(step, (*data, *flags.exprs)), cells, row, present, child.is_loose)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        (child,) = inputs
        if child.flagged.is_certain and not raises_caveats(self):
            return BoundedStep(self.with_flags((child.flagged,), ids))
        return add_window_ranges(child, self.readings, lambda rows: self.with_flags((rows,), ids), ids)

    def influences(self) -> Influences:
        return self.child.influences() | influence_of_all_rows(self.child.sources, contributors=self.child.sources)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        (child,) = inputs
        made = {reading.expr.output.id: self._uses(reading, child) for reading in self.readings}
        return replace(child, values={**child.values, **made})

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        return add_columns(self.exprs, inputs[0])

    def decisions(self) -> Iterator[tuple[Expr, Uses]]:
        child = column_map(self.child)
        keys = [*self.partition, *(key.expr for key in self.order)]
        for reading in self.readings:
            # What decides which rows there are below decides which rows there are to read.
            uses = child.reads((*keys, *reading.choosing_args), "grouped")
            yield reading.name, uses | child.row | row_uses(self.child)

    def with_partition(self, partition: tuple[Expr, ...], child: Step) -> Window:
        """The same functions over other partitions."""
        exprs = tuple(_with_partition(expr, partition) for expr in self.exprs)
        return replace(self, child=child, exprs=exprs, partition=partition)

    def _uses(self, reading: WindowReading, child: ColumnMap) -> Uses:
        keys = [column for key in self.partition for column in key.columns]
        keys += [column for key in self.order for column in key.expr.columns]
        placed = as_deciding(child.of(keys, "grouped"))
        condition = reading.function.condition
        clause = () if condition is None else (condition,)
        read = [column for arg in reading.read_args for column in arg.columns]
        tested = child.of(() if condition is None else condition.columns, "filtered")
        values = child.of(read, reading.role) | as_deciding(tested)
        limited = frozenset(replace(use, limits=(*use.limits, *clause, reading.name)) for use in values)
        grouped = frozenset(replace(use, limits=(*use.limits, reading.name)) for use in placed)
        own = [column for arg in reading.own_args for column in arg.columns]
        return limited | grouped | placed | child.of(own, "computed") | {reading_of(reading.name)}


@dataclass(frozen=True)
class _Spans:
    """A window over an input that carries row ids, once more for each FILTER clause; `own_ids` is what a row keeps."""

    step: Window
    child: TracedStep
    own_ids: tuple[CarriedIds, ...]
    shown_readings: list[WindowReading]
    context: RewriteContext

    def with_spans(self) -> TracedStep:
        # The window of the user's functions has the same partitions and order, so Spark sorts once, and rows that tie
        # keep their places.
        numbered, exprs_of_place, partition, place = places(
            self.child.step, self.step.partition, self.step.order, self.context.ids
        )
        placed = replace(self.step, child=numbered, exprs=exprs_of_place)
        ends: dict[Expr | None, tuple[Expr, Expr]] = {}
        exprs: list[Expr] = []
        for reading in self.shown_readings:
            if reading.name not in ends:
                first, last, needed = first_and_last(reading, place, self.context.ids)
                ends[reading.name] = (first, last)
                exprs += needed
        # Spark computes nothing else beside a Python function, so what helps stands in a window of its own.
        helped = replace(placed, child=placed, exprs=tuple(exprs)) if exprs else placed
        windowed = replace(self.step, child=helped)
        spans = [span for reading in self._different() for span in self._of(reading)]
        structs = {span.column: span_of(ref(partition), ref(place), *ends[span.reading]) for span in spans}
        carried = (each.column for each in self.child.carried_ids)
        shown = (*self.step.columns, *carried, *columns_of(self.child.key), place, partition)
        named = (alias(value, column) for column, value in structs.items())
        step = Project(windowed, (*map(ref, dict.fromkeys(shown)), *named))
        rows = WindowRows(step, self.step.number, partition, place, self.child.carried_ids)
        return TracedStep(rows, (*self.own_ids, *spans), self.child.key)

    def _different(self) -> list[WindowReading]:
        """One of those that read the same rows through the same clause."""
        return list({(reading.name, reading.function.condition): reading for reading in self.shown_readings}.values())

    def _of(self, reading: WindowReading) -> list[Span]:
        """What is read; with a FILTER clause that limits the cell, also what the row came from."""
        used = self._used_by(reading)
        spans = [self._span(reading, tuple(_ids_in_use(self.own_ids, used)))]
        condition = reading.function.condition
        if condition is not None:
            limits = [each for each in self.child.carried_ids if each not in self.own_ids]
            clauses = dict.fromkeys(
                r.function.condition for r in self.shown_readings if r.function.condition is not None
            )
            number, size = list(clauses).index(condition), len(self.own_ids)
            mine = limits[number * size : (number + 1) * size]
            spans.append(self._span(reading, tuple(_ids_in_use(mine, used))))
        return spans

    def _used_by(self, reading: WindowReading) -> frozenset[Expr]:
        """What windows and subqueries below read for the values that this function uses."""
        below = column_map(self.step.child)
        return readings(below.of([column for arg in reading.read_args for column in arg.columns], "copied"))

    def _span(self, reading: WindowReading, members: tuple[CarriedIds, ...]) -> Span:
        name = reading.name
        limited = tuple(renumber_source(each, name, self.context.limits) for each in members)
        return Span(self.context.ids.column("span", SPAN, nullable=True), self.step.number, name, limited)


def _ids_in_use(carried: Iterable[CarriedIds], used: frozenset[Expr]) -> Iterator[CarriedIds]:
    """What rows carry of their own, and of what was read for them only what is used."""
    for each in carried:
        if each.reading is not None and each.reading not in used:
            continue
        if isinstance(each, Rid):
            yield each
        elif members := tuple(_ids_in_use(each.members, used)):
            yield replace(each, members=members)


def _with_order(expr: Expr, order: tuple[SortKey, ...]) -> Expr:
    inner = expr.args[0]
    over = replace(cast(WindowSpec, inner.value), order=order)
    return replace(expr, args=(replace(inner, value=over, is_rebuilt=True),), is_rebuilt=True)


def _functions(exprs: tuple[Expr, ...], partition: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Return the window functions of a node.

    Where Spark decorrelates a subquery, it adds outer columns to the partitions of the node, though not to those that
    its functions name, and hands the columns on as if they were functions.
    """
    functions = tuple(expr for expr in exprs if expr.kind == "alias")
    return functions if len(functions) == len(exprs) else tuple(_with_partition(expr, partition) for expr in functions)


def _with_partition(expr: Expr, partition: tuple[Expr, ...]) -> Expr:
    inner = expr.args[0]
    changed = replace(inner, args=(inner.args[0], *partition), is_rebuilt=True)
    return replace(expr, args=(changed,), is_rebuilt=True)
