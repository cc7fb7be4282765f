"""What the value of an expression stands on: which of its parts give the value, and which only decide about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import add, mul, sub

from whence.plan.expr import CONSTANT, Expr
from whence.plan.grounds import (
    NOTHING,
    OF_ROWS,
    WRITTEN,
    ColumnGrounds,
    Ground,
    Grounds,
    Read,
    as_written,
    combine,
    is_code,
    merge,
)

_SUMS = frozenset({"sum", "average"})
_COUNTS = frozenset({"count", "countif", "hyperloglogplusplus", "regrcount"})
_SAME_VALUE = frozenset(
    {"cast", "trycast", "promoteprecision", "checkoverflow", "knownnotnull", "nvl", "nvl2", "nullif", "decode"}
)
"""Calls that show the value of their only argument; Spark reads NVL and its kin as calls of a CASE."""
_LOOKUPS = frozenset({"getmapvalue", "elementat", "getarrayitem", "getarraystructfields"})
"""Calls that take a part of their first argument; the others say which."""
_PAIRS = frozenset({"createmap", "createnamedstruct"})
_ROW_READS = frozenset({"lag", "lead", "nthvalue"})
_ARITHMETIC: Mapping[str, Callable[[float, float], float]] = {"add": add, "subtract": sub, "multiply": mul}
_MOST_VALUES = 64
_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal")


def ground_columns(exprs: Sequence[Expr], child: Grounds) -> Grounds:
    """The grounds of columns that are computed from each row by itself."""
    return _outputs(exprs, child, is_grouped=False)


def ground_groups(exprs: Sequence[Expr], child: Grounds) -> Grounds:
    """The grounds of columns that are computed from several rows, in which written rows may be."""
    return _outputs(exprs, child, is_grouped=True)


def add_columns(exprs: Sequence[Expr], child: Grounds) -> Grounds:
    """The grounds of the same rows with more columns, which may be computed from several rows."""
    made = ground_groups(exprs, child)
    return child.with_columns(made.data or {}, made.written or {})


def is_number(type_name: str) -> bool:
    """Whether values of this type are numbers."""
    return type_name.startswith(_NUMBERS) and not type_name.startswith("interval")


def _outputs(exprs: Sequence[Expr], child: Grounds, *, is_grouped: bool) -> Grounds:
    data, written = child.data, child.written
    made_of_data = made_of_written = None
    if data is not None:
        # Padded rows have a key of their own side, and so mostly a group of their own: no reason to warn in others.
        reader = _GroundReader(data, written if is_grouped and not child.is_padded else None)
        made_of_data = {each.output.id: reader.of(each) for each in exprs}
    if written is not None:
        inside = _GroundReader(written)
        made_of_written = {each.output.id: as_written(inside.of(each)) for each in exprs}
    return Grounds(made_of_data, made_of_written, child.is_padded)


@dataclass(frozen=True)
class _GroundReader:
    """Reads expressions over columns of one kind of rows; `written` are the columns of written rows in its groups."""

    columns: ColumnGrounds
    written: ColumnGrounds | None = None

    def of(self, expr: Expr) -> Ground:
        """The ground of an expression."""
        match expr.kind:
            case "alias" | "caveat":
                return self.of(expr.args[0])
            case "column":
                return self.columns.get(expr.output.id, OF_ROWS)
            case "literal":
                return _of_literal(expr)
            case "case" | "if" | "coalesce":
                return self._of_choice(expr)
            case "aggregate":
                return self._of_aggregate(expr)
            case "window":
                return self._of_window(expr.args[0])
            case "opaque" | "question":
                return OF_ROWS
        return self._of_call(expr)

    def _of_call(self, expr: Expr) -> Ground:
        if not expr.args or not expr.is_deterministic:
            return OF_ROWS  # the time, a random number, a function of the user's: not data, but not written either
        if expr.name in _SAME_VALUE and len(expr.args) == 1:
            return self.of(expr.args[0])
        if expr.name in _LOOKUPS:
            return self.of(expr.args[0])
        if expr.name in _PAIRS:
            return merge(map(self.of, expr.args[1::2]))
        if expr.name == "createarray":
            return merge(map(self.of, expr.args))
        if expr.name == "unaryminus":
            ground = self.of(expr.args[0])
            return replace(ground, written=frozenset(None if each is None else -each for each in ground.written))
        return self._of_arguments(expr)

    def _of_arguments(self, expr: Expr) -> Ground:
        parts = [self.of(arg) for arg in expr.args]
        ground, compute = combine(parts), _ARITHMETIC.get(expr.name)
        if compute is None or len(parts) != 2 or ground.is_mixed or not ground.written:
            return ground
        return replace(ground, written=_fold(compute, parts[0].written, parts[1].written))

    def _of_choice(self, expr: Expr) -> Ground:
        conditions, values = _parts(expr)
        ground = merge(map(self.of, values))
        if not ground.alternatives:
            # Grouping sets are read as a choice by the number of a copy: such constants are not the user's.
            is_internal = any(column.is_internal for condition in conditions for column in condition.columns)
            return OF_ROWS if is_internal and ground.written else ground
        # `case when x > 100 then 100 else x end` limits x: the constant is a threshold of its condition.
        nodes = (node for condition in conditions for node in condition.walk() if node.kind == "literal")
        thresholds = {each for node in nodes for each in _of_literal(node).written}
        defaults = _replaced(*map(self.of, values)) if expr.kind == "coalesce" and len(values) == 2 else frozenset()
        return replace(ground, written=ground.written - thresholds, defaults=defaults)

    def _of_aggregate(self, expr: Expr) -> Ground:
        if expr.value == CONSTANT:
            return self.of(expr.args[0])
        own = self.over_rows(expr)
        if self.written is None or _GroundReader(self.written).over_rows(expr) == NOTHING:
            return own
        return replace(merge((own, WRITTEN)), is_mixed=bool(own.alternatives))

    def over_rows(self, expr: Expr) -> Ground:
        """The ground of an aggregate over rows of this kind only."""
        ground = combine(map(self.of, expr.args))
        if ground.alternatives:
            # A default beside data, as in sum(coalesce(x, 30)), is no ground of its own: NULLs tell if it was taken.
            written = WRITTEN.written if ground.is_mixed else frozenset[float | None]()
            return Ground(ground.alternatives, written, True, ground.is_mixed, self._defaults(expr))
        values = merge(map(self.of, expr.args)).written
        if expr.name in _COUNTS or (values and is_code(values)):
            return replace(OF_ROWS, is_aggregated=True)
        return replace(ground, is_aggregated=True) if ground.written else NOTHING

    def _defaults(self, expr: Expr) -> frozenset[Read]:
        """The columns whose NULLs count as a constant in a sum or an average, as x in sum(coalesce(x, 30))."""
        is_added_up = expr.name in _SUMS and expr.condition is None and len(expr.args) == 1
        return self.of(expr.args[0]).defaults if is_added_up else frozenset()

    def _of_window(self, function: Expr) -> Ground:
        if function.kind == "aggregate":
            return self._of_aggregate(function)
        return self.of(function.args[0]) if function.name in _ROW_READS else OF_ROWS


def _replaced(value: Ground, default: Ground) -> frozenset[Read]:
    """The column in place of whose NULLs a constant is taken; none if the constant says that nothing was there."""
    is_column = len(value.alternatives) == 1 and not value.written and not value.is_aggregated
    has_numbers = not default.alternatives and None not in default.written
    reads = next(iter(value.alternatives)) if is_column else frozenset[Read]()
    # Of x + y the NULL may be in either.
    return reads if len(reads) == 1 and has_numbers and default.written - {-1.0, 0.0, 1.0} else frozenset()


def _fold(
    compute: Callable[[float, float], float], one: frozenset[float | None], other: frozenset[float | None]
) -> frozenset[float | None]:
    """The results of arithmetic on constants, where all are known and not too many."""
    pairs = [(left, right) for left, right in product(one, other) if left is not None and right is not None]
    is_known = len(pairs) == len(one) * len(other) <= _MOST_VALUES
    return frozenset(compute(*pair) for pair in pairs) if is_known else WRITTEN.written


def _of_literal(expr: Expr) -> Ground:
    if expr.value is None:
        return NOTHING
    if not is_number(expr.type):
        return WRITTEN
    try:
        return Ground(written=frozenset({float(str(expr.value))}))
    except ValueError:
        return WRITTEN


def _parts(expr: Expr) -> tuple[Sequence[Expr], Sequence[Expr]]:
    """The conditions of a choice, and the values it chooses from."""
    if expr.kind == "coalesce":
        return (), expr.args
    if expr.kind == "if":
        return expr.args[:1], expr.args[1:]
    pairs = len(expr.args) // 2 * 2
    return expr.args[:pairs:2], (*expr.args[1:pairs:2], *expr.args[pairs:])
