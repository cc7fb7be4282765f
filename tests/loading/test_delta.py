"""Delta tables: one version is a pinned list of files, with everything the log says about them.

The oracle is deltalake's own engine, which reads the table by another way than its list of files.
"""

from __future__ import annotations

import base64
import json
import struct
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import whence
from tests.loading.table_rows import EVERY_TYPE, Row, by_number, in_order
from whence.loading import load_path, load_report
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.model.errors import BadInput, DamagedFile, UserError
from whence.store.doctor import doctor
from whence.store.store import Store

if TYPE_CHECKING:
    import deltalake
else:
    deltalake = pytest.importorskip("deltalake")


def rows_by_deltalake(path: Path, version: int | None = None) -> list[Row]:
    return in_order(pa.table(deltalake.DeltaTable(str(path), version=version).scan()).to_pylist())


def edit_log(path: Path, edit: Any) -> None:  # noqa: ANN401
    """Change the actions of the first commit."""
    log = path / "_delta_log" / "00000000000000000000.json"
    actions = [json.loads(line) for line in log.read_text().splitlines()]
    for action in actions:
        edit(action)
    log.write_text("".join(json.dumps(action) + "\n" for action in actions))


def test_every_version_is_what_deltalake_reads(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "orders"
    table = pa.table(
        {
            "region": ["a b", "c/d", None, "ü%41"],
            "day": [date(2024, 1, 1), date(2024, 1, 2), None, date(1, 1, 1)],
            "n": pa.array([1, 2, None, 4], pa.int32()),
            "x": [0.5, None, float("inf"), -0.0],
            "d": pa.array([Decimal("1.10"), None, Decimal("-0.01"), Decimal("9" * 36)], pa.decimal128(38, 2)),
            "t": pa.array([datetime(2024, 3, 31, 1, 30, tzinfo=UTC), None, None, None], pa.timestamp("us", "UTC")),
            "l": [[1, None], [], None, [3]],
            "s": [{"a": "x"}, {"a": None}, {"a": ""}, {"a": "ö"}],
        }
    )
    deltalake.write_deltalake(str(path), table, partition_by=["region", "day"])
    more = table.slice(0, 1).append_column("added", pa.array([True]))
    deltalake.write_deltalake(str(path), more, mode="append", schema_mode="merge")
    deltalake.DeltaTable(str(path)).delete("n = 2")
    deltalake.DeltaTable(str(path)).optimize.compact()
    newest = deltalake.DeltaTable(str(path)).version()
    assert newest >= 2
    for version in (*range(newest + 1), None):
        record = load_path(store, path, "t", LoadRequest(version=version))
        assert in_order(store.read(record, 0, 99).to_pylist()) == rows_by_deltalake(path, version)
        report = load_report(store, record)
        assert report is not None
        assert report.source.version == str(newest if version is None else version)
        assert report.options == ({} if version is None else {"version": version})
        assert sum(file.rows for file in report.files) == record.rows
        assert list(report.problems) == []
    assert doctor(store) == []


def test_a_time_names_the_version_that_was_current(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "t"
    deltalake.write_deltalake(str(path), pa.table({"n": [1]}))
    deltalake.write_deltalake(str(path), pa.table({"n": [2]}), mode="append")
    history = {each["version"]: each["timestamp"] for each in deltalake.DeltaTable(str(path)).history()}
    first = datetime.fromtimestamp(history[0] / 1000, UTC)
    later = datetime.fromtimestamp(history[1] / 1000, UTC) + timedelta(hours=1)
    record = load_path(store, path, "t", LoadRequest(timestamp=later.isoformat()))
    assert store.read(record, 0, 9).to_pydict() == {"n": [1, 2]}
    for request, words in (
        (LoadRequest(timestamp=(first - timedelta(days=1)).isoformat()), "has no version of .* The first is of"),
        (LoadRequest(timestamp="yesterday"), "'yesterday' is no time"),
        (LoadRequest(timestamp="2024-01-01", version=0), "are both given"),
        (LoadRequest(version=-1), r"cannot be read in version -1"),
        (LoadRequest(version=9), r"cannot be read in version 9"),
        (
            LoadRequest(options=Options(delimiter=";")),
            "delimiter= is for delimited text, and t, a Delta table, is none",
        ),
    ):
        with pytest.raises(BadInput, match=words):
            load_path(store, path, "t", request)
    (tmp_path / "t.csv").write_text("n\n1\n")
    with pytest.raises(BadInput, match=r"are for Delta and Iceberg tables, and .* is none"):
        load_path(store, tmp_path / "t.csv", "t", LoadRequest(version=1))


def test_rows_added_later_come_last_and_types_and_keys_are_looked_at(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "t"
    for number in range(4):
        deltalake.write_deltalake(str(path), pa.table({"k": [number, number], "s": ["7", "x"]}), mode="append")
    request = LoadRequest(key="k", options=Options(types={"s": "int"}))
    record = load_path(store, path, "t", request)
    assert store.read(record, 0, 9).to_pydict() == {"k": [0, 0, 1, 1, 2, 2, 3, 3], "s": [7, None] * 4}
    assert store.flags(record)["k"].to_pylist() == [False, True] * 4


def test_a_table_without_rows_has_its_columns(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "t"
    deltalake.write_deltalake(str(path), pa.table({"n": [1], "s": ["x"]}))
    deltalake.DeltaTable(str(path)).delete()
    record = load_path(store, path, "t")
    assert (record.rows, [(field.name, field.type) for field in record.schema]) == (
        0,
        [("n", "bigint"), ("s", "string")],
    )


def deletion_vector(rows: Sequence[int]) -> dict[str, object]:
    """Return deleted rows as they stand in a log: a Roaring bitmap of one array container, in Z85."""
    bitmap = struct.pack("<IIHHI", 12346, 1, 0, len(rows) - 1, 16) + struct.pack(f"<{len(rows)}H", *rows)
    data = struct.pack("<iqi", 1681511377, 1, 0) + bitmap
    ours = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
    theirs = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
    text = base64.b85encode(data + bytes(-len(data) % 4)).translate(bytes.maketrans(ours, theirs)).decode()
    return {"storageType": "i", "pathOrInlineDv": text, "sizeInBytes": len(data), "cardinality": len(rows)}


def test_deleted_rows_are_left_out(ws: whence.Workspace, tmp_path: Path) -> None:
    path = tmp_path / "t"
    deltalake.write_deltalake(str(path), pa.table({"n": [1, 2, 3, 4, 5, 6]}))

    def delete(action: dict[str, Any]) -> None:
        features = ["deletionVectors"]
        if "protocol" in action:
            action["protocol"] = {
                "minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": features, "writerFeatures": features,
            }  # fmt: skip
        if "add" in action:
            action["add"]["deletionVector"] = deletion_vector([1, 4])

    edit_log(path, delete)
    assert [row["n"] for row in rows_by_deltalake(path)] == [1, 3, 4, 6]
    assert ws.load(path).to_arrow().to_pydict() == {"n": [1, 3, 4, 6]}
    with pytest.raises(BadInput, match="cannot be read where they lie: rows of its files were deleted"):
        ws.load(path, in_place=True)


@pytest.mark.parametrize("mode", ["name", "id"])
def test_columns_have_other_names_in_the_files_of_mapped_tables(store: Store, tmp_path: Path, mode: str) -> None:
    path = tmp_path / "t"
    rows = pa.table(
        {
            "p": ["u", None],
            "n": [1, 2],
            "s": [{"a": 1, "b": "x"}, None],
            "l": [[{"c": 1}, None], None],
            "m": pa.array([[("k", {"d": 1})], None], pa.map_(pa.string(), pa.struct([("d", pa.int64())]))),
        }
    )
    mapped = {"delta.columnMapping.mode": mode}
    deltalake.write_deltalake(str(path), rows, configuration=mapped, partition_by=["p"])
    assert loaded(store, path) == rows_by_deltalake(path) == in_order(rows.to_pylist())
    # Two columns change their names with each other, one is dropped, one is new under its name, and nested ones change.
    first = (path / "_delta_log" / "00000000000000000000.json").read_text()
    found = next(json.loads(line)["metaData"] for line in first.splitlines() if "metaData" in line)
    schema = json.loads(found["schemaString"])
    p, n, s, items, _ = schema["fields"]
    new = {"name": "m", "type": "long", "nullable": True, "metadata": {}}
    new["metadata"] = {"delta.columnMapping.id": 99, "delta.columnMapping.physicalName": "col-new"}
    p["name"], n["name"] = "n", "p"
    s["type"]["fields"][0]["name"], s["type"]["fields"][1]["name"] = "b", "a"
    items["type"]["elementType"]["fields"][0]["name"] = "renamed"
    schema["fields"] = [s, n, p, items, new]
    found |= {"schemaString": json.dumps(schema), "partitionColumns": ["n"]}
    found["configuration"]["delta.columnMapping.maxColumnId"] = "99"
    (path / "_delta_log" / "00000000000000000001.json").write_text(json.dumps({"metaData": found}) + "\n")
    assert loaded(store, path) == in_order(
        [
            {"s": {"b": 1, "a": "x"}, "p": 1, "n": "u", "l": [{"renamed": 1}, None], "m": None},
            {"s": None, "p": 2, "n": None, "l": None, "m": None},
        ]
    )
    assert loaded(store, path, version=0) == in_order(rows.to_pylist())
    with pytest.raises(BadInput, match="cannot be read where they lie"):
        load_path(store, path, "t", LoadRequest(in_place=True))


def loaded(store: Store, path: Path, version: int | None = None) -> list[Row]:
    record = load_path(store, path, "t", LoadRequest(version=version))
    return in_order(store.read(record, 0, 99).to_pylist())


def test_what_is_not_read_right_is_refused(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "t"
    deltalake.write_deltalake(str(path), pa.table({"n": [1]}))

    def map_columns(action: dict[str, Any]) -> None:
        if "metaData" in action:
            action["metaData"]["configuration"] = {"delta.columnMapping.mode": "smell"}

    edit_log(path, map_columns)
    with pytest.raises(BadInput, match=r"has column mapping by smell|cannot be read"):
        load_path(store, path, "t")
    deltalake.write_deltalake(str(tmp_path / "inner" / "u"), pa.table({"n": [1]}))
    with pytest.raises(BadInput, match="holds a Delta table, u"):
        load_path(store, tmp_path / "inner", "t")
    (path / "_delta_log" / "00000000000000000000.json").write_text("{")
    with pytest.raises(BadInput, match=r"The Delta table .*/t cannot be read"):
        load_path(store, path, "t")


@pytest.mark.parametrize("address", ["../secret/s.parquet", "{secret}", "link/s.parquet"])
def test_a_log_cannot_name_files_elsewhere(store: Store, tmp_path: Path, address: str) -> None:
    secret, path = tmp_path / "secret", tmp_path / "orders"
    secret.mkdir()
    pq.write_table(pa.table({"n": [42]}), secret / "s.parquet")
    deltalake.write_deltalake(str(path), pa.table({"n": [1]}))
    (path / "link").symlink_to(secret)

    def point_elsewhere(action: dict[str, Any]) -> None:
        if "add" in action:
            named = address.format(secret=(secret / "s.parquet").as_uri())
            action["add"] |= {"path": named, "size": (secret / "s.parquet").stat().st_size}

    edit_log(path, point_elsewhere)
    with pytest.raises(BadInput, match="not in its folder"):
        load_path(store, path, "orders", LoadRequest(None, Options()))


def test_files_are_read_in_place_and_a_new_version_of_the_table_is_one_of_the_dataset(
    ws: whence.Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "events"
    deltalake.write_deltalake(str(path), pa.table({"k": [1, 2], "x": ["a", "b"]}))
    first = ws.load(path, in_place=True)
    store = ws._context.store
    parts = sorted((store.layout.dataset(first.record.id) / "rows").rglob("*.parquet"))
    assert [part.is_symlink() for part in parts] == [True]
    deltalake.write_deltalake(str(path), pa.table({"k": [3], "x": ["c"]}), mode="append")
    assert first.to_arrow().num_rows == 2
    second = ws.reload("events")
    assert (second.version, second.to_arrow().to_pydict()) == (2, {"k": [1, 2, 3], "x": ["a", "b", "c"]})
    assert [each.load_report.source.version for each in (first, second) if each.load_report] == ["0", "1"]
    assert ws.diff("events@1", "events@2").added.to_arrow().to_pylist() == [{"k": 3, "x": "c"}]
    out = ws.sql("select x from events where k = 3", name="out")
    assert out.lineage.backward([0], to="events").ids.tolist() == [2]
    # The old version still reads its files after the table was compacted.
    deltalake.DeltaTable(str(path)).optimize.compact()
    assert ws["events@1"].to_arrow().num_rows == 2
    with pytest.raises(BadInput, match="version= and timestamp= are for Delta and Iceberg tables on a disk"):
        ws.load("https://example.org/t.csv", version=1)
    deltalake.write_deltalake(str(tmp_path / "p"), pa.table({"k": [1], "x": ["a"]}), partition_by=["k"])
    with pytest.raises(BadInput, match="cannot be read where they lie: columns stand in the names of its folders"):
        ws.load(tmp_path / "p", in_place=True)


def test_twenty_versions_stay_what_they_were_and_keys_survive_compaction(ws: whence.Workspace, tmp_path: Path) -> None:
    path = tmp_path / "log"
    for number in range(20):
        deltalake.write_deltalake(str(path), pa.table({"k": [number], "x": [str(number)]}), mode="append")
        ws.load(path, name="log", key="k")
    for number in range(20):
        assert ws[f"log@{number + 1}"].to_arrow().column("k").to_pylist() == list(range(number + 1))
    doubted = ws["log"].caveat([3], "x", "who knows")
    assert doubted.caveats.marks().column("x").to_pylist() == [row == 3 for row in range(20)]
    deltalake.DeltaTable(str(path)).optimize.compact()
    compacted = ws.reload("log")
    difference = ws.diff("log@20", "log")
    assert [each.to_arrow().num_rows for each in (difference.added, difference.removed)] == [0, 0]
    # The caveat is stated again about the row with the same key, wherever compaction has put it.
    place = compacted.to_arrow().column("k").to_pylist().index(3)
    assert compacted.caveats.marks().column("x").to_pylist() == [row == place for row in range(20)]


def test_files_that_a_vacuum_removed_are_missed(ws: whence.Workspace, tmp_path: Path) -> None:
    path = tmp_path / "t"
    deltalake.write_deltalake(str(path), pa.table({"n": [1, 2]}))
    old = ws.load(path, in_place=True)
    deltalake.write_deltalake(str(path), pa.table({"n": [3]}), mode="overwrite")
    table = deltalake.DeltaTable(str(path))
    table.vacuum(retention_hours=0, enforce_retention_duration=False, dry_run=False)
    with pytest.raises(DamagedFile, match=r"is read where it lies, and .*\.parquet cannot be read"):
        _ = old.df
    assert ws.reload("t").to_arrow().to_pydict() == {"n": [3]}


def test_a_dataset_is_saved_as_a_table_that_others_read(ws: whence.Workspace, tmp_path: Path) -> None:
    made = ws.sql(EVERY_TYPE, name="made")
    path = tmp_path / "made"
    made.save(delta=path)
    table = deltalake.DeltaTable(str(path))
    expected = repr(by_number(made.to_arrow()))  # repr: NaN equals nothing, not even itself
    read = pa.table(table.scan()).select(made.to_arrow().column_names)
    assert repr(by_number(read)) == expected
    files = table.file_uris()
    found = duckdb.execute("select n, s, d from read_parquet(?) order by n", [files]).fetchall()
    assert found == [(n, None if n == 1 else f"ö{n}", Decimal(n)) for n in range(4)]
    again = ws.load(path, name="again")
    assert repr(by_number(again.to_arrow())) == expected
    assert again.schema == made.schema
    with pytest.raises(UserError, match=r"made cannot be written: .*exists"):
        made.save(delta=path)
    made.save(delta=path, mode="append")
    assert ws.reload("again").count == 8
    made.save(delta=path, mode="overwrite")
    assert ws.reload("again").count == 4
    with pytest.raises(BadInput, match="Give either table=, delta= or iceberg="):
        made.save()


def test_without_the_package_one_sentence_says_what_to_install(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deltalake.write_deltalake(str(tmp_path / "t"), pa.table({"n": [1]}))
    monkeypatch.setitem(sys.modules, "deltalake", None)
    with pytest.raises(UserError, match=r"deltalake, which is not installed.*pip install 'whence-data\[delta\]'"):
        load_path(store, tmp_path / "t", "t")
