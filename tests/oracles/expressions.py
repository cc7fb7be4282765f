"""Scalar expressions of the oracle: how each is written in SQL and what it means in three-valued logic."""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Value: TypeAlias = int | float | str | bool | None
Values: TypeAlias = tuple[Value, ...]
Type: TypeAlias = Literal["int", "float", "str", "bool"]
Comparison: TypeAlias = Literal["=", "<>", "<", "<=", ">", ">="]
Bound: TypeAlias = Callable[[Values], Value]

SQL_TYPES: dict[Type, str] = {"int": "bigint", "float": "double", "str": "string", "bool": "boolean"}


@dataclass(frozen=True)
class Expr:
    """An expression over named columns."""

    def sql(self, names: Mapping[str, str]) -> str:
        """SQL text, with each column written as `names` says."""
        raise NotImplementedError

    def bind(self, columns: tuple[str, ...]) -> Bound:
        """The function from a row's values to the value of this expression."""
        raise NotImplementedError

    def parts(self) -> tuple["Expr", ...]:
        return ()

    def columns(self) -> frozenset[str]:
        return frozenset().union(*(part.columns() for part in self.parts()))

    def constants(self) -> frozenset[Value]:
        return frozenset().union(*(part.constants() for part in self.parts()))


@dataclass(frozen=True)
class Col(Expr):
    name: str

    def sql(self, names: Mapping[str, str]) -> str:
        return names[self.name]

    def bind(self, columns: tuple[str, ...]) -> Bound:
        return operator.itemgetter(columns.index(self.name))

    def columns(self) -> frozenset[str]:
        return frozenset({self.name})


@dataclass(frozen=True)
class Lit(Expr):
    value: Value
    type: Type

    def sql(self, names: Mapping[str, str]) -> str:
        if self.value is None:
            return f"cast(null as {SQL_TYPES[self.type]})"
        if isinstance(self.value, str):
            return f"'{self.value}'"
        return str(self.value).lower()

    def bind(self, columns: tuple[str, ...]) -> Bound:
        return lambda row: self.value

    def constants(self) -> frozenset[Value]:
        return frozenset({self.value})


@dataclass(frozen=True)
class Binary(Expr):
    """Arithmetic or comparison: NULL as soon as one side is NULL."""

    op: Comparison | Literal["+", "-", "*"]
    left: Expr
    right: Expr

    def parts(self) -> tuple[Expr, ...]:
        return self.left, self.right

    def sql(self, names: Mapping[str, str]) -> str:
        return f"({self.left.sql(names)} {self.op} {self.right.sql(names)})"

    def bind(self, columns: tuple[str, ...]) -> Bound:
        left, right, compute = self.left.bind(columns), self.right.bind(columns), OPERATIONS[self.op]

        def value(row: Values) -> Value:
            a, b = left(row), right(row)
            return None if a is None or b is None else compute(a, b)

        return value


# Both operands are numbers, or both text.
OPERATIONS: dict[str, Callable[[Any, Any], Value]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Apply(Expr):
    """A function of numbers that is NULL if one of them is; `text` has a place `{0}` for each."""

    text: str
    compute: Callable[..., Value]
    operands: tuple[Expr, ...]

    def parts(self) -> tuple[Expr, ...]:
        return self.operands

    def sql(self, names: Mapping[str, str]) -> str:
        return self.text.format(*(operand.sql(names) for operand in self.operands))

    def bind(self, columns: tuple[str, ...]) -> Bound:
        operands = [operand.bind(columns) for operand in self.operands]

        def value(row: Values) -> Value:
            given = [operand(row) for operand in operands]
            return None if None in given else self.compute(*given)

        return value


@dataclass(frozen=True)
class Same(Expr):
    """Null-safe equality."""

    left: Expr
    right: Expr

    def parts(self) -> tuple[Expr, ...]:
        return self.left, self.right

    def sql(self, names: Mapping[str, str]) -> str:
        return f"({self.left.sql(names)} is not distinct from {self.right.sql(names)})"

    def bind(self, columns: tuple[str, ...]) -> Bound:
        left, right = self.left.bind(columns), self.right.bind(columns)
        return lambda row: left(row) == right(row)


@dataclass(frozen=True)
class And(Expr):
    left: Expr
    right: Expr

    def parts(self) -> tuple[Expr, ...]:
        return self.left, self.right

    def sql(self, names: Mapping[str, str]) -> str:
        return f"({self.left.sql(names)} and {self.right.sql(names)})"

    def bind(self, columns: tuple[str, ...]) -> Bound:
        return _settled_by(self.left.bind(columns), self.right.bind(columns), False)


@dataclass(frozen=True)
class Or(Expr):
    left: Expr
    right: Expr

    def parts(self) -> tuple[Expr, ...]:
        return self.left, self.right

    def sql(self, names: Mapping[str, str]) -> str:
        return f"({self.left.sql(names)} or {self.right.sql(names)})"

    def bind(self, columns: tuple[str, ...]) -> Bound:
        return _settled_by(self.left.bind(columns), self.right.bind(columns), True)


def _settled_by(left: Bound, right: Bound, winner: bool) -> Bound:
    def value(row: Values) -> Value:
        sides = (left(row), right(row))
        if winner in sides:
            return winner
        return None if None in sides else not winner

    return value


@dataclass(frozen=True)
class Not(Expr):
    operand: Expr

    def parts(self) -> tuple[Expr, ...]:
        return (self.operand,)

    def sql(self, names: Mapping[str, str]) -> str:
        return f"(not {self.operand.sql(names)})"

    def bind(self, columns: tuple[str, ...]) -> Bound:
        operand = self.operand.bind(columns)

        def value(row: Values) -> Value:
            inner = operand(row)
            return None if inner is None else not inner

        return value


@dataclass(frozen=True)
class IsNull(Expr):
    operand: Expr
    negated: bool = False

    def parts(self) -> tuple[Expr, ...]:
        return (self.operand,)

    def sql(self, names: Mapping[str, str]) -> str:
        return f"({self.operand.sql(names)} is {'not ' * self.negated}null)"

    def bind(self, columns: tuple[str, ...]) -> Bound:
        operand = self.operand.bind(columns)
        return lambda row: (operand(row) is None) != self.negated


@dataclass(frozen=True)
class Case(Expr):
    """The first branch whose condition is true, else the default; written as IF when there is one branch."""

    branches: tuple[tuple[Expr, Expr], ...]
    default: Expr | None = None
    as_if: bool = False

    def parts(self) -> tuple[Expr, ...]:
        inner = tuple(part for branch in self.branches for part in branch)
        return inner if self.default is None else (*inner, self.default)

    def sql(self, names: Mapping[str, str]) -> str:
        if self.as_if and len(self.branches) == 1 and self.default is not None:
            ((condition, value),) = self.branches
            return f"if({condition.sql(names)}, {value.sql(names)}, {self.default.sql(names)})"
        whens = " ".join(f"when {when.sql(names)} then {then.sql(names)}" for when, then in self.branches)
        default = "" if self.default is None else f" else {self.default.sql(names)}"
        return f"case {whens}{default} end"

    def bind(self, columns: tuple[str, ...]) -> Bound:
        branches = [(when.bind(columns), then.bind(columns)) for when, then in self.branches]
        default = None if self.default is None else self.default.bind(columns)

        def value(row: Values) -> Value:
            for when, then in branches:
                if when(row) is True:
                    return then(row)
            return None if default is None else default(row)

        return value


@dataclass(frozen=True)
class Coalesce(Expr):
    operands: tuple[Expr, ...]

    def parts(self) -> tuple[Expr, ...]:
        return self.operands

    def sql(self, names: Mapping[str, str]) -> str:
        return f"coalesce({', '.join(operand.sql(names) for operand in self.operands)})"

    def bind(self, columns: tuple[str, ...]) -> Bound:
        operands = [operand.bind(columns) for operand in self.operands]

        def value(row: Values) -> Value:
            return next((found for operand in operands if (found := operand(row)) is not None), None)

        return value
