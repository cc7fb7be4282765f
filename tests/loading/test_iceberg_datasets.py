"""Iceberg tables as versions of datasets: read in place, saved, reloaded, and by the command."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import whence
from tests.loading.iceberg_tables import folder_of
from tests.loading.table_rows import EVERY_TYPE, by_number
from whence.cli.main import app
from whence.model.errors import BadInput, DamagedFile, UserError

pytest.importorskip("pyiceberg")
if TYPE_CHECKING:
    from pyiceberg.catalog.sql import SqlCatalog


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
    made = ws.sql(EVERY_TYPE, name="made")
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
