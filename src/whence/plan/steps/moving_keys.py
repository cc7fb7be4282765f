"""The caveat rule of a group-by whose keys are in doubt: which groups a row might leave or join.

A row whose key cells in the set P are doubtful might join any group that agrees with it on the other keys, or make a
new one. So every aggregate of those groups is in doubt, and a ghost group with doubtful key cells is added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import (
    FALSE,
    TRUE,
    Column,
    Expr,
    aggregate,
    alias,
    all_of,
    any_of,
    call,
    choose,
    negate,
    one_if,
    ref,
    some_row,
    window,
)
from whence.plan.flags import Flags
from whence.plan.step import FlaggedStep, Step
from whence.plan.steps.project import Project
from whence.plan.steps.spawn import Spawn

_MOST_PATTERNS = 7
"""All sets of up to three doubtful keys; with more, rows are taken to doubt all of them, which flags more."""

_PLAIN = frozenset(
    [
        "boolean",
        "tinyint",
        "smallint",
        "int",
        "bigint",
        "decimal",
        "float",
        "double",
        "string",
        "binary",
        "date",
        "timestamp",
        "timestamp_ntz",
    ]
)

Pattern = frozenset[int]
"""Positions of the key cells that are doubtful together in one row."""


Extend = Callable[[tuple[Expr, ...]], Step]
"""The group-by with more outputs."""


@dataclass(frozen=True)
class Existence:
    """What is known of an output that asks whether some row is so: for which rows, and when no more can change it."""

    claim: Expr
    is_settled: Expr


@dataclass(frozen=True)
class MovingKeys:
    """A flagged group-by, and all that its doubtful keys add to it."""

    group_by: FlaggedStep
    extend: Extend
    outputs: tuple[Expr, ...]
    keys: tuple[Expr, ...]
    existence: Mapping[int, Existence]
    ids: ColumnIdAllocator

    def mark_groups(self, key_doubts: tuple[Expr, ...]) -> FlaggedStep:
        """The group-by with its flags; as it was if no key can be doubtful."""
        patterns = {pattern: claim for pattern, claim in _patterns(key_doubts).items() if claim != FALSE}
        if not patterns:
            return self.group_by
        folds = _Folds(self.ids)
        moved = {pattern: folds.holds_in_group(claim) for pattern, claim in patterns.items()}
        movers = {output: self._movers(patterns, output, folds) for output in (None, *self.existence)}
        settled = {output: folds.over_group(each.is_settled) for output, each in self.existence.items()}
        possible = {output: folds.holds_in_group(each.claim) for output, each in self.existence.items()}
        places = _Places.of(self.keys, frozenset().union(*patterns), self.ids)
        step = self.extend((*folds.exprs, *places.exprs))

        reach = _Reach(places, self.ids)
        touched = {
            output: any_of(*(reach.reaches_other_group(p, n) for p, n in each.items()))
            for output, each in movers.items()
        }
        reached = Project(step, (*map(ref, step.columns), *reach.exprs))
        copy = self.ids.flag("copy")
        spawned = Spawn(reached, any_of(*moved.values()), copy)

        claims = {}
        for expr in self.outputs:
            output = expr.output.id
            own = self.group_by.doubts.get(output, FALSE)
            if output in self.existence:
                here = any_of(own, all_of(touched[output], negate(settled[output])))
                claims[output] = choose(ref(copy), possible[output], here)
            elif any(node.kind == "aggregate" for node in expr.walk()):
                claims[output] = any_of(own, ref(copy), touched[None])
            else:
                claims[output] = any_of(own, all_of(ref(copy), self._moved_key(expr, moved)))
        return self._with_flags(spawned, claims, copy)

    def _movers(self, patterns: Mapping[Pattern, Expr], output: int | None, folds: _Folds) -> dict[Pattern, Expr]:
        """Some row would count for this output where it goes: for a question of existence, one that is so."""
        counts = TRUE if output is None else self.existence[output].claim
        return {pattern: folds.holds_in_group(all_of(claim, counts)) for pattern, claim in patterns.items()}

    def _moved_key(self, expr: Expr, moved: Mapping[Pattern, Expr]) -> Expr:
        """A key cell is in doubt only on a ghost copy, where the key it shows has moved."""
        read = {position for position, key in enumerate(self.keys) if set(key.columns) & set(expr.columns)}
        return any_of(*(flag for pattern, flag in moved.items() if pattern & read))

    def _with_flags(self, step: Step, claims: Mapping[int, Expr], copy: Column) -> FlaggedStep:
        flags = Flags(self.ids)
        shown = {expr.output.id for expr in self.outputs if not expr.output.is_internal}
        cells = flags.cells({output: claim for output, claim in claims.items() if output in shown})
        row = flags.flag(self.group_by.is_row_doubtful, "row")
        present = flags.present(all_of(self.group_by.is_present, negate(ref(copy))))
        data = tuple(ref(expr.output) for expr in self.outputs)
        return FlaggedStep(Project(step, (*data, *flags.exprs)), cells, row, present, self.group_by.is_loose)


class _Folds:
    """Claims about the rows of a group, folded into flags of the group."""

    def __init__(self, ids: ColumnIdAllocator) -> None:
        self._ids = ids
        self._made: dict[Expr, Column] = {}

    def holds_in_group(self, claim: Expr) -> Expr:
        """Some row of the group is so."""
        return self.over_group(some_row(claim))

    def over_group(self, claim: Expr) -> Expr:
        """A claim that is folded already."""
        if claim not in self._made:
            self._made[claim] = self._ids.flag("fold")
        return ref(self._made[claim])

    @property
    def exprs(self) -> tuple[Expr, ...]:
        return tuple(alias(claim, column) for claim, column in self._made.items())


@dataclass(frozen=True)
class _Places:
    """By what groups are told apart when it is asked which of them agree: numbers, not texts, where that is possible.

    Groups whose numbers agree by chance count as groups that agree, which flags more and never less.
    """

    exprs: tuple[Expr, ...]
    columns: Mapping[Pattern, Column]
    """For sets of keys, the column that tells them apart."""

    @classmethod
    def of(cls, keys: tuple[Expr, ...], uncertain: Pattern, ids: ColumnIdAllocator) -> _Places:
        """All keys that never move as one, each of the others alone."""
        staying = frozenset(range(len(keys))) - uncertain
        if not all(_is_plain(key.type) for key in keys):
            parts = [frozenset({position}) for position in range(len(keys))]
        else:
            parts = [part for part in (staying, *(frozenset({p}) for p in sorted(uncertain))) if part]
        columns = {part: ids.column("key", "", nullable=True) for part in parts}
        exprs = (alias(_place([keys[p] for p in sorted(part)]), column) for part, column in columns.items())
        return cls(tuple(exprs), columns)

    def keys_outside(self, pattern: Pattern) -> tuple[Expr, ...]:
        """What groups have in common that agree on the keys outside the pattern."""
        return tuple(ref(column) for part, column in self.columns.items() if not part & pattern)


def _place(keys: list[Expr]) -> Expr:
    return call("xxhash64", *keys) if all(_is_plain(key.type) for key in keys) else keys[0]


def _is_plain(type_name: str) -> bool:
    """Whether equal values of the type have equal hashes: not so for texts under a collation, nor for maps."""
    return type_name.split("(")[0] in _PLAIN


class _Reach:
    """Counts groups among all those that agree on the keys that stay."""

    def __init__(self, places: _Places, ids: ColumnIdAllocator) -> None:
        self._places = places
        self._ids = ids
        self._made: dict[tuple[Pattern, Expr], Column] = {}

    def reaches_other_group(self, pattern: Pattern, moves: Expr) -> Expr:
        """Some other group within reach has rows that might come: those of the group itself can only go."""
        if (pattern, moves) not in self._made:
            self._made[pattern, moves] = self._ids.column("reach", "bigint")
        return call(">", ref(self._made[pattern, moves]), one_if(moves))

    @property
    def exprs(self) -> tuple[Expr, ...]:
        # Rows brought together by few keys are together by more keys as well: Spark moves them once, not for each sum.
        widest_first = sorted(self._made.items(), key=lambda made: -len(made[0][0]))
        return tuple(
            alias(window(aggregate("sum", one_if(moves)), self._places.keys_outside(pattern)), column)
            for (pattern, moves), column in widest_first
        )


def _patterns(doubts: tuple[Expr, ...]) -> dict[Pattern, Expr]:
    """For each set of key positions the claim that exactly these are doubtful in a row."""
    uncertain = [position for position, claim in enumerate(doubts) if claim != FALSE]
    if 2 ** len(uncertain) - 1 > _MOST_PATTERNS:
        return {frozenset(uncertain): any_of(*doubts)}
    patterns: dict[Pattern, Expr] = {}
    for size in range(1, len(uncertain) + 1):
        for chosen in combinations(uncertain, size):
            claims = (doubts[p] if p in chosen else negate(doubts[p]) for p in uncertain)
            patterns[frozenset(chosen)] = all_of(*claims)
    return patterns
