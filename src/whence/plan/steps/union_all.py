"""Put the rows of several inputs under each other."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.bounds.bound import NOTHING_STATED
from whence.plan.bounds.interval import exact
from whence.plan.catalyst import Build, Node
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap, Uses
from whence.plan.context import RewriteContext
from whence.plan.expr import FALSE, Column, Expr, alias, null, ref
from whence.plan.grounds import Grounds, union_grounds
from whence.plan.step import BoundedStep, CarriedIds, FlaggedStep, Range, Step, TracedStep
from whence.plan.steps.branch_keys import BranchKeys
from whence.plan.steps.project import Project
from whence.plan.traits import Traits


@dataclass(frozen=True)
class UnionAll(Step):
    """UNION ALL, by position; the output columns are those of the first branch."""

    lineage_rule = "the row of its branch"
    caveat_rule = "as in its branch"
    repeatable = "always"

    read_from = "Union"

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

    branches: tuple[Step, ...]

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls(inputs)

    def to_catalyst(self) -> Build:
        return Build("Union", (self.branches, False, False))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return self.branches

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.branches[0].columns

    @property
    def most_rows(self) -> int:
        return sum(branch.most_rows for branch in self.branches)

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        slots = [(number, carried) for number, branch in enumerate(inputs) for carried in branch.carried_ids]
        outputs = tuple(context.ids.column("rid", carried.column.type, nullable=True) for _, carried in slots)
        key = BranchKeys(self.branches, [branch.key for branch in inputs], context.ids)
        branches = tuple(
            Project(
                branch.step, (*map(ref, step.columns), *_ids(number, slots, outputs, context.ids), *key.exprs(number))
            )
            for number, (step, branch) in enumerate(zip(self.branches, inputs, strict=True))
        )
        carried = tuple(replace(old, column=new) for (_, old), new in zip(slots, outputs, strict=True))
        return TracedStep(UnionAll(branches), carried, key.key)

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        positions = range(len(self.columns))
        flagged = [p for p in positions if any(_flag_at(self, b, i, p) for i, b in enumerate(inputs))]
        has_row, has_present = any(b.row for b in inputs), any(b.present for b in inputs)
        names = [ids.flag("doubt") for _ in flagged]
        row = ids.flag("row") if has_row else None
        present = ids.flag("present") if has_present else None
        branches = []
        for number, branch in enumerate(inputs):
            claims = [_flag_at(self, branch, number, position) or FALSE for position in flagged]
            claims += [branch.is_row_doubtful] * has_row + [branch.is_present] * has_present
            columns = [*names, *(flag for flag in (row, present) if flag is not None)]
            # Only the first branch names the output; the others need names of their own.
            targets = columns if number == 0 else [ids.flag("branch") for _ in columns]
            flags = (alias(claim, target) for claim, target in zip(claims, targets, strict=True))
            branches.append(Project(branch.step, (*map(ref, self.branches[number].columns), *flags)))
        cells = {self.columns[position].id: name for position, name in zip(flagged, names, strict=True)}
        return FlaggedStep(UnionAll(tuple(branches)), cells, row, present, any(branch.is_loose for branch in inputs))

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        """A column has a range if, in each branch, it has one or is certain; the branches show the ranges they lack."""
        first = self.columns
        doubted = [p for p in range(len(first)) if any(_flag_at(self, b.flagged, i, p) for i, b in enumerate(inputs))]
        reasons = {first[place].id: why for place in doubted if (why := self._lacks_range(inputs, place))}
        ranged = [place for place in doubted if first[place].id not in reasons]
        branches = [self._with_ranges(number, inputs[number], ranged, ids) for number in range(len(inputs))]
        shown = UnionAll(tuple(Project(*each) for each in branches))
        given = tuple(
            replace(each.flagged, step=Project(step, (*map(ref, each.flagged.step.columns), *_computed(exprs))))
            for each, (step, exprs) in zip(inputs, branches, strict=True)
        )
        columns = iter(shown.columns[len(first) :])
        ranges = {first[place].id: Range(next(columns), next(columns), next(columns)) for place in ranged}
        return BoundedStep(shown.with_flags(given, ids), ranges, reasons)

    def _lacks_range(self, inputs: tuple[BoundedStep, ...], place: int) -> str:
        for step, branch in zip(self.branches, inputs, strict=True):
            column = step.columns[place].id
            if column in branch.flagged.cells and column not in branch.ranges:
                return branch.reasons.get(column, NOTHING_STATED)
        return ""

    def _with_ranges(
        self, number: int, branch: BoundedStep, places: list[int], ids: ColumnIdAllocator
    ) -> tuple[Step, tuple[Expr, ...]]:
        """The columns of a branch, and behind them three for each range, under names of their own."""
        own = self.branches[number].columns
        shown: list[Expr] = [*map(ref, own)]
        for column in (own[place] for place in places):
            value = branch.intervals().get(column.id) or exact(ref(column))
            named = (("low", column.type), ("high", column.type), ("missing", "boolean"))
            for end, (name, kind) in zip((value.low, value.high, value.missing), named, strict=True):
                shown.append(alias(end, ids.column(name, kind, nullable=True)))
        return branch.flagged.step, tuple(shown)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        values: dict[int, Uses] = {}
        for position, column in enumerate(self.columns):
            uses = (
                m.values.get(s.columns[position].id, frozenset()) for s, m in zip(self.branches, inputs, strict=True)
            )
            values[column.id] = frozenset().union(*uses)
        return ColumnMap(values, frozenset().union(*(branch.row for branch in inputs)))

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        columns = (branch.columns for branch in self.branches)
        return union_grounds(list(zip(columns, inputs, strict=True)), self.columns)


def _ids(
    number: int, slots: list[tuple[int, CarriedIds]], outputs: tuple[Column, ...], ids: ColumnIdAllocator
) -> tuple[Expr, ...]:
    """The ids this branch carries in its own slots, NULL in those of the others."""
    values = (ref(carried.column) if owner == number else null(carried.column.type) for owner, carried in slots)
    targets = outputs if number == 0 else tuple(ids.column("branch", output.type) for output in outputs)
    return tuple(alias(value, target) for value, target in zip(values, targets, strict=True))


def _computed(exprs: tuple[Expr, ...]) -> tuple[Expr, ...]:
    return tuple(expr for expr in exprs if expr.kind == "alias")


def _flag_at(union: UnionAll, branch: FlaggedStep, number: int, position: int) -> Expr | None:
    flag = branch.cells.get(union.branches[number].columns[position].id)
    return None if flag is None else ref(flag)
