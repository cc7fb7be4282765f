from __future__ import annotations

import subprocess
import sys
from datetime import datetime, time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from whence.loading import load_path
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.loading.parquet_file import ParquetTable
from whence.loading.read_typed import read_typed
from whence.model.errors import BadInput
from whence.store.doctor import doctor
from whence.store.store import Store


def test_a_parquet_file_keeps_its_types_and_values(store: Store, tmp_path: Path) -> None:
    table = pa.table({"a": pa.array([1, None], pa.int32()), "b": [["x"], []], "A": [1.5, 2.5]})
    pq.write_table(table, tmp_path / "t.data")
    record = load_path(store, tmp_path / "t.data", "t", LoadRequest(key="a"))
    assert [(field.name, field.type) for field in record.schema] == [
        ("a", "int"),
        ("b", "array<string>"),
        ("A_2", "double"),
    ]
    assert store.read(record, 0, 2).to_pydict() == {"a": [1, None], "b": [["x"], []], "A_2": [1.5, 2.5]}
    messages = [caveat.message for caveat in store.caveats(record)]
    assert messages == ["The name 'A' cannot be used; the column is A_2.", "The key a is missing in row 1."]
    assert doctor(store) == []


def test_times_finer_than_a_microsecond_are_named_and_times_of_day_are_text(store: Store, tmp_path: Path) -> None:
    fine = pa.array([1_000, 1_001, None], pa.timestamp("ns"))
    pq.write_table(pa.table({"t": fine, "d": [time(10, 20), None, time(0)]}), tmp_path / "t.parquet")
    record = load_path(store, tmp_path / "t.parquet", "t")
    assert [field.type for field in record.schema] == ["timestamp_ntz", "string"]
    rows = store.read(record, 0, 3)
    assert rows["t"].to_pylist() == [datetime(1970, 1, 1, 0, 0, 0, 1), None, None]
    assert rows["d"].to_pylist() == ["10:20:00.000000", None, "00:00:00.000000"]
    assert store.flags(record)["t"].to_pylist() == [False, True, False]
    assert [(caveat.row, caveat.column, caveat.text) for caveat in store.caveats(record)] == [
        (None, "d", None),
        (1, "t", "1970-01-01 00:00:00.000001001"),
    ]


def test_a_cut_parquet_file_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "t.parquet")
    data = (tmp_path / "t.parquet").read_bytes()
    (tmp_path / "t.parquet").write_bytes(data[:-5])
    with pytest.raises(BadInput, match="cannot be read"):
        read_typed(ParquetTable(tmp_path / "t.parquet"), tmp_path / "parts")


def test_a_file_of_many_batches_comes_out_row_by_row(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whence.loading.parquet_file.BATCH", 7)
    monkeypatch.setattr("whence.loading.read_typed.ROWS_PER_PART", 20)
    ids = [*range(50), 3, None]
    pq.write_table(
        pa.table({"id": ids, "code": [f"0{n}" for n in range(52)]}), tmp_path / "t.parquet", row_group_size=9
    )
    how = LoadRequest(key="id", options=Options(types={"code": "bigint", "id": "string"}))
    record = load_path(store, tmp_path / "t.parquet", "t", how)
    assert len(store.manifest(record).parts) == 3
    rows = store.read(record, 0, 52)
    assert rows["code"].to_pylist() == list(range(52))
    assert rows["id"].to_pylist() == [None if value is None else str(value) for value in ids]
    assert np.flatnonzero(store.flags(record)["id"]).tolist() == [50, 51]
    messages = [caveat.message for caveat in store.caveats(record)]
    assert messages == ["The key id in row 50 is 3, as in row 3.", "The key id is missing in row 51."]
    assert doctor(store) == []


def test_a_value_that_is_not_of_the_wanted_type_is_a_problem_with_its_text(store: Store, tmp_path: Path) -> None:
    pq.write_table(pa.table({"n": ["1", "x", None, "3"]}), tmp_path / "t.parquet")
    record = load_path(store, tmp_path / "t.parquet", "t", LoadRequest(options=Options(types={"n": "int"})))
    assert store.read(record, 0, 4)["n"].to_pylist() == [1, None, None, 3]
    assert [(caveat.row, caveat.text) for caveat in store.caveats(record)] == [(1, "x")]
    assert store.flags(record)["n"].to_pylist() == [False, True, False, False]


def test_a_large_file_is_never_whole_in_memory(tmp_path: Path) -> None:
    """In a process of its own, whose highest use of memory is looked at."""
    rows = 1 << 16
    with pq.ParquetWriter(tmp_path / "t.parquet", pa.schema([(f"c{n}", pa.int64()) for n in range(4)])) as writer:
        for number in range(64):
            noise = np.random.default_rng(number).integers(0, 1 << 62, (4, rows))
            writer.write_table(pa.table({f"c{n}": noise[n] for n in range(4)}))
    code = (
        "import sys, pathlib\n"
        "import pyarrow as pa\n"
        "from whence.loading.parquet_file import ParquetTable\n"
        "from whence.loading.read_typed import read_typed\n"
        "read_typed(ParquetTable(pathlib.Path(sys.argv[1])), pathlib.Path(sys.argv[2]))\n"
        "print(pa.default_memory_pool().max_memory())\n"
    )
    arguments = [sys.executable, "-c", code, str(tmp_path / "t.parquet"), str(tmp_path / "parts")]
    grown = int(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)
    whole = 64 * rows * 4 * 8
    assert grown < whole / 4, f"{grown / 2**20:.0f} MB for {whole / 2**20:.0f} MB of values"
