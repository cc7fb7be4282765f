from __future__ import annotations

from datetime import datetime, time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.loading.reading import places, types
from whence.loading import load_path
from whence.loading.load import How
from whence.loading.read_parquet import read_parquet
from whence.model.errors import BadInput
from whence.store.doctor import doctor
from whence.store.store import Store


def test_a_parquet_file_keeps_its_types_and_values(store: Store, tmp_path: Path) -> None:
    table = pa.table({"a": pa.array([1, None], pa.int32()), "b": [["x"], []], "A": [1.5, 2.5]})
    pq.write_table(table, tmp_path / "t.data")
    record = load_path(store, tmp_path / "t.data", "t", How(key="a"))
    assert [(field.name, field.type) for field in record.schema] == [
        ("a", "int"),
        ("b", "array<string>"),
        ("A_2", "double"),
    ]
    assert store.read(record, 0, 2).to_pydict() == {"a": [1, None], "b": [["x"], []], "A_2": [1.5, 2.5]}
    messages = [caveat.message for caveat in store.caveats(record)]
    assert messages == ["The name 'A' cannot be used; the column is A_2.", "The key a is missing in row 1."]
    assert doctor(store) == []


def test_times_finer_than_a_microsecond_are_named_and_times_of_day_are_text(tmp_path: Path) -> None:
    fine = pa.array([1_000, 1_001, None], pa.timestamp("ns"))
    pq.write_table(pa.table({"t": fine, "d": [time(10, 20), None, time(0)]}), tmp_path / "t.parquet")
    loaded = read_parquet(tmp_path / "t.parquet")
    assert types(loaded) == {"t": "timestamp_ntz", "d": "string"}
    assert loaded.table["t"].to_pylist() == [datetime(1970, 1, 1, 0, 0, 0, 1), None, None]
    assert loaded.table["d"].to_pylist() == ["10:20:00.000000", None, "00:00:00.000000"]
    assert places(loaded) == [
        ("too fine", 1, "t", "1970-01-01 00:00:00.000001001"),
        ("time of day", None, "d", None),
    ]


def test_a_cut_parquet_file_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "t.parquet")
    data = (tmp_path / "t.parquet").read_bytes()
    (tmp_path / "t.parquet").write_bytes(data[:-5])
    with pytest.raises(BadInput, match="cannot be read"):
        read_parquet(tmp_path / "t.parquet")
