from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest

from tests.store.making import make
from whence.model.errors import BadInput, NotSupported
from whence.store.store import Store
from whence.store.types import spark_type, storable_type

NAMES = {
    "bigint": pa.int64(),
    "int": pa.int32(),
    "smallint": pa.int16(),
    "tinyint": pa.int8(),
    "double": pa.float64(),
    "float": pa.float32(),
    "boolean": pa.bool_(),
    "string": pa.string(),
    "binary": pa.binary(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", "UTC"),
    "timestamp_ntz": pa.timestamp("us"),
    "decimal(20,3)": pa.decimal128(20, 3),
    "array<struct<a:int,b:map<string,double>>>": pa.list_(
        pa.struct([("a", pa.int32()), ("b", pa.map_(pa.string(), pa.float64()))])
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_each_storable_type_has_sparks_name(name: str) -> None:
    assert spark_type(NAMES[name]) == name
    assert storable_type(NAMES[name]) == NAMES[name]


def test_other_types_are_widened_without_changing_a_value(store: Store) -> None:
    instant = datetime(2024, 5, 1, 12, tzinfo=UTC)
    table = pa.table(
        {
            "u": pa.array([2**64 - 1], pa.uint64()),
            "d": pa.array(["x"]).dictionary_encode(),
            "t": pa.array([instant], pa.timestamp("ns", "Europe/Paris")),
            "day": pa.array([date(2024, 5, 1)], pa.date64()),
            "l": pa.array([[1]], pa.large_list(pa.uint8())),
        }
    )
    record = make(store, "t", table)
    assert [field.type for field in record.schema] == [
        "decimal(20,0)",
        "string",
        "timestamp",
        "date",
        "array<smallint>",
    ]
    row = store.read(record, 0, 1).to_pylist()[0]
    assert row == {"u": Decimal(2**64 - 1), "d": "x", "t": instant, "day": date(2024, 5, 1), "l": [1]}


def test_a_value_that_would_change_is_refused(store: Store) -> None:
    with pytest.raises(BadInput, match="would change"):
        make(store, "t", pa.table({"t": pa.array([1], pa.timestamp("ns"))}))


def test_a_type_with_no_place_is_named_with_its_column(store: Store) -> None:
    with pytest.raises(NotSupported, match=r"Column wait: Values of type duration\[s\] cannot be stored"):
        make(store, "t", pa.table({"wait": pa.array([1], pa.duration("s"))}))
