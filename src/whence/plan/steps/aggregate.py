"""Group rows and compute one value per group."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.bounds.aggregates import bound_aggregate
from whence.plan.bounds.bound import Bounds
from whence.plan.bounds.groups import bound_constant
from whence.plan.bounds.interval import Interval, exact
from whence.plan.bounds.terms import GroupRows
from whence.plan.catalyst import Build, Node, Option
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap, Uses
from whence.plan.context import RewriteContext
from whence.plan.doubt import choice_doubt, doubt
from whence.plan.expr import (
    CONSTANT,
    EXISTS,
    FALSE,
    POSSIBLE_ROWS,
    SOME_POSSIBLE_ROW,
    TRUE,
    Column,
    Expr,
    aggregate,
    alias,
    all_of,
    any_of,
    call,
    exists,
    holds,
    literal,
    negate,
    some_row,
)
from whence.plan.expr_grounds import ground_groups
from whence.plan.expressions import raises_caveats
from whence.plan.flags import Flags
from whence.plan.grounds import Grounds
from whence.plan.influence import Influences, through_groups
from whence.plan.range_columns import RangeColumns
from whence.plan.step import BoundedStep, FlaggedStep, GroupBy, Step, TracedStep
from whence.plan.steps.collected_ids import group_of, member_of
from whence.plan.steps.group_key import group_key
from whence.plan.steps.group_parts import GroupParts
from whence.plan.steps.limited_sources import with_limited_sources
from whence.plan.steps.moving_keys import Existence, MovingKeys
from whence.plan.steps.named_values import NamedValues
from whence.plan.steps.packed_claims import pack_claims
from whence.plan.steps.real_rows import without_ghosts
from whence.plan.steps.split_aggregate import split_outputs
from whence.plan.steps.visiting_rows import visit_groups
from whence.plan.traits import Traits

_EXTREMES = {"min": "<", "max": ">"}
_IGNORE_NULLS = frozenset({"sum", "average", "min", "max", "count"})


@dataclass(frozen=True)
class Aggregate(Step):
    """GROUP BY; without keys, one row for the whole input."""

    lineage_rule = "every row of the group; a FILTER clause limits the cell, not the row"
    caveat_rule = (
        "a group is in doubt unless one certain row supports its key; an aggregate is in doubt if a value it reads is, "
        "or a row of the group might go or come (of min and max: one beyond all certain rows); a doubtful key touches "
        "every group it might move to; keys under a collation are in doubt if rows might come or go, because a group "
        "shows the spelling of one of its rows; the row of a global aggregate is certain"
    )
    repeatable = "always"

    read_from = "Aggregate"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="group",
        is_one_way=True,
        is_conjunctive=False,
        groups_rows=True,
        computes_measures=True,
        reads_around=False,
        gathers_in_python=False,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=False,
    )

    child: Step
    keys: tuple[Expr, ...]
    outputs: tuple[Expr, ...]

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        keys, outputs = node.exprs["groupingExpressions"], node.exprs["aggregateExpressions"]
        return split_outputs(keys, outputs, node.ids, lambda made: cls(inputs[0], keys, made))

    def to_catalyst(self) -> Build:
        return Build("Aggregate", (self.keys, pack_claims(self.outputs), self.child, Option()))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(expr.output for expr in self.outputs)

    @property
    def most_rows(self) -> int:
        return self.child.most_rows if self.keys else 1

    def needed_columns(self, shown: frozenset[int]) -> frozenset[int]:
        return frozenset(column.id for expr in (*self.keys, *self.outputs) for column in expr.columns)

    @property
    def group_by(self) -> GroupBy:
        return self

    @property
    def deferrable(self) -> GroupBy:
        return self

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        key, extra = group_key(self.keys, self.outputs, child.key, context.ids)
        outputs = (*self.outputs, *extra)
        if not child.carried_ids:
            return TracedStep(replace(self, child=child.step, outputs=outputs), (), key)
        child = self.with_limited_sources(child, context)
        group = group_of(child.carried_ids, context.ids)
        outputs = (*outputs, alias(aggregate("collect_list", member_of(group)), group.column))
        return TracedStep(replace(self, child=child.step, outputs=outputs), (group,), key)

    def with_limited_sources(self, child: TracedStep, context: RewriteContext) -> TracedStep:
        """The input carrying its ids once more for each FILTER clause, where the clause holds."""
        nodes = (node for expr in self.outputs for node in expr.walk())
        clauses = dict.fromkeys(node.condition for node in nodes if node.condition is not None)
        return with_limited_sources(child, tuple(clauses), context)

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        if child.is_certain and not raises_caveats(self):
            return FlaggedStep(replace(self, child=child.step))
        if any(map(_is_collated, self.keys)):
            child = without_ghosts(child)  # a group could show the spelling of a row that is not there
        key_doubts = tuple(doubt(key, child.doubts) for key in self.keys)
        members = _Members(child, any_of(*key_doubts), is_global=not self.keys)
        values = tuple(expr.replace(members.really_there) for expr in self.outputs)
        flags = Flags(ids)
        shown = (expr for expr in values if not expr.output.is_internal)
        spelt = self._spellings_in_doubt(child, any_of(*key_doubts))
        cells = flags.cells({expr.output.id: doubt(expr, spelt, members.doubt) for expr in shown})
        row = flags.flag(members.lacks_support if self.keys else FALSE, "row")
        present = flags.present(members.is_alive if self.keys else TRUE)
        grouped = replace(self, child=child.step, outputs=(*values, *flags.exprs))
        flagged = FlaggedStep(grouped, cells, row, present, child.is_loose)
        existence = {expr.output.id: members.existence(expr.args[0]) for expr in values if _asks_existence(expr)}
        return MovingKeys(
            group_by=flagged, extend=grouped.with_more, outputs=values, keys=self.keys, existence=existence, ids=ids
        ).mark_groups(key_doubts)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep | None:
        """Which rows a group has is known but for those that may come or go; a row with a key in doubt does both."""
        (child,) = inputs
        flagged = child.flagged
        if flagged.is_loose:
            return None
        if any(doubt(key, flagged.doubts) != FALSE for key in self.keys):
            return self._over_visits(child, ids) if child.settles_rows else None
        return self._over_certain_keys(child, ids)

    def _over_visits(self, child: BoundedStep, ids: ColumnIdAllocator) -> BoundedStep | None:
        """Of keys in doubt: groups that only rows with other keys would make are not followed."""
        visited = visit_groups(child, self.keys, Aggregate, ids)
        if visited is None:
            return None
        moved = Aggregate(visited.rows.flagged.step, visited.keys, tuple(map(visited.restate, self.outputs)))
        found = moved._over_certain_keys(visited.rows, ids)
        return replace(found, flagged=replace(found.flagged, is_loose=True), has_fewer_doubts=True)

    def _over_certain_keys(self, child: BoundedStep, ids: ColumnIdAllocator) -> BoundedStep:
        flagged = child.flagged
        if flagged.is_certain and not raises_caveats(self):
            return BoundedStep(self.with_flags((flagged,), ids))
        members = _Members(flagged, FALSE, is_global=not self.keys)
        parts = GroupParts.of(self.outputs, self.keys, ids)
        values = NamedValues(ids)
        added = RangeColumns(members.bounds(child, values), {}, ids)
        for expr in parts.single:
            added.add(expr)
        rows = values.project_over(flagged.step)
        grouped = replace(self, outputs=(*self.outputs, *parts.named, *added.exprs))
        return parts.bound_rest(grouped.with_flags((replace(flagged, step=rows),), ids), added)

    def influences(self) -> Influences:
        return through_groups(self.child.influences())

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        (child,) = inputs
        values = {expr.output.id: self._uses(expr, child) for expr in self.outputs}
        keys = child.reads(self.keys, "grouped")
        return ColumnMap(values, child.row | keys)

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        return ground_groups(self.outputs, inputs[0])

    def with_more(self, outputs: tuple[Expr, ...]) -> Step:
        """The same groups with more outputs."""
        return replace(self, outputs=(*self.outputs, *outputs))

    def _spellings_in_doubt(self, child: FlaggedStep, moves: Expr) -> dict[int, Expr]:
        """The key columns under a collation, if rows might come or go: a group then might show another spelling."""
        if not (child.rows_vary or child.is_loose or moves != FALSE):
            return {}
        return {column.id: TRUE for key in self.keys if _is_collated(key) for column in key.columns}

    def _uses(self, expr: Expr, child: ColumnMap) -> Uses:
        outside = [node.output for node in _outside_aggregates(expr) if node.kind == "column"]
        inside = [child.of_expr(node) for node in expr.walk() if node.kind == "aggregate"]
        return frozenset().union(child.of(outside, "grouped"), *inside)


class _Members:
    """What the rows of a group say about it: claims over the child's rows, folded with max."""

    def __init__(self, child: FlaggedStep, moves: Expr, *, is_global: bool) -> None:
        self._child = child
        self._is_global = is_global
        # A row that is alone in its group takes the group along when it goes: no value of the group changes. A group
        # of ghosts alone has values only in the worlds in which it is there.
        is_one_of_many = call(">", aggregate("count", literal(1, "int")), literal(1, "bigint"))
        self._has_others = TRUE if is_global else any_of(is_one_of_many, negate(self.is_alive))
        self._comes_or_goes = any_of(child.is_row_doubtful, child.is_ghost, moves)
        self._is_support = all_of(child.is_present, negate(child.is_row_doubtful), negate(moves))
        self._original: dict[Expr, Expr] = {}

    def really_there(self, function: Expr) -> Expr | None:
        """An aggregate over the rows that are there, ghosts left out."""
        if function.kind != "aggregate":
            return None
        limited = self._without_ghosts(function)
        self._original[limited] = function
        return limited

    def _without_ghosts(self, function: Expr) -> Expr:
        # What is the same in every row is the same in ghosts, and a group of ghosts alone has only theirs.
        if self._child.present is None or function.value in (CONSTANT, POSSIBLE_ROWS, SOME_POSSIBLE_ROW):
            return function
        if function.value == EXISTS:  # of a group of ghosts alone the answer is no, not NULL
            return exists(all_of(self._child.is_present, *function.args))
        return function.only_when(self._child.is_present)

    def doubt(self, function: Expr) -> Expr:
        """The aggregate could have another value."""
        function = self._original[function]
        if function.value == CONSTANT:
            return some_row(doubt(function.args[0], self._child.doubts))
        if function.value == EXISTS:
            return self._exists_doubt(function.args[0])
        if self._child.is_loose:
            return TRUE
        counts = all_of(*(call("isnotnull", arg) for arg in function.args if _skips_null(function)))
        values_vary = any_of(*(doubt(arg, self._child.doubts) for arg in function.args))
        passes, may_pass = TRUE, FALSE
        if function.condition is not None:
            passes, may_pass = holds(function.condition), choice_doubt(function.condition, self._child.doubts)
        varies = all_of(any_of(passes, may_pass), values_vary)
        moves, hops = all_of(passes, self._comes_or_goes, counts), all_of(may_pass, counts)
        changes = any_of(some_row(hops), all_of(some_row(moves), self._has_others))
        if function.name in _EXTREMES and changes != FALSE:
            certain = all_of(self._is_support, passes, negate(may_pass), negate(values_vary))
            changes = all_of(changes, _beats(function, any_of(moves, hops), certain))
        return any_of(some_row(varies), changes)

    def bounds(self, child: BoundedStep, values: NamedValues) -> Bounds:
        """Finds the intervals of what is computed from the group, and of each row, the values that this takes."""
        inside = Bounds(child.flagged.doubts, child.intervals(), child.reasons, name_value=values.name)
        rows = GroupRows(
            inside,
            self._is_support,
            exists=not self._is_global,
            is_present=self._child.is_present,
            name_value=values.name,
            has_shown_value=True,
        )

        def of_aggregate(function: Expr) -> Interval:
            if in_doubt(function) == FALSE:
                return exact(function)
            rule = bound_constant if function.value == CONSTANT else bound_aggregate
            return rule(function, rows, TRUE)

        def in_doubt(function: Expr) -> Expr:
            limited = self._without_ghosts(function)
            self._original[limited] = function
            return FALSE if self.doubt(limited) == FALSE else TRUE

        return Bounds({}, {}, {}, of_aggregate, in_doubt)

    def existence(self, function: Expr) -> Existence:
        """A certain row that is so settles the question, whatever other rows do."""
        claim = self._original[function].args[0]
        return Existence(claim, some_row(all_of(self._is_support, claim)))

    def _exists_doubt(self, claim: Expr) -> Expr:
        """Whether some row is so hangs on rows that might come or go, unless a certain row is so."""
        might = TRUE if self._child.is_loose else some_row(all_of(self._comes_or_goes, claim))
        return all_of(might, negate(some_row(all_of(self._is_support, claim))))

    @property
    def lacks_support(self) -> Expr:
        """No certain row holds the group up."""
        return negate(some_row(self._is_support))

    @property
    def is_alive(self) -> Expr:
        """The group has a row that is there."""
        return some_row(self._child.is_present)


def _beats(function: Expr, changing: Expr, certain: Expr) -> Expr:
    """Of a minimum or maximum: some row that might come or go goes beyond all rows that are certain."""
    best, rival = (aggregate(function.name, *function.args, only=claim) for claim in (certain, changing))
    return any_of(call("isnull", best), holds(call(_EXTREMES[function.name], rival, best)))


def _is_collated(key: Expr) -> bool:
    """Equal values may be spelt differently: Spark shows one of those it was given."""
    return any("collat" in node.type.lower() or (node.kind, node.name) == ("call", "collate") for node in key.walk())


def _asks_existence(expr: Expr) -> bool:
    return expr.kind == "alias" and expr.args[0].kind == "aggregate" and expr.args[0].value == EXISTS


def _skips_null(function: Expr) -> bool:
    return function.name in _IGNORE_NULLS and len(function.args) == 1 and function.args[0].repeats


def _outside_aggregates(expr: Expr) -> list[Expr]:
    if expr.kind == "aggregate":
        return []
    return [expr, *(node for arg in expr.args for node in _outside_aggregates(arg))]
