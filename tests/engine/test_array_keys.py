"""Rows are told apart by their keys as a dictionary of plain Python tells them."""

from __future__ import annotations

import math
import random

import numpy as np
import pyarrow as pa
import pytest

from whence.engine.array_expressions import ArrayExpressions
from whence.engine.array_keys import KeyColumns, find_step
from whence.engine.array_values import Array, ArrayValues
from whence.plan.expr import Column, Expr, call, literal, ref

NUMBER, OTHER = Column(1, "number", "double"), Column(2, "other", "bigint")
TEXT, FLAG = Column(3, "text", "string"), Column(4, "flag", "boolean")
ROWS = 3_000


def bin_of(column: Column, width: float) -> Expr:
    return call("floor", call("divide", ref(column), literal(width, "double")))


def edge(column: Column, width: float, step: int = 0) -> Expr:
    whole = call("add", bin_of(column, width), literal(step, "bigint"))
    return call("multiply", Expr("call", (whole,), name="cast", type="double"), literal(width, "double"))


def columns(spread: int) -> tuple[list[float | None], list[int | None], list[str | None], list[bool | None]]:
    """Values with gaps, on both sides of zero."""
    chance = random.Random(spread)

    def some(value: object) -> object:
        return None if chance.random() < 0.05 else value

    rows = [
        (
            some(chance.uniform(-50, 50)),
            some(chance.randint(-spread, spread)),
            some(chance.choice(["a", "é", ""])),
            some(chance.random() < 0.5),
        )
        for _ in range(ROWS)
    ]
    return tuple(list(each) for each in zip(*rows, strict=True))  # type: ignore[return-value]


def arrays(values: list[object], kind: str) -> ArrayValues:
    if kind == "string":
        return ArrayValues(pa.chunked_array([pa.array(values, pa.string())]), kind)
    type_of = {"double": np.float64, "bigint": np.int64, "boolean": np.bool_}[kind]
    data: Array = np.array([0 if each is None else each for each in values], dtype=type_of)
    return ArrayValues(data, kind, np.array([each is not None for each in values]))


@pytest.mark.parametrize("spread", [3, 400, 10**12])
@pytest.mark.parametrize(
    "keys",
    [
        (edge(NUMBER, 7.5), edge(NUMBER, 7.5, 1)),
        (edge(NUMBER, 7.5), edge(NUMBER, 7.5, 1), ref(TEXT)),
        (ref(OTHER),),
        (ref(FLAG), ref(OTHER), ref(TEXT)),
        (edge(NUMBER, 20.0), ref(NUMBER), literal(3, "bigint")),
    ],
)
def test_combinations_are_those_of_a_dictionary(keys: tuple[Expr, ...], spread: int) -> None:
    numbers, others, texts, flags = columns(spread)
    given = ((NUMBER, numbers), (OTHER, others), (TEXT, texts), (FLAG, flags))
    values = ArrayExpressions({ref(column): arrays(list(each), column.type) for column, each in given})
    codes, combined = KeyColumns(keys).combine(values, ROWS)
    listed = [each.data.to_pylist() if isinstance(each.data, pa.ChunkedArray) else _listed(each) for each in combined]
    found = [tuple(each[code] for each in listed) for code in codes.tolist()]

    def plain(key: Expr, row: int) -> object:
        for column, each in given:
            if key == ref(column):
                return each[row]
        if key.kind == "literal":
            return key.value
        number, width = numbers[row], float(str(key.args[1].value))
        step = int(str(key.args[0].args[0].args[1].value))
        return None if number is None else (math.floor(number / width) + step) * width

    assert found == [tuple(plain(key, row) for key in keys) for row in range(ROWS)]


def _listed(values: ArrayValues) -> list[object]:
    return [value if there else None for value, there in zip(values.numbers.tolist(), values.is_valid, strict=True)]


def test_a_key_of_more_than_the_number_of_its_bin_is_no_step() -> None:
    assert find_step(edge(NUMBER, 2.0)) == bin_of(NUMBER, 2.0)
    assert find_step(call("add", edge(NUMBER, 2.0), ref(NUMBER))) is None
    assert find_step(ref(OTHER)) is None
