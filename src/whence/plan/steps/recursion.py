"""Repeat a query over the rows of the round before: WITH RECURSIVE."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from whence.plan.catalyst import Build, ConcatenatedSeqs, NewExprIds, Node, SameField, Unreadable
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import NOWHERE, ColumnMap, Use
from whence.plan.context import RewriteContext
from whence.plan.expr import FALSE, Column, Expr, alias, call, null, ref
from whence.plan.expressions import raises_caveats
from whence.plan.grounds import Grounds, union_grounds
from whence.plan.grounds_document import find_grounds
from whence.plan.limits import Limits
from whence.plan.rebuild import rebuild
from whence.plan.rewrite import column_map, with_lineage
from whence.plan.step import CarriedIds, FlaggedStep, Group, Rid, Step, TracedStep
from whence.plan.steps.collected_ids import group_of, member_of
from whence.plan.steps.limited_sources import renumber_source
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import with_real_rows_only, without_ghosts
from whence.plan.steps.recursion_input import MOST_ROWS, RecursionInput, inputs_of, loop_number
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Recursion(Step):
    """WITH RECURSIVE: the first rows, and round by round the rows that are made from those of the round before.

    Ids of the sources of the first rows are handed on from round to round. Those of the recursive part are collected
    in an array with one element for each round. Both travel once more for the last round alone: a cell that reads
    nothing of the round before comes from rows of its own round only. No ghost goes on to the next round, as nothing
    says that rounds of ghosts come to an end.
    """

    lineage_rule = "the chain of rows that led to it: a first row, and what each round joined to it"
    caveat_rule = (
        "as in the round that made it; rows that might be missing are not followed into the next round, so that all "
        "else that depends on the set of rows is in doubt"
    )
    repeatable = "always"
    read_from = "UnionLoop"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="row",
        is_one_way=False,
        is_conjunctive=False,
        groups_rows=False,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=False,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=False,
    )

    first: Step
    rounds: Step
    loop: int
    loop_columns: tuple[Column, ...]
    handle: object = field(default=None, compare=False, repr=False)
    added: tuple[Column, ...] = ()

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        first, rounds = inputs
        ids = node.values["outputAttrIds"]
        assert isinstance(ids, list)
        columns = tuple(replace(column, id=each["id"]) for column, each in zip(first.columns, ids, strict=True))
        step = cls(first, rounds, loop_number(node, "id"), columns, node.handle)
        reason = step._why_coarse(node.ids)
        if reason:
            raise Unreadable(reason)
        return step

    def _why_coarse(self, ids: ColumnIdAllocator) -> str:
        """Why no rule covers what its rounds do; empty if the rules do."""
        path = [step for step in self.rounds.walk() if inputs_of(step, self.loop)]
        if len(inputs_of(self.rounds, self.loop)) != 1:
            return "a recursive query that reads its own rows twice"
        if any(raises_caveats(step) for step in self.rounds.walk()):
            return "a caveat that a recursive query raises"
        if any(step.repeatable != "always" for step in path):
            return "a recursive query with a limit or a sample of its own rows"
        probe = Rid(-1, ids.column("rid", "int"))
        context = RewriteContext(
            ids=ids, limits=Limits(0), traced_sources=None, shown_readings=frozenset(), puts_groups_aside=False
        )
        traced = with_lineage(self._over_input(internal_columns=(probe.column,), carried_ids=(probe,)), context)
        return "" if probe in traced.carried_ids else "a recursive query that groups or compares its own rows"

    def to_catalyst(self) -> Build:
        new_ids = ConcatenatedSeqs((SameField(self.handle, "outputAttrIds"), NewExprIds(len(self.added))))
        limits = (SameField(self.handle, "limit"), SameField(self.handle, "maxDepth"))
        return Build("UnionLoop", (SameField(self.handle, "id"), self.first, self.rounds, new_ids, *limits))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.first, self.rounds)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.loop_columns, *self.added)

    @property
    def most_rows(self) -> int:
        return max(MOST_ROWS, self.first.most_rows)

    @property
    def runs_in_rounds(self) -> bool:
        return self.first.runs_in_rounds

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        first, _ = inputs
        context, ids = replace(context, puts_groups_aside=False), context.ids
        # Over an input that carries nothing, a round shows what it reads itself: it will do so in other columns.
        expected = with_lineage(self.rounds, context).carried_ids
        handed = tuple(_in_new_column(each, ids) for each in first.carried_ids)
        chain: tuple[Group, ...] = (group_of(expected, ids, nullable=True),) if expected else ()
        unread = tuple(_in_new_column(each, ids) for each in (*first.carried_ids, *expected))
        columns = tuple(each.column for each in (*handed, *chain, *unread))
        rounds = with_lineage(self._over_input(internal_columns=columns, carried_ids=(*handed, *chain)), context)
        read = tuple(each for each in rounds.carried_ids if each not in (*handed, *chain))
        chain = tuple(replace(each, members=read) for each in chain)
        last = (renumber_source(each, self._last, context.limits) for each in (*first.carried_ids, *read))
        carried = tuple(_in_new_column(each, ids) for each in (*handed, *chain, *last))
        of_first = (*first.id_columns, *_nulls(chain), *first.id_columns, *_nulls(read))
        of_rounds = (*_refs(handed), *map(_extended, chain), *_nulls(first.carried_ids), *_refs(read))
        added = [each.column for each in carried]
        step = self._with_more(first.step, rounds.step, added, of_first=of_first, of_rounds=of_rounds, ids=ids)
        return TracedStep(step, carried)

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        """What is in doubt in one round may put more in doubt in the next: until nothing is added."""
        first = without_ghosts(inputs[0])
        doubts = _Doubts.of(self.first, first)
        while True:
            flags = [ids.flag("doubt") for _ in doubts.places], ids.flag("row")
            rounds = without_ghosts(with_real_rows_only(self._over_doubts(doubts, *flags), ids))
            more = doubts | _Doubts.of(self.rounds, rounds)
            if more == doubts:
                return self._flagged(first, rounds, doubts, ids)
            doubts = more

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        first, _ = inputs
        found = self._uses(first, ColumnMap())
        while True:
            pairs = zip(self._own_input.row_columns, self.loop_columns, strict=True)
            before = {own.id: frozenset(map(self._as_earlier, found.values[column.id])) for own, column in pairs}
            more = self._uses(first, column_map(self._over_input(uses=ColumnMap(before))))
            if more == found:
                return found
            found = more

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        first, _ = inputs
        found = first
        branches = (self.first.columns, self.rounds.columns)
        while True:
            known = union_grounds([(self.first.columns, found)], self._own_input.columns)
            one_round = find_grounds(self._over_input(made_of=known))
            more = union_grounds(list(zip(branches, (first, one_round), strict=True)), self.first.columns)
            if more == found:
                return union_grounds([(self.first.columns, found)], self.columns)
            found = more

    @property
    def _own_input(self) -> RecursionInput:
        (found,) = inputs_of(self.rounds, self.loop)
        return found

    def _over_input(self, **known: Any) -> Step:  # noqa: ANN401 - fields of any type
        """The recursive part, its input knowing what the rows of the round before carry."""
        own = self._own_input
        return rebuild(self.rounds, lambda step: replace(own, **known) if step is own else step)

    def _over_doubts(self, doubts: _Doubts, cells: list[Column], row: Column) -> Step:
        """The recursive part over rows with these doubts."""
        own = self._own_input
        flags = (*cells, *([row] if doubts.rows else []))
        return self._over_input(
            internal_columns=(*own.internal_columns, *flags),
            cells={own.columns[place].id: cell for place, cell in zip(doubts.places, cells, strict=True)},
            row=row if doubts.rows else None,
            is_loose=doubts.is_loose,
        )

    def _flagged(self, first: FlaggedStep, rounds: FlaggedStep, doubts: _Doubts, ids: ColumnIdAllocator) -> FlaggedStep:
        cells = [ids.flag("doubt") for _ in doubts.places]
        row = ids.flag("row") if doubts.rows else None
        of_first, of_rounds = (
            [branch.doubts.get(step.columns[place].id, FALSE) for place in doubts.places]
            + [branch.is_row_doubtful] * doubts.rows
            for step, branch in ((self.first, first), (self.rounds, rounds))
        )
        flags = [*cells, *([] if row is None else [row])]
        step = self._with_more(first.step, rounds.step, flags, of_first=of_first, of_rounds=of_rounds, ids=ids)
        flagged = {self.columns[place].id: cell for place, cell in zip(doubts.places, cells, strict=True)}
        return FlaggedStep(step, flagged, row, None, doubts.is_loose)

    def _with_more(
        self,
        first: Step,
        rounds: Step,
        columns: Sequence[Column],
        *,
        of_first: Sequence[Expr],
        of_rounds: Sequence[Expr],
        ids: ColumnIdAllocator,
    ) -> Recursion:
        """The recursion with more columns, each with its expression in the first rows and in the rounds."""
        inside = [ids.column("branch", column.type, nullable=True) for column in columns]
        branches = []
        for step, shown, exprs, names in (
            (first, self.first, of_first, columns),
            (rounds, self.rounds, of_rounds, inside),
        ):
            added = (alias(expr, name) for expr, name in zip(exprs, names, strict=True))
            branches.append(Project(step, (*map(ref, shown.columns), *added)))
        return replace(self, first=branches[0], rounds=branches[1], added=(*self.added, *columns))

    def _uses(self, first: ColumnMap, rounds: ColumnMap) -> ColumnMap:
        no_uses = frozenset[Use]()
        places = zip(self.loop_columns, self.first.columns, self.rounds.columns, strict=True)
        values = {
            column.id: frozenset(
                map(self._as_shown, first.values.get(one.id, no_uses) | rounds.values.get(other.id, no_uses))
            )
            for column, one, other in places
        }
        return ColumnMap(values, frozenset(map(self._as_of_any_round, first.row | rounds.row)))

    def _as_shown(self, use: Use) -> Use:
        """What a row has read in its own round is limited to that; what a row before it has read, to none."""
        if use.source == NOWHERE or self._earlier in use.limits:
            return self._as_of_any_round(use)
        return replace(use, limits=(*use.limits, self._last))

    def _as_earlier(self, use: Use) -> Use:
        if use.source == NOWHERE:
            return use
        any_round = self._as_of_any_round(use)
        return replace(any_round, limits=(*any_round.limits, self._earlier))

    def _as_of_any_round(self, use: Use) -> Use:
        return replace(use, limits=tuple(each for each in use.limits if each not in (self._earlier, self._last)))

    @property
    def _last(self) -> Expr:
        """Limits a source to what the last round has read."""
        return Expr("call", name="the last round", value=self.loop)

    @property
    def _earlier(self) -> Expr:
        """Stands, while the column map is found, for what a round before has read."""
        return Expr("call", name="a round before", value=self.loop)


@dataclass(frozen=True)
class _Doubts:
    """Which columns of the rows of a recursion are in doubt, whether rows are, and whether any may be missing."""

    places: tuple[int, ...]
    rows: bool
    is_loose: bool

    @classmethod
    def of(cls, step: Step, flagged: FlaggedStep) -> _Doubts:
        places = (place for place, column in enumerate(step.columns) if column.id in flagged.cells)
        return cls(tuple(places), flagged.row is not None, flagged.is_loose)

    def __or__(self, other: _Doubts) -> _Doubts:
        places = sorted({*self.places, *other.places})
        return _Doubts(tuple(places), self.rows or other.rows, self.is_loose or other.is_loose)


def _in_new_column(carried: CarriedIds, ids: ColumnIdAllocator) -> CarriedIds:
    return replace(carried, column=ids.column("rid", carried.column.type, nullable=True))


def _refs(carried: Iterable[CarriedIds]) -> Iterator[Expr]:
    return (ref(each.column) for each in carried)


def _nulls(carried: Iterable[CarriedIds]) -> Iterator[Expr]:
    return (null(each.column.type) for each in carried)


def _extended(chain: Group) -> Expr:
    """What all rounds before have read, and this one."""
    now, before = call("array", member_of(chain)), ref(chain.column)
    return Expr("if", (call("isnull", before), now, call("concat", before, now)), name="if")
