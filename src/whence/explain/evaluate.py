"""Evaluate scalar formulas over Arrow columns as Spark would. A function without a rule raises NotSupported."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc

from whence.model.errors import NotSupported
from whence.plan.formula import Formula
from whence.plan.formula_document import arguments, walk

Read = Callable[[int, str], pa.Array]
"""Function that returns a column of a source, with one entry for each row of the aggregate's input."""

_TYPES = {
    "double": pa.float64(),
    "float": pa.float64(),
    "long": pa.int64(),
    "bigint": pa.int64(),
    "integer": pa.int64(),
    "int": pa.int64(),
    "short": pa.int64(),
    "smallint": pa.int64(),
    "string": pa.string(),
    "boolean": pa.bool_(),
}

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": pc.add,
    "subtract": pc.subtract,
    "multiply": pc.multiply,
    # As in Spark, / divides doubles, and a division by zero gives NULL.
    "divide": lambda x, y: pc.divide(pc.cast(x, pa.float64()), _not_zero(pc.cast(y, pa.float64()))),
    "unaryminus": pc.negate,
    "abs": pc.abs,
    "equalto": pc.equal,
    "lessthan": pc.less,
    "lessthanorequal": pc.less_equal,
    "greaterthan": pc.greater,
    "greaterthanorequal": pc.greater_equal,
    "and": pc.and_kleene,
    "or": pc.or_kleene,
    "not": pc.invert,
    "isnull": pc.is_null,
    "isnotnull": pc.is_valid,
    # SQL takes the ELSE branch where the condition is NULL. Arrow would return NULL.
    "if": lambda condition, then, other: pc.if_else(pc.fill_null(condition, False), then, other),
    "coalesce": pc.coalesce,
    "upper": pc.utf8_upper,
    "lower": pc.utf8_lower,
}


def evaluate(formula: Formula, read: Read) -> Any:  # noqa: ANN401 - an Arrow array or scalar; Arrow ships no types
    """Return the value of a scalar formula for every row, as an Arrow array or scalar."""
    known: dict[int, Any] = {}
    for node in walk(formula):  # each once, however many others read it
        known[id(node)] = _evaluate_node(node, [known[id(each)] for each in arguments(node)], read)
    return known[id(formula)]


def _evaluate_node(formula: Formula, args: list[Any], read: Read) -> Any:  # noqa: ANN401
    kind = formula["kind"]
    if kind == "column":
        return _double(read(cast(int, formula["source"]), str(formula["column"])))
    if kind == "literal":
        return _literal(formula)
    if kind == "unknown":
        raise NotSupported(f"The measure cannot be computed again: it reads {formula['why']}.", _HINT)
    name = str(formula["name"])
    if name == "cast":
        return _cast(args[0], formula)
    if name == "casewhen":
        return _case(args)
    if name == "in":
        return pc.is_in(args[0], pa.array([arg.as_py() for arg in args[1:]], args[0].type))
    if name not in _FUNCTIONS:
        raise NotSupported(f"The measure cannot be computed again: it uses the function {name}.", _HINT)
    return _FUNCTIONS[name](*args)


_HINT = "Keep the query below the aggregate as a dataset of its own, and aggregate that."


def _double(array: pa.Array) -> pa.Array:
    """Widen decimals and floats to doubles, and all integers to 64 bits: measures become doubles in the end."""
    if pa.types.is_decimal(array.type) or pa.types.is_floating(array.type):
        return pc.cast(array, pa.float64(), safe=False)
    return pc.cast(array, pa.int64()) if pa.types.is_integer(array.type) else array


def _literal(formula: Formula) -> pa.Scalar:
    kind, value = str(formula["type"]), formula["value"]
    # The result becomes a double in any case.
    if kind.startswith("decimal"):
        kind = "double"
    if kind not in _TYPES:
        raise NotSupported(f"The measure cannot be computed again: it has a literal of type {kind}.", _HINT)
    wanted = _TYPES[kind]
    if value is not None and wanted == pa.float64():
        value = float(str(value))
    return pa.scalar(value, wanted)


def _cast(value: Any, formula: Formula) -> Any:  # noqa: ANN401
    target = json.loads(str(formula["fields"]))["dataType"]
    if isinstance(target, str) and target.startswith("decimal"):
        target = "double"
    if not isinstance(target, str) or target not in _TYPES:
        raise NotSupported(f"The measure cannot be computed again: it has a cast to {target}.", _HINT)
    if pa.types.is_floating(value.type) and pa.types.is_integer(_TYPES[target]):
        # Spark cuts off decimals when it casts to an integer.
        value = pc.trunc(value)
    return pc.cast(value, _TYPES[target], safe=False)


def _case(args: Sequence[Any]) -> Any:  # noqa: ANN401
    """Evaluate (WHEN, THEN) pairs from the last to the first, starting from ELSE."""
    pairs, odd = divmod(len(args), 2)
    value = args[-1] if odd else pa.scalar(None, args[1].type)
    for number in reversed(range(pairs)):
        value = _FUNCTIONS["if"](args[2 * number], args[2 * number + 1], value)
    return value


def _not_zero(value: Any) -> Any:  # noqa: ANN401
    """Replace zeros by NULL."""
    return pc.if_else(pc.equal(value, 0.0), pa.scalar(None, pa.float64()), value)
