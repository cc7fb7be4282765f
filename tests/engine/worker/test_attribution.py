"""What single inputs make is enough to say which of them made each row, or that nothing does."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyspark.sql.types import (
    ArrayType,
    DoubleType,
    IntegerType,
    StringType,
    StructField,
    StructType,
)

from whence.engine.worker.attribution import attribute_rows
from whence.engine.worker.comparable_rows import comparable_rows
from whence.engine.worker.single_rows import single_rows

RETURNED = StructType(
    [
        StructField("n", IntegerType()),
        StructField("x", DoubleType()),
        StructField("s", StringType()),
        StructField("a", ArrayType(IntegerType())),
    ]
)


def test_each_row_goes_to_an_input_that_makes_it() -> None:
    chance = random.Random(7)
    for _ in range(500):
        alone = [[chance.randrange(3) for _ in range(chance.randrange(3))] for _ in range(chance.randrange(5))]
        result = [row for rows in alone for row in rows]
        chance.shuffle(result)
        if chance.random() < 0.5 and result:
            result[0] = chance.randrange(4)
        found = attribute_rows(result, alone)
        assert (found is None) == (Counter(result) != Counter(row for rows in alone for row in rows))
        if found is not None:
            made = [
                Counter(row for row, maker in zip(result, found, strict=True) if maker == n) for n in range(len(alone))
            ]
            assert made == list(map(Counter, alone))


def frame(**values: object) -> pd.DataFrame:
    given = {"n": 1, "x": 1.0, "s": "1", "a": [1], **values}
    return pd.DataFrame({name: pd.Series([value], dtype=object) for name, value in given.items()})


SAME = [
    (frame(n=1.0), frame(n=np.int8(1))),
    (frame(x=1), frame(x=np.float32(1))),
    (frame(x=None), frame(x=float("nan"))),
    (frame(n=None), frame(n=pd.NA)),
    (frame(s="é"), frame(s=np.str_("é"))),
    (frame()[["s", "a", "x", "n"]], frame()),
    (frame().set_axis(range(4), axis=1), frame()),
]
DIFFERENT = [
    (frame(n=1), frame(n=2)),
    (frame(x=0.0), frame(x=-0.0)),
    (frame(x=0.1 + 0.2), frame(x=0.3)),
    (frame(s=1), frame(s=1.0)),
    (frame(s="1"), frame(s=1)),
    (frame(s=True), frame(s=1)),
    (frame(a=[1]), frame(a=[1.0])),
    (frame(a=[1]), frame(a=[1, None])),
    (frame(a=None), frame(a=[])),
    (frame(s=Decimal("1.0")), frame(s=Decimal("1.00"))),
    (frame(s=date(2024, 1, 1)), frame(s="2024-01-01")),
    (frame(n=2**62), frame(n=2**62 + 1)),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_rows_that_spark_stores_alike_are_equal(one: pd.DataFrame, other: pd.DataFrame) -> None:
    assert comparable_rows([one], RETURNED) == comparable_rows([other], RETURNED)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_rows_that_spark_might_store_otherwise_are_not_equal(one: pd.DataFrame, other: pd.DataFrame) -> None:
    assert comparable_rows([one], RETURNED) != comparable_rows([other], RETURNED)


def test_in_arrow_nan_is_a_value_and_null_is_none() -> None:
    schema = StructType([StructField("x", DoubleType())])
    batch = pa.RecordBatch.from_arrays([pa.array([None, float("nan"), float("nan"), 1.0])], names=["x"])
    missing, first, second, one = comparable_rows([batch], schema)
    assert first == second
    assert len({missing, first, one}) == 3


def test_a_row_alone_looks_as_if_no_other_had_been_there() -> None:
    together = pa.table(
        {
            "n": pa.array([1, None], pa.int32()),
            "b": pa.array([None, True]),
            "x": pa.array([0.5, None]),
            "s": ["a", None],
            "a": pa.array([[1, None], [2]], pa.list_(pa.int32())),
        }
    )
    types = ["int", "boolean", "double", "string", "array<int>"]
    for number, alone in enumerate(single_rows(together.to_pandas(), types)):
        pd.testing.assert_frame_equal(alone, together.slice(number, 1).to_pandas())
