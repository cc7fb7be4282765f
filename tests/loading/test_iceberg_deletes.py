"""Rows that Iceberg tables delete, in any of three ways, and the row ids of format 3.

The oracle is plain Python where pyiceberg does not read what was deleted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import whence
from tests.loading.iceberg_tables import by_pyiceberg, loaded_rows
from tests.loading.iceberg_writer import IcebergWriter
from whence.loading import load_path
from whence.loading.load import LoadRequest
from whence.model.errors import BadInput
from whence.model.schema import TABLE_ROW_COLUMN
from whence.store.doctor import doctor
from whence.store.store import Store

pytest.importorskip("pyiceberg")
if TYPE_CHECKING:
    pass


def test_deleted_rows_are_left_out_whichever_way_they_were_deleted(store: Store, tmp_path: Path) -> None:
    from pyiceberg.table import StaticTable

    writer = IcebergWriter(tmp_path / "t", {"n": "long", "s": "string"})

    def data(name: str, *numbers: int | None) -> dict[str, Any]:
        return writer.rows(name, pa.table({"n": pa.array(numbers, pa.int64()), "s": [f"{name}{n}" for n in numbers]}))

    def loaded_numbers(**request: Any) -> list[int | None]:  # noqa: ANN401
        record = load_path(store, tmp_path / "t", "t", LoadRequest(**request))
        numbers: list[int | None] = store.read(record, 0, 99).column("n").to_pylist()
        return numbers

    writer.commit(data("a", 0, 1, 2, 3, None, 5), data("b", 0, 1, 2))
    by_place = writer.commit(writer.positions("p", [("a", 1), ("b", 2), ("a", 5)]))
    assert loaded_numbers() == [0, 2, 3, None, 0, 1]
    expected = by_pyiceberg(StaticTable.from_metadata(str(tmp_path / "t")))
    assert loaded_rows(store, tmp_path / "t") == expected
    # Deletes by value are about older files only; NULL is a value.
    deleted = pa.table({"n": pa.array([2, None], pa.int64())})
    writer.commit(writer.values("v", deleted), data("c", 1, 2, None))
    assert loaded_numbers() == [0, 3, 0, 1, 1, 2, None]
    # Of two columns both must be equal.
    pairs = pa.table({"n": pa.array([0, 1], pa.int64()), "s": ["a0", "c2"]})
    writer.commit(writer.values("w", pairs))
    assert loaded_numbers() == [3, 0, 1, 1, 2, None]
    # A position is about a file of the same commit, too.
    writer.commit(data("d", 7, 8), writer.positions("q", [("d", 0)]))
    assert loaded_numbers() == [3, 0, 1, 1, 2, None, 8]
    assert loaded_numbers(version=by_place) == [0, 2, 3, None, 0, 1]
    with pytest.raises(BadInput, match="cannot be read where they lie: rows of its files were deleted"):
        loaded_numbers(in_place=True)


def test_deletes_by_value_hold_for_random_tables(store: Store, tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    for number in range(12):
        folder = tmp_path / f"t{number}"
        writer = IcebergWriter(folder, {"a": "int", "b": "string", "row": "int"})
        live: dict[int, tuple[int | None, str | None]] = {}
        for commit in range(5):
            rows = {len(live) + 1000 * commit + n: random_pair(random) for n in range(random.integers(1, 30))}
            columns = [name for name in ("a", "b") if random.integers(2)] or ["a", "b"]
            gone = [random_pair(random) for _ in range(3)]
            places = [("a", "b").index(each) for each in columns]
            deletes = {tuple(pair[place] for place in places) for pair in gone}
            live = {row: pair for row, pair in live.items() if tuple(pair[p] for p in places) not in deletes} | rows
            kinds = {"a": pa.int32(), "b": pa.string()}
            gone_table = {
                each: pa.array([pair[p] for pair in gone], kinds[each]) for each, p in zip(columns, places, strict=True)
            }
            data = {
                "a": pa.array([a for a, _ in rows.values()], pa.int32()),
                "b": pa.array([b for _, b in rows.values()], pa.string()),
                "row": pa.array(list(rows), pa.int32()),
            }  # fmt: skip
            writer.commit(writer.rows(f"d{commit}", pa.table(data)), writer.values(f"v{commit}", pa.table(gone_table)))
            record = load_path(store, folder, "t")
            assert store.read(record, 0, 999).column("row").to_pylist() == list(live)


def random_pair(random: np.random.Generator) -> tuple[int | None, str | None]:
    return [None, 1, 2, 3][random.integers(4)], [None, "x", "y", ""][random.integers(4)]


def test_deletion_vectors_and_row_ids_of_format_3(ws: whence.Workspace, tmp_path: Path) -> None:
    writer = IcebergWriter(tmp_path / "t", {"k": "long", "x": "string"}, version=3)

    def rows(name: str, keys: Sequence[int], texts: Sequence[str]) -> dict[str, Any]:
        return writer.rows(name, pa.table({"k": list(keys), "x": list(texts)}))

    writer.commit(rows("a", [1, 1, 1], ["p", "q", "r"]), rows("b", [1, 1], ["p", "p"]))
    first = ws.load(tmp_path / "t")
    assert first.columns == ["k", "x"]
    writer.commit(writer.vector("v", "a", [1]), rows("c", [1], ["new"]))
    second = ws.load(tmp_path / "t")
    assert second.to_arrow().to_pydict() == {"k": [1, 1, 1, 1, 1], "x": ["p", "r", "p", "p", "new"]}
    difference = ws.diff("t@1", "t@2")
    assert [each.to_arrow().to_pylist() for each in (difference.added, difference.removed)] == [
        [{"k": 1, "x": "new"}],
        [{"k": 1, "x": "q"}],
    ]
    doubted = second.caveat([3], "x", "who knows")
    marks = doubted.caveats.marks().column("x").to_pylist()
    # Spark reads several files in no promised order; lineage says which row is marked.
    assert doubted.lineage.backward([marks.index(True)], to=second).ids.tolist() == [3]
    assert marks.count(True) == 1
    # A compaction writes the numbers of the rows into the new file; one of them gets another value meanwhile.
    ids = {"k": 1, "x": 2, "_row_id": 2147483540}
    table = pa.table({"k": [1, 1, 1, 1, 1], "x": ["p", "new", "P", "r", "p"], "_row_id": [4, 5, 0, 2, 3]})
    writer.commit(writer.rows("compacted", table, ids), without=["a", "b", "c", "v"])
    third = ws.reload("t")
    assert third.to_arrow().column("x").to_pylist() == ["p", "new", "P", "r", "p"]
    assert [(each.column, each.before, each.after) for each in ws.diff("t@2", "t").changed] == [("x", "p", "P")]
    # Two rows are equal in every column, and the caveat is about the same one of them.
    assert third.caveats.marks().column("x").to_pylist() == [True, False, False, False, False]
    out = ws.sql("select x from t where k = 1 and x = 'P'", name="out")
    assert out.lineage.backward([0], to=third).ids.tolist() == [2]
    keyed = ws.load(tmp_path / "t", name="keyed", key="x")
    assert keyed.load_report is not None
    assert keyed.load_report.key == "x"


def test_row_ids_are_inherited_from_the_manifest(store: Store, tmp_path: Path) -> None:
    writer = IcebergWriter(tmp_path / "t", {"n": "long"}, version=3)
    writer.commit(*(writer.rows(f"f{n}", pa.table({"n": [n] * 2})) for n in range(3)))
    writer.commit(writer.rows("g", pa.table({"n": [9]})), without=["f1"])
    record = load_path(store, tmp_path / "t", "t")
    found = store.read(record, 0, 9, ["n", TABLE_ROW_COLUMN]).to_pydict()
    assert found == {"n": [0, 0, 2, 2, 9], TABLE_ROW_COLUMN: [0, 1, 4, 5, 6]}
    assert doctor(store) == []
