"""Random tables of every type that can be stored, with nulls, NaN, infinities and repeats, for tests with an oracle."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pyarrow as pa

WORDS = ["", "a", "A", "ab", "b", "fig", "figs", "é", "z", "日本", "a%b", "\x00"]
NUMBERS = [0.0, -0.0, 1.5, -2.25, 1e300, -1e300, 5e-324, float("inf"), float("-inf"), float("nan"), 7.0]
DAY = date(2024, 2, 28)
MOMENT = datetime(2024, 2, 28, 12, 30, 15, 250, tzinfo=UTC)

TYPES: dict[str, pa.DataType] = {
    "small": pa.int8(),
    "long": pa.int64(),
    "real": pa.float64(),
    "single": pa.float32(),
    "money": pa.decimal128(12, 2),
    "flag": pa.bool_(),
    "word": pa.string(),
    "bytes": pa.binary(),
    "day": pa.date32(),
    "moment": pa.timestamp("us", "UTC"),
    "local": pa.timestamp("us"),
}


def random_value(source: random.Random, column: str) -> object:
    moment = MOMENT + timedelta(seconds=source.choice([0, 1, 86_400, -(10**9)]))
    values: dict[str, object] = {
        "small": source.randint(-128, 127),
        "long": source.choice([0, -1, 2**63 - 1, -(2**63), 12]),
        "real": source.choice(NUMBERS),
        "single": source.choice([0.0, -0.0, 1.5, -2.25, 7.0, *NUMBERS[7:10]]),
        "money": Decimal(source.randint(-300, 300)) / 100,
        "flag": source.random() < 0.5,
        "word": source.choice(WORDS),
        "bytes": source.choice(WORDS).encode(),
        "day": DAY + timedelta(days=source.randint(-2, 2)),
        "moment": moment,
        "local": moment.replace(tzinfo=None),
    }
    return values[column]


def random_table(source: random.Random, rows: int) -> pa.Table:
    """A table with a column of each type; every third column is null often, every fourth never."""
    columns = {}
    for number, (column, kind) in enumerate(TYPES.items()):
        share = (0.1, 0.5, 0.2, 0.0)[number % 4]
        values = [None if source.random() < share else random_value(source, column) for _ in range(rows)]
        columns[column] = pa.array(values, kind)
    return pa.table(columns)
