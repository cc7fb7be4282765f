"""Random expressions of a wanted type over given columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.oracles.expressions import (
    And,
    Binary,
    Case,
    Coalesce,
    Col,
    Comparison,
    Expr,
    IsNull,
    Lit,
    Not,
    Or,
    Same,
    Type,
    Value,
)
from tests.oracles.queries import Column

CONSTANTS: dict[Type, tuple[Value, ...]] = {"int": (0, 1, 2, 3), "str": ("a", "b", "ab"), "bool": (True, False)}
COMPARISONS: tuple[Comparison, ...] = ("=", "<>", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Expressions:
    """Makes expressions over some columns; ids are seldom used, so that values repeat."""

    rng: Random
    columns: Sequence[Column]

    def of(self, kind: Type, depth: int) -> Expr:
        if kind == "bool":
            return self.condition(depth)
        if depth <= 0 or kind == "float" or self.rng.random() < 0.35:
            return self.leaf(kind)
        make = self.rng.choice(
            [self.arithmetic, self.choice, self.coalesce] if kind == "int" else [self.choice, self.coalesce]
        )
        return make(kind, depth - 1)

    def other(self, kind: Type, depth: int, than: Sequence[Expr]) -> Expr:
        """Something else, if three tries find it: comparing a column with itself says little."""
        tries = [self.of(kind, depth) for _ in range(3)]
        return next((made for made in tries if made not in than), tries[0])

    def leaf(self, kind: Type) -> Expr:
        """A column if there is one, now and then a constant."""
        found = self.pick(kind)
        if found is None or (kind != "float" and self.rng.random() < 0.2):
            return self.constant(kind)
        return Col(found.name)

    def pick(self, kind: Type) -> Column | None:
        fitting = [column for column in self.columns if column.type == kind]
        if not fitting:
            return None
        return self.rng.choices(fitting, [1 if column.name.endswith("id") else 5 for column in fitting])[0]

    def constant(self, kind: Type) -> Expr:
        value = None if self.rng.random() < 0.1 else self.rng.choice(CONSTANTS[kind])
        return Lit(value, kind)

    def arithmetic(self, kind: Type, depth: int) -> Expr:
        left = self.of(kind, depth)
        return Binary(self.rng.choice(("+", "-", "*")), left, self.other(kind, depth, [left]))

    def choice(self, kind: Type, depth: int) -> Expr:
        values = self.several(kind, depth, self.rng.randint(2, 3))
        branches = tuple((self.condition(depth), value) for value in values[1:])
        return Case(branches, values[0] if self.rng.random() < 0.8 else None, as_if=self.rng.random() < 0.5)

    def coalesce(self, kind: Type, depth: int) -> Expr:
        return Coalesce(tuple(self.several(kind, depth, self.rng.randint(2, 3))))

    def several(self, kind: Type, depth: int, size: int) -> list[Expr]:
        made: list[Expr] = []
        for _ in range(size):
            made.append(self.other(kind, depth, made))
        return made

    def condition(self, depth: int) -> Expr:
        if depth > 0 and self.rng.random() < 0.5:
            make = self.rng.choice((And, And, Or, Or, Not))
            return make(*(self.condition(depth - 1) for _ in range(1 if make is Not else 2)))
        return self.rng.choice((self.comparison, self.comparison, self.comparison, self.null_test, self.flag))(depth)

    def comparison(self, depth: int) -> Expr:
        kinds = {column.type for column in self.columns} - {"bool"}
        kind: Type = self.rng.choice(sorted(kinds)) if kinds else "int"
        left = self.of(kind, min(depth - 1, 1))
        right = self.other("int" if kind == "float" else kind, 0, [left])
        return Same(left, right) if self.rng.random() < 0.1 else Binary(self.rng.choice(COMPARISONS), left, right)

    def null_test(self, depth: int) -> Expr:
        column = self.rng.choice(self.columns)
        return IsNull(Col(column.name), negated=self.rng.random() < 0.5)

    def flag(self, depth: int) -> Expr:
        """A boolean column if there is one."""
        found = self.pick("bool")
        return self.comparison(depth) if found is None else Col(found.name)
