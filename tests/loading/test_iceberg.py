"""Iceberg tables: one snapshot is a pinned list of files, with everything the metadata says about them.

The oracle is pyiceberg's own scan, which reads the files by itself. What it does not read, such as deletes by value and
deletion vectors, is checked against plain Python.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import whence
from tests.loading.iceberg_writer import IcebergWriter
from whence.cli.main import app
from whence.loading import load_path, load_report
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.model.errors import BadInput, DamagedFile, UserError
from whence.model.schema import TABLE_ROW_COLUMN
from whence.store.doctor import doctor
from whence.store.store import Store

pytest.importorskip("pyiceberg")
if TYPE_CHECKING:
    from pyiceberg.catalog.sql import SqlCatalog
    from pyiceberg.table import Table

Row = dict[str, Any]


@pytest.fixture
def catalog(tmp_path: Path) -> SqlCatalog:
    from pyiceberg.catalog.sql import SqlCatalog

    made = SqlCatalog("shop", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}/warehouse")
    made.create_namespace("db")
    return made


def folder_of(table: Table) -> Path:
    return Path(str(table.location()).removeprefix("file://"))


def in_order(rows: Sequence[Row]) -> list[Row]:
    return sorted(({name: row[name] for name in sorted(row)} for row in rows), key=repr)


def by_pyiceberg(table: Table, snapshot: int | None = None) -> list[Row]:
    rows = in_order(table.scan(snapshot_id=snapshot).to_arrow().to_pylist())
    return [{name: str(value) if isinstance(value, UUID) else value for name, value in row.items()} for row in rows]


def loaded_rows(store: Store, path: Path, **request: Any) -> list[Row]:  # noqa: ANN401
    record = load_path(store, path, "t", LoadRequest(**request))
    return in_order(store.read(record, 0, 10_000).to_pylist())


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


def test_deleted_rows_are_left_out_whichever_way_they_were_deleted(store: Store, tmp_path: Path) -> None:
    from pyiceberg.table import StaticTable

    writer = IcebergWriter(tmp_path / "t", {"n": "long", "s": "string"})

    def data(name: str, *numbers: int | None) -> dict[str, Any]:
        return writer.rows(name, pa.table({"n": pa.array(numbers, pa.int64()), "s": [f"{name}{n}" for n in numbers]}))

    def found(**request: Any) -> list[int | None]:  # noqa: ANN401
        record = load_path(store, tmp_path / "t", "t", LoadRequest(**request))
        numbers: list[int | None] = store.read(record, 0, 99).column("n").to_pylist()
        return numbers

    writer.commit(data("a", 0, 1, 2, 3, None, 5), data("b", 0, 1, 2))
    by_place = writer.commit(writer.positions("p", [("a", 1), ("b", 2), ("a", 5)]))
    assert found() == [0, 2, 3, None, 0, 1]
    expected = by_pyiceberg(StaticTable.from_metadata(str(tmp_path / "t")))
    assert loaded_rows(store, tmp_path / "t") == expected
    # Deletes by value are about older files only; NULL is a value.
    deleted = pa.table({"n": pa.array([2, None], pa.int64())})
    writer.commit(writer.values("v", deleted), data("c", 1, 2, None))
    assert found() == [0, 3, 0, 1, 1, 2, None]
    # Of two columns both must be equal.
    pairs = pa.table({"n": pa.array([0, 1], pa.int64()), "s": ["a0", "c2"]})
    writer.commit(writer.values("w", pairs))
    assert found() == [3, 0, 1, 1, 2, None]
    # A position is about a file of the same commit, too.
    writer.commit(data("d", 7, 8), writer.positions("q", [("d", 0)]))
    assert found() == [3, 0, 1, 1, 2, None, 8]
    assert found(version=by_place) == [0, 2, 3, None, 0, 1]
    with pytest.raises(BadInput, match="cannot be read where they lie: rows of its files were deleted"):
        found(in_place=True)


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
    assert doubted.caveats.marks().column("x").to_pylist() == [False, False, False, True, False]
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


def test_files_are_read_in_place_and_a_new_snapshot_is_a_version_of_the_dataset(
    ws: whence.Workspace, catalog: SqlCatalog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYICEBERG_CATALOG__SHOP__URI", f"sqlite:///{tmp_path}/catalog.db")
    monkeypatch.setenv("PYICEBERG_CATALOG__SHOP__TYPE", "sql")
    table = catalog.create_table("db.events", schema=pa.schema([("k", pa.int64()), ("x", pa.string())]))
    table.append(pa.table({"k": [1, 2], "x": ["a", "b"]}))
    first = ws.load("iceberg://shop/db.events", in_place=True)
    assert first.record.name == "events"
    store = ws._context.store
    parts = sorted((store.layout.dataset(first.record.id) / "rows").rglob("*.parquet"))
    assert [part.is_symlink() for part in parts] == [True]
    assert ws.sql("select sum(k) s from events", name="s").to_arrow().to_pylist() == [{"s": 3}]
    table.append(pa.table({"k": [3], "x": ["c"]}))
    second = ws.reload("events")
    assert (second.version, second.to_arrow().to_pydict()) == (2, {"k": [1, 2, 3], "x": ["a", "b", "c"]})
    assert ws.diff("events@1", "events@2").added.to_arrow().to_pylist() == [{"k": 3, "x": "c"}]
    out = ws.sql("select x from events where k = 3", name="out")
    assert out.lineage.backward([0], to=second).ids.tolist() == [2]
    # The old versions still read their files after the table was written anew. Rows are the same by their content.
    doubted = second.caveat([2], "x", "who knows")
    assert doubted.caveats.marks().column("x").to_pylist() == [False, False, True]
    table.overwrite(pa.table({"k": [3, 2, 1], "x": ["c", "b", "a"]}))
    assert ws["events@1"].to_arrow().num_rows == 2
    third = ws.reload("events")
    assert ws.diff("events@2", "events").is_empty
    assert third.caveats.marks().column("x").to_pylist() == [True, False, False]
    report = third.parents()[0].load_report  # the caveat was stated about what was loaded
    assert report is not None
    assert report.source.path == "iceberg://shop/db.events"
    parts[0].resolve().unlink()
    with pytest.raises(DamagedFile, match=r"is read where it lies, and .*\.parquet cannot be read"):
        assert first.df is not None
    for address, words in (
        ("iceberg://shop", "names no Iceberg table"),
        ("iceberg://shop/db.none", "catalog shop has no table db.none"),
        ("iceberg://nowhere/db.t", "There is no Iceberg catalog nowhere"),
    ):
        with pytest.raises(BadInput, match=words):
            ws.load(address)


def test_a_dataset_is_saved_as_a_table_that_others_read(
    ws: whence.Workspace, catalog: SqlCatalog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from pyiceberg.table import StaticTable

    monkeypatch.setenv("PYICEBERG_CATALOG__SHOP__URI", f"sqlite:///{tmp_path}/catalog.db")
    monkeypatch.setenv("PYICEBERG_CATALOG__SHOP__TYPE", "sql")
    monkeypatch.setenv("PYICEBERG_CATALOG__SHOP__WAREHOUSE", f"file://{tmp_path}/warehouse")
    query = """
        select id n, cast(id as decimal(20, 2)) d, timestamp'2024-01-01 00:00:00' t,
               timestamp_ntz'1900-01-01 00:00:00' z,
               if(id = 1, null, 'ö' || id) s, array(id) l, map('k', id) m, named_struct('a', id) r, date'2024-01-01' y,
               double('NaN') x, cast('ab' as binary) b, id > 1 yes
        from range(4)
    """
    made = ws.sql(query, name="made")
    path = tmp_path / "ma de"
    made.save(iceberg=path)
    expected = repr(by_number(made.to_arrow()))  # repr: NaN equals nothing, not even itself
    assert repr(by_number(StaticTable.from_metadata(str(path)).scan().to_arrow())) == expected
    files = [str(file) for file in (path / "data").rglob("*.parquet")]
    found = duckdb.execute("select n, s, d from read_parquet(?) order by n", [files]).fetchall()
    assert found == [(n, None if n == 1 else f"ö{n}", Decimal(n)) for n in range(4)]
    by_spark = ws.spark.read.parquet(str(path / "data")).orderBy("n").select("n", "s").collect()
    assert [tuple(row) for row in by_spark] == [(n, None if n == 1 else f"ö{n}") for n in range(4)]
    again = ws.load(path, name="again")
    assert repr(by_number(again.to_arrow())) == expected
    assert again.schema == made.schema
    with pytest.raises(UserError, match=r"The Iceberg table .*ma de exists"):
        made.save(iceberg=path)
    made.save(iceberg=path, mode="append")
    assert ws.reload("again").count == 8
    made.save(iceberg=path, mode="overwrite")
    assert ws.reload("again").count == 4
    with pytest.raises(
        UserError, match="cannot be written: it has the column n: optional long, and the dataset has n: optional string"
    ):
        ws.sql("select 'x' n", name="other").save(iceberg=path, mode="append")
    assert ws.reload("again").count == 4
    lists = ws.sql("select if(id = 1, null, array(named_struct('a', id))) l from range(2)", name="lists")
    with pytest.raises(UserError, match="Column l has a missing list or map of structs"):
        lists.save(iceberg=tmp_path / "lists")
    with pytest.raises(BadInput, match="lists"):
        ws.load(tmp_path / "lists", name="none")
    for mode, count in (("errorifexists", 4), ("append", 8), ("overwrite", 4)):
        made.save(iceberg="iceberg://shop/new.made", mode=mode)  # type: ignore[arg-type]
        assert catalog.load_table("new.made").scan().to_arrow().num_rows == count
    with pytest.raises(UserError, match=r"The Iceberg table iceberg://shop/new\.made exists"):
        made.save(iceberg="iceberg://shop/new.made")
    with pytest.raises(BadInput, match="is kept by a catalog"):
        made.save(iceberg=folder_of(catalog.load_table("new.made")), mode="append")


def by_number(table: pa.Table) -> list[Row]:
    return sorted(table.to_pylist(), key=lambda row: row["n"])


def test_twenty_snapshots_stay_what_they_were_and_keys_survive_an_overwrite(
    ws: whence.Workspace, catalog: SqlCatalog
) -> None:
    table = catalog.create_table("db.log", schema=pa.schema([("k", pa.int64()), ("x", pa.string())]))
    path = folder_of(table)
    for number in range(20):
        table.append(pa.table({"k": [number], "x": [str(number)]}))
        ws.load(path, name="log", key="k")
    for number in range(20):
        assert ws[f"log@{number + 1}"].to_arrow().column("k").to_pylist() == list(range(number + 1))
    doubted = ws["log"].caveat([3], "x", "who knows")
    assert doubted.caveats.marks().column("x").to_pylist() == [row == 3 for row in range(20)]
    table.overwrite(table.scan().to_arrow().sort_by([("k", "descending")]))
    compacted = ws.reload("log")
    difference = ws.diff("log@20", "log")
    assert [each.to_arrow().num_rows for each in (difference.added, difference.removed)] == [0, 0]
    place = compacted.to_arrow().column("k").to_pylist().index(3)
    assert place == 16
    assert compacted.caveats.marks().column("x").to_pylist() == [row == place for row in range(20)]


def test_a_cell_and_the_command_name_a_snapshot(ws: whence.Workspace, catalog: SqlCatalog) -> None:
    table = catalog.create_table("db.t", schema=pa.schema([("n", pa.int64())]))
    table.append(pa.table({"n": [1]}))
    table.append(pa.table({"n": [2]}))
    first = table.metadata.snapshots[0].snapshot_id
    cell = ws.run_cell("load", source=str(folder_of(table)), name="old", version=str(first))
    assert cell.to_arrow().to_pydict() == {"n": [1]}
    moment = datetime.fromtimestamp(table.metadata.snapshots[0].timestamp_ms / 1000, UTC).isoformat()
    cell = ws.run_cell("load", source=str(folder_of(table)), name="then", timestamp=moment)
    assert cell.to_arrow().to_pydict() == {"n": [1]}
    with pytest.raises(BadInput, match="has no snapshot, branch or tag none"):
        ws.run_cell("load", source=str(folder_of(table)), name="then", version="none")
    place = str(ws._context.store.root.with_name("other.whence"))
    done = CliRunner().invoke(app, ["load", place, str(folder_of(table)), "--version", str(first), "--name", "t"])
    assert done.output.splitlines()[0] == "t@1: 1 rows, 1 columns", done.output


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
