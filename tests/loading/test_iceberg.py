"""Iceberg tables: one snapshot is a pinned list of files, with everything the metadata says about them.

The oracle is pyiceberg's own scan, which reads the files by itself. What it does not read, such as deletes by value and
deletion vectors, is checked against plain Python.
"""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.loading.iceberg_tables import by_pyiceberg, folder_of, loaded_rows
from tests.loading.iceberg_writer import IcebergWriter
from tests.loading.table_rows import Row, in_order
from whence.loading import load_path, load_report
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.model.errors import BadInput, UserError
from whence.store.doctor import doctor
from whence.store.store import Store

pytest.importorskip("pyiceberg")
if TYPE_CHECKING:
    from pyiceberg.catalog.sql import SqlCatalog


def test_every_snapshot_is_what_pyiceberg_reads(store: Store, catalog: SqlCatalog) -> None:
    from pyiceberg.transforms import IdentityTransform

    rows = pa.table(
        {
            "region": ["a b", "c/d", None, "ü%41"],
            "day": [date(2024, 1, 1), date(2024, 1, 2), None, date(1, 1, 1)],
            "n": pa.array([1, 2, None, 4], pa.int32()),
            "x": [0.5, None, float("inf"), -0.0],
            "d": pa.array([Decimal("1.10"), None, Decimal("-0.01"), Decimal("9" * 36)], pa.decimal128(38, 2)),
            "t": pa.array([datetime(2024, 3, 31, 1, 30, tzinfo=UTC), None, None, None], pa.timestamp("us", "UTC")),
            "z": pa.array([datetime(1900, 1, 1), None, None, None], pa.timestamp("us")),
            "l": [[1, None], [], None, [3]],
            "s": [{"a": "x", "b": 1}, {"a": None, "b": 2}, None, {"a": "ö", "b": None}],
            "m": pa.array([[("k", 1)], [], None, [("k", None)]], pa.map_(pa.string(), pa.int64())),
        }
    )
    table = catalog.create_table("db.t", schema=rows.schema)
    with table.update_spec() as spec:
        spec.add_field("region", IdentityTransform())
        spec.add_field("day", IdentityTransform())
    table.append(rows)
    table.append(rows.slice(1, 2))
    table.delete("n = 2")
    table.overwrite(rows.slice(0, 1), overwrite_filter="region = 'a b'")
    snapshots = [each.snapshot_id for each in table.metadata.snapshots]
    assert len(snapshots) >= 4
    path = folder_of(table)
    for snapshot in (*snapshots, None):
        record = load_path(store, path, "t", LoadRequest(version=snapshot))
        assert in_order(store.read(record, 0, 99).to_pylist()) == by_pyiceberg(table, snapshot)
        report = load_report(store, record)
        assert report is not None
        assert report.source.version == str(snapshots[-1] if snapshot is None else snapshot)
        assert report.options == ({} if snapshot is None else {"version": snapshot})
        assert sum(file.rows for file in report.files) == record.rows
        assert list(report.problems) == []
    assert doctor(store) == []


def test_columns_are_known_by_number_whatever_becomes_of_the_schema(store: Store, catalog: SqlCatalog) -> None:
    from pyiceberg.types import DecimalType, DoubleType, LongType, StringType

    struct = pa.struct([("a", pa.int32()), ("gone", pa.string())])
    rows = pa.table(
        {
            "n": pa.array([1, 2], pa.int32()),
            "f": pa.array([0.5, None], pa.float32()),
            "d": pa.array([Decimal("1.10"), None], pa.decimal128(5, 2)),
            "x": ["old x", "older x"],
            "y": ["old y", "older y"],
            "s": pa.array([{"a": 1, "gone": "g"}, None], struct),
            "l": pa.array([[{"a": 2, "gone": "g"}, None], None], pa.list_(struct)),
            "m": pa.array([[("k", {"a": 3, "gone": "g"})], []], pa.map_(pa.string(), struct)),
        }
    )
    table = catalog.create_table("db.t", schema=rows.schema)
    table.append(rows)
    with table.update_schema() as update:
        for name, kind in (("n", LongType()), ("f", DoubleType()), ("d", DecimalType(9, 2))):
            update.update_column(name, field_type=kind)
        for place in ("s", "l.element", "m.value"):
            update.update_column((*place.split("."), "a"), field_type=LongType())
            update.rename_column((*place.split("."), "a"), "b")
            update.delete_column((*place.split("."), "gone"))
            update.add_column((*place.split("."), "new"), StringType())
    with table.update_schema() as update:
        update.delete_column("x")
        update.rename_column("y", "z")
    with table.update_schema() as update:
        update.add_column("x", StringType())  # another column than the one that was dropped
        update.rename_column("z", "y2")
        update.move_first("d")
    more = table.scan().to_arrow().slice(0, 1)
    table.append(more.set_column(more.column_names.index("x"), "x", pa.array(["new x"])))
    expected = by_pyiceberg(table)
    assert {row["x"] for row in expected} == {None, "new x"}
    assert loaded_rows(store, folder_of(table)) == expected
    old = table.metadata.snapshots[0].snapshot_id
    assert loaded_rows(store, folder_of(table), version=old) == by_pyiceberg(table, old)
    record = store.current("t")
    assert record.schema.names == tuple(rows.column_names)
    with pytest.raises(BadInput, match=r"cannot be read where they lie: .* has other columns than the table"):
        load_path(store, folder_of(table), "t", LoadRequest(in_place=True))


def test_a_time_a_branch_and_a_tag_name_snapshots(store: Store, catalog: SqlCatalog) -> None:
    table = catalog.create_table("db.t", schema=pa.schema([("n", pa.int64())]))
    path = folder_of(table)
    record = load_path(store, path, "t")
    assert (record.rows, record.schema.names) == (0, ("n",))
    with pytest.raises(BadInput, match=r"has no snapshot of .* It has none"):
        load_path(store, path, "t", LoadRequest(timestamp="2024-01-01"))
    table.append(pa.table({"n": [1]}))
    first = table.current_snapshot()
    assert first is not None
    table.manage_snapshots().create_tag(first.snapshot_id, "v1").create_branch(first.snapshot_id, "audit").commit()
    table.append(pa.table({"n": [2]}), branch="audit")
    table.append(pa.table({"n": [3]}))
    assert loaded_rows(store, path) == [{"n": 1}, {"n": 3}]
    assert loaded_rows(store, path, version="v1") == [{"n": 1}]
    assert loaded_rows(store, path, version="audit") == [{"n": 1}, {"n": 2}]
    assert loaded_rows(store, path, version=str(first.snapshot_id)) == [{"n": 1}]
    moment = datetime.fromtimestamp(first.timestamp_ms / 1000, UTC)
    assert loaded_rows(store, path, timestamp=moment.isoformat()) == [{"n": 1}]
    for request, words in (
        (LoadRequest(timestamp=(moment - timedelta(days=1)).isoformat()), "has no snapshot of .* The first is of"),
        (LoadRequest(timestamp="yesterday"), "'yesterday' is no time"),
        (LoadRequest(timestamp="2024-01-01", version=0), "are both given"),
        (LoadRequest(version=9), "has no snapshot, branch or tag 9. It has main"),
        (LoadRequest(options=Options(delimiter=";")), "delimiter= is for delimited text, and t, an Iceberg table,"),
    ):
        with pytest.raises(BadInput, match=words):
            load_path(store, path, "t", request)


def test_files_without_numbers_are_read_by_the_name_mapping_and_partitions_by_the_metadata(
    store: Store, catalog: SqlCatalog, tmp_path: Path
) -> None:
    from pyiceberg.transforms import IdentityTransform

    schema = pa.schema([("old", pa.int64()), ("s", pa.struct([("a", pa.int64())]))])
    table = catalog.create_table("db.t", schema=schema)
    data = folder_of(table) / "data"
    data.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"old": [1, None], "s": [{"a": 2}, None]}), data / "hive.parquet")
    table.add_files([f"file://{data}/hive.parquet"])
    with table.update_schema() as update:
        update.rename_column("old", "new")
        update.rename_column(("s", "a"), "b")
    assert (
        loaded_rows(store, folder_of(table))
        == by_pyiceberg(table)
        == [
            {"new": 1, "s": {"b": 2}},
            {"new": None, "s": None},
        ]
    )
    parts = catalog.create_table("db.parts", schema=pa.schema([("k", pa.date32()), ("n", pa.int64())]))
    with parts.update_spec() as spec:
        spec.add_field("k", IdentityTransform())
    parts.append(pa.table({"k": [date(2024, 5, 1), None], "n": [1, 2]}))
    for file in folder_of(parts).rglob("*.parquet"):  # as engines write that leave such columns to the folder's name
        pq.write_table(pq.read_table(file, partitioning=None).drop_columns(["k"]), file)
    expected: list[Row] = [{"k": date(2024, 5, 1), "n": 1}, {"k": None, "n": 2}]
    assert loaded_rows(store, folder_of(parts)) == in_order(expected)


def test_what_is_not_read_right_is_refused(store: Store, catalog: SqlCatalog, tmp_path: Path) -> None:
    table = catalog.create_table("db.t", schema=pa.schema([("n", pa.int64())]))
    table.append(pa.table({"n": [1]}))
    path = folder_of(table)
    newest = Path(table.metadata_location.removeprefix("file://"))
    twin = newest.with_name("00001-0b0b0b0b-0000-0000-0000-000000000000.metadata.json")
    twin.write_text(newest.read_text())
    with pytest.raises(BadInput, match="has 2 metadata files of the number 1, and only its catalog knows"):
        load_path(store, path, "t")
    assert loaded_rows(store, newest) == [{"n": 1}]
    twin.unlink()
    with pytest.raises(BadInput, match=r"holds an Iceberg table, t"):
        load_path(store, path.parent, "t")
    files = list(path.rglob("*.parquet"))
    pq.write_table(
        pq.read_table(files[0]).replace_schema_metadata().rename_columns(["n"]).cast(pa.schema([("n", pa.int64())])),
        files[0],
    )
    with pytest.raises(BadInput, match="does not say which columns of the Iceberg table it holds"):
        load_path(store, path, "t")
    writer = IcebergWriter(tmp_path / "floats", {"x": "double"})
    writer.commit(writer.rows("a", pa.table({"x": [0.5]})))
    writer.commit(writer.values("v", pa.table({"x": [0.5]})))
    with pytest.raises(BadInput, match="were deleted by their values in column x, which is double"):
        load_path(store, tmp_path / "floats", "t")
    writer = IcebergWriter(tmp_path / "orc", {"x": "long"})
    writer.commit(writer.rows("a", pa.table({"x": [1]})) | {"file_format": "ORC"})
    with pytest.raises(BadInput, match="has a data file of the format ORC"):
        load_path(store, tmp_path / "orc", "t")
    newest.write_text("{")
    with pytest.raises(BadInput, match=r"The Iceberg metadata .*json cannot be read"):
        load_path(store, path, "t")


@pytest.mark.parametrize(
    "address", ["{folder}/data/../../secret/s.parquet", "{secret}", "{folder}/data/link/s.parquet", "s3://b/s"]
)
def test_metadata_cannot_name_files_elsewhere(store: Store, tmp_path: Path, address: str) -> None:
    secret, folder = tmp_path / "secret", tmp_path / "t"
    secret.mkdir()
    pq.write_table(pa.table({"n": [42]}), secret / "s.parquet")
    writer = IcebergWriter(folder, {"n": "long"})
    (folder / "data" / "link").symlink_to(secret)
    named = address.format(secret=f"file://{secret}/s.parquet", folder=f"file://{folder}")
    writer.commit(writer.rows("a", pa.table({"n": [1]})) | {"file_path": named})
    with pytest.raises(BadInput, match=r"not in its folder|not on this machine"):
        load_path(store, folder, "t")


def test_a_copied_table_is_read_from_its_new_folder(store: Store, catalog: SqlCatalog, tmp_path: Path) -> None:
    table = catalog.create_table("db.t", schema=pa.schema([("n", pa.int64())]))
    table.append(pa.table({"n": [1, 2]}))
    table.append(pa.table({"n": [3]}))
    folder_of(table).rename(tmp_path / "a b#?%20")
    assert loaded_rows(store, tmp_path / "a b#?%20") == [{"n": 1}, {"n": 2}, {"n": 3}]


def test_without_the_package_one_sentence_says_what_to_install(
    store: Store, catalog: SqlCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = catalog.create_table("db.t", schema=pa.schema([("n", pa.int64())]))
    for name in [each for each in sys.modules if each.partition(".")[0] == "pyiceberg"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UserError, match=r"pyiceberg, which is not installed.*pip install 'whence-data\[iceberg\]'"):
        load_path(store, folder_of(table), "t")


def test_tables_of_format_1_and_types_that_are_stored_otherwise(store: Store, catalog: SqlCatalog) -> None:
    from pyiceberg.schema import Schema
    from pyiceberg.transforms import IdentityTransform
    from pyiceberg.types import FixedType, LongType, NestedField, TimeType, UUIDType

    rows = pa.table({"k": pa.array([1, 2, 3], pa.int64()), "s": ["a", "b", None]})
    old = catalog.create_table("db.old", schema=rows.schema, properties={"format-version": "1"})
    assert old.metadata.format_version == 1
    old.append(rows)
    with old.update_spec() as spec:
        spec.add_field("s", IdentityTransform())
    old.append(rows)
    with old.update_spec() as spec:
        spec.remove_field("s")
        spec.add_field("k", IdentityTransform())
    old.append(rows)
    old.delete("k = 2")
    for snapshot in (*(each.snapshot_id for each in old.metadata.snapshots), None):
        assert loaded_rows(store, folder_of(old), version=snapshot) == by_pyiceberg(old, snapshot)
    assert len(by_pyiceberg(old)) == 6
    fields = [LongType(), UUIDType(), TimeType(), FixedType(2)]
    schema = Schema(*(NestedField(n, name, kind) for n, (name, kind) in enumerate(zip("kutf", fields, strict=True), 1)))
    odd = catalog.create_table("db.odd", schema=schema)
    names = UUID("12345678-1234-5678-1234-567812345678")
    columns = {
        "k": pa.array([1, 2], pa.int64()),
        "u": pa.ExtensionArray.from_storage(pa.uuid(), pa.array([names.bytes, None], pa.binary(16))),
        "t": pa.array([3_600_000_000, None], pa.time64("us")),
        "f": pa.array([b"ab", None], pa.binary(2)),
    }
    odd.append(pa.table(columns))
    found = sorted(loaded_rows(store, folder_of(odd)), key=lambda row: int(row["k"]))
    assert [(row["k"], row["u"], row["f"]) for row in found] == [(1, str(names), b"ab"), (2, None, None)]
    assert str(found[0]["t"]).startswith("01:00:00")
    assert found[1]["t"] is None
