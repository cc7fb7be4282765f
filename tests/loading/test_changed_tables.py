"""A table that changed since it was loaded: files with changed rows alone are read, and all is as after a full load.

The oracle is a load of the same version under another name, which knows of no earlier one.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import whence
from tests.loading.iceberg_tables import folder_of
from tests.loading.iceberg_writer import IcebergWriter
from tests.loading.test_delta import deletion_vector
from whence.lineage.edges import Edges
from whence.lineage.rowkeys import RowKeys
from whence.loading import load_path, load_report
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.loading.table_snapshot import TableFile
from whence.model.dataset import DatasetRecord
from whence.model.schema import TABLE_ROW_COLUMN
from whence.store.doctor import doctor
from whence.store.key_columns import DOCUMENT as KEYS
from whence.store.store import Store

if TYPE_CHECKING:
    import deltalake
    from pyiceberg.catalog.sql import SqlCatalog
else:
    deltalake = pytest.importorskip("deltalake")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The data files whose rows are read."""
    found: list[str] = []
    batches = TableFile.batches

    def observed(file: TableFile) -> Iterator[pa.RecordBatch]:
        found.append(file.path.name)
        return batches(file)

    monkeypatch.setattr(TableFile, "batches", observed)
    return found


def _append(path: Path, **columns: Any) -> None:  # noqa: ANN401
    deltalake.write_deltalake(str(path), pa.table(columns), mode="append", schema_mode="merge")


def _all_of(store: Store, record: DatasetRecord) -> dict[str, object]:
    """Return everything that a load says of a dataset, but for its name and where its rows are cut into parts."""
    report = load_report(store, record)
    assert report is not None
    return {
        "rows": store.read(record, 0, record.rows).to_pylist(),
        "types": [(each.name, each.type) for each in record.schema],
        "flags": {name: column.to_pylist() for name, column in _columns(store.flags(record))},
        "problems": list(report.problems),
        "doubt": record.doubt,
        "report": {**report.as_document(), "kinds": None},
        "keys": RowKeys(store, Edges(store)).of(record).tolist(),
        "known by": store.document(record, KEYS),
        "text": record.text,
    }


def _columns(table: pa.Table) -> list[tuple[str, pa.ChunkedArray]]:
    return list(zip(table.column_names, table.columns, strict=True))


def _same_as_a_full_load(store: Store, path: Path, record: DatasetRecord, **request: Any) -> bool:  # noqa: ANN401
    full = load_path(store, path, f"full_{record.id}", LoadRequest(**request))
    assert _all_of(store, record) == _all_of(store, full)
    return True


def test_only_added_files_of_a_delta_table_are_read(store: Store, tmp_path: Path, read: list[str]) -> None:
    path, chance = tmp_path / "orders", random.Random(5)
    for step in range(4):
        some = [chance.choice(["a", "b", None]) for _ in range(20)]
        _append(path, n=[chance.choice([step, None]) for _ in some], s=some)
        read.clear()
        record = load_path(store, path, "orders")
        assert len(read) == 1, step
        assert _same_as_a_full_load(store, path, record)
    read.clear()
    again = load_path(store, path, "orders")
    assert (read, again.rows) == ([], 80)
    assert _same_as_a_full_load(store, path, again)
    assert doctor(store) == []


def test_an_older_version_is_continued_too(store: Store, tmp_path: Path, read: list[str]) -> None:
    path = tmp_path / "t"
    for number in range(4):
        _append(path, n=[number])
    load_path(store, path, "t", LoadRequest(version=1))
    read.clear()
    record = load_path(store, path, "t", LoadRequest(version=2))
    assert (len(read), store.read(record, 0, 9).to_pydict()) == (1, {"n": [0, 1, 2]})
    assert _same_as_a_full_load(store, path, record, version=2)
    read.clear()
    earlier = load_path(store, path, "t", LoadRequest(version=0))
    assert (len(read), store.read(earlier, 0, 9).to_pydict()) == (1, {"n": [0]})


@pytest.mark.parametrize("added", [[b"\xff", b"b\xfe"], [b"fine", b"as well"]])
def test_values_that_do_not_fit_keep_their_rows_and_doubts(
    store: Store, tmp_path: Path, read: list[str], added: list[bytes]
) -> None:
    path = tmp_path / "t"
    for texts in ([b"a", b"\xffb"], added):
        before = set(path.glob("*.parquet"))
        _append(path, n=[1, 2], s=["a", "b"])
        (file,) = set(path.glob("*.parquet")) - before
        # Another program wrote text that is not UTF-8: such cells are problems.
        table = pq.read_table(file)
        pq.write_table(table.set_column(1, "s", pa.array(texts).view(pa.string())), file)
        read.clear()
        record = load_path(store, path, "t")
        assert _same_as_a_full_load(store, path, record)
    report = load_report(store, record)
    assert report is not None
    assert [each.row for each in report.problems if each.row is not None] == [1, *(2, 3) * (added[0] == b"\xff")]
    assert record.doubt.columns == {"s"}


CHANGES: dict[str, Callable[[Path], object]] = {
    "rows deleted": lambda path: deltalake.DeltaTable(str(path)).delete("n = 1"),
    "a file deleted": lambda path: deltalake.DeltaTable(str(path)).delete("n in (1, 11)"),
    "rows updated": lambda path: deltalake.DeltaTable(str(path)).update(predicate="n = 1", updates={"s": "'new'"}),
    "compacted": lambda path: deltalake.DeltaTable(str(path)).optimize.compact(),
    "overwritten": lambda path: deltalake.write_deltalake(
        str(path), pa.table({"n": [9], "s": ["z"]}), mode="overwrite"
    ),
    "restored": lambda path: deltalake.DeltaTable(str(path)).restore(0),
    "made anew": lambda path: _made_anew(path),
}


def _made_anew(path: Path) -> None:
    shutil.rmtree(path)
    for number in range(5):
        _append(path, n=[100 + number], s=["other"])


@pytest.mark.parametrize("change", CHANGES)
def test_only_files_whose_rows_changed_are_read(store: Store, tmp_path: Path, read: list[str], change: str) -> None:
    path = tmp_path / "t"
    for number in range(3):
        _append(path, n=[number, number + 10], s=["x", "y"])
    load_path(store, path, "t")
    before = set(deltalake.DeltaTable(str(path)).file_uris())
    CHANGES[change](path)
    read.clear()
    record = load_path(store, path, "t")
    new = set(deltalake.DeltaTable(str(path)).file_uris()) - before
    assert sorted(read) == sorted(Path(each).name for each in new)
    assert _same_as_a_full_load(store, path, record)


def test_a_file_is_read_again_if_more_of_its_rows_were_deleted(store: Store, tmp_path: Path, read: list[str]) -> None:
    path = tmp_path / "t"
    for number in range(3):
        _append(path, n=list(range(10 * number, 10 * number + 6)))
    load_path(store, path, "t")
    for deleted in ([1, 4], [1, 2, 4]):
        _delete_by_vector(path, deleted)
        read.clear()
        record = load_path(store, path, "t")
        assert (len(read), record.rows) == (1, 18 - len(deleted))
        assert _same_as_a_full_load(store, path, record)
    _append(path, n=[99])
    read.clear()
    record = load_path(store, path, "t")
    assert (len(read), record.rows) == (1, 16)
    assert _same_as_a_full_load(store, path, record)


def _delete_by_vector(path: Path, rows: list[int]) -> None:
    """Write a commit that deletes rows of the second file of a table, as Spark does it."""
    log = path / "_delta_log"
    first, *_ = (json.loads(line) for line in (log / f"{0:020d}.json").read_text().splitlines() if "protocol" in line)
    first["protocol"] = {
        "minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["deletionVectors"],
        "writerFeatures": ["deletionVectors"],
    }  # fmt: skip
    found = [json.loads(line) for line in (log / f"{1:020d}.json").read_text().splitlines()]
    (add,) = (each for each in found if "add" in each)
    version = len(list(log.glob("*.json")))
    known = sorted(log.glob("*.json"))[-1].read_text()
    adds = [json.loads(line).get("add", {}) for line in known.splitlines()]
    earlier = next((each for each in adds if "deletionVector" in each), add["add"])
    remove = {"path": earlier["path"], "dataChange": True, "deletionTimestamp": earlier["modificationTime"]}
    if "deletionVector" in earlier:
        remove["deletionVector"] = earlier["deletionVector"]
    actions = [first, {"remove": remove}, {"add": {**add["add"], "deletionVector": deletion_vector(rows)}}]
    (log / f"{version:020d}.json").write_text("".join(json.dumps(each) + "\n" for each in actions))


@pytest.mark.parametrize("seed", range(6))
def test_random_histories_of_a_delta_table_give_what_full_loads_give(
    store: Store, tmp_path: Path, read: list[str], seed: int
) -> None:
    path, chance = tmp_path / "t", random.Random(seed)
    _append(path, n=list(range(8)), s=["x"] * 8)
    saved = 0
    for step in range(9):
        for _ in range(chance.choice([1, 1, 2])):
            _change_delta(path, chance, step)
        read.clear()
        record = load_path(store, path, "t")
        files = deltalake.DeltaTable(str(path)).file_uris()
        saved += len(files) - len(set(read))
        assert _same_as_a_full_load(store, path, record), step
    assert saved > 0
    assert doctor(store) == []


def _change_delta(path: Path, chance: random.Random, step: int) -> None:
    table = deltalake.DeltaTable(str(path))
    some = f"n % {chance.randint(2, 5)} = {chance.randint(0, 1)}"
    rows = pa.table({"n": [chance.randint(0, 40) for _ in range(5)], "s": [chance.choice(["a", None])] * 5})
    kind = chance.choice(["append", "append", "append", "delete", "update", "merge", "compact", "restore"])
    if kind == "append":
        deltalake.write_deltalake(str(path), rows, mode="append")
    elif kind == "delete":
        table.delete(f"{some} and n > {chance.randint(10, 30)}")
    elif kind == "update":
        table.update(predicate=f"{some} and n < {chance.randint(3, 20)}", updates={"s": f"'{step}'"})
    elif kind == "merge":
        # Rows to merge with have one match each at most.
        source = rows.group_by("n").aggregate([("s", "min")]).rename_columns(["n", "s"])
        merge = table.merge(source, "t.n = s.n", source_alias="s", target_alias="t")
        merge.when_matched_update({"s": "s.s"}).when_not_matched_insert_all().execute()
    elif kind == "compact":
        table.optimize.compact()
    elif table.version() > 1:
        table.restore(chance.randint(1, table.version() - 1))


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_random_histories_of_an_iceberg_table_give_what_full_loads_give(
    store: Store, tmp_path: Path, read: list[str], version: int, seed: int
) -> None:
    chance, folder = random.Random(seed), tmp_path / "t"
    writer = IcebergWriter(folder, {"n": "long", "s": "string"}, version)
    files: list[str] = []
    saved = 0
    for step in range(10):
        kind = chance.choice(["append", "append", "positions", "replace", "values"]) if files else "append"
        rows = pa.table({"n": [chance.randint(0, 9) for _ in range(5)], "s": ["x"] * 5})
        some = chance.choice(files) if files else ""
        if kind == "append":
            writer.commit(writer.rows(f"f{step}", rows))
            files.append(f"f{step}")
        elif kind == "replace":
            writer.commit(writer.rows(f"f{step}", rows.slice(0, 3)), without=[some])
            files[files.index(some)] = f"f{step}"
        elif kind == "values":
            writer.commit(writer.values(f"v{step}", rows.select(["n"]).slice(0, 1)))
        elif version == 2:
            writer.commit(writer.positions(f"d{step}", [(some, chance.randint(0, 2))]))
        else:
            vectors = [f"vector-of-{some}-{n}" for n in range(step)]
            writer.commit(writer.vector(f"vector-of-{some}-{step}", some, [chance.randint(0, 2)]), without=vectors)
        read.clear()
        record = load_path(store, folder, "t")
        saved += len(files) - len(set(read))
        assert _same_as_a_full_load(store, folder, record), (step, kind)
    assert saved > 0
    assert doctor(store) == []


def test_a_doubt_that_went_with_its_file_is_gone(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "t"
    for number, texts in enumerate([[b"a", b"\xffb"], [b"c", b"d"]]):
        before = set(path.glob("*.parquet"))
        _append(path, n=[number, number], s=["a", "b"])
        (file,) = set(path.glob("*.parquet")) - before
        table = pq.read_table(file)
        pq.write_table(table.set_column(1, "s", pa.array(texts).view(pa.string())), file)
    assert load_path(store, path, "t").doubt.columns == {"s"}
    log = path / "_delta_log"
    first = (json.loads(line) for line in (log / f"{0:020d}.json").read_text().splitlines())
    (gone,) = (each["add"] for each in first if "add" in each)
    remove = {"path": gone["path"], "dataChange": True, "deletionTimestamp": gone["modificationTime"]}
    (log / f"{2:020d}.json").write_text(json.dumps({"remove": remove}) + "\n")
    record = load_path(store, path, "t")
    assert (record.rows, store.read(record, 0, 9).to_pydict()["n"]) == (2, [1, 1])
    assert record.doubt.columns == frozenset()
    assert _same_as_a_full_load(store, path, record)


def test_a_table_with_another_column_is_read_as_a_whole(store: Store, tmp_path: Path, read: list[str]) -> None:
    path = tmp_path / "t"
    _append(path, n=[1])
    load_path(store, path, "t")
    _append(path, n=[2], more=[True])
    read.clear()
    record = load_path(store, path, "t")
    assert (len(read), store.read(record, 0, 9).to_pydict()) == (2, {"n": [1, 2], "more": [None, True]})


def test_a_key_or_a_type_is_looked_for_in_all_rows(store: Store, tmp_path: Path, read: list[str]) -> None:
    path = tmp_path / "t"
    requests: list[dict[str, Any]] = [{"key": "n"}, {"options": Options(types={"s": "int"})}]
    for number, request in enumerate(requests):
        _append(path, n=[1], s=[str(number)])
        load_path(store, path, "t")
        _append(path, n=[1], s=["x"])
        read.clear()
        record = load_path(store, path, "t", LoadRequest(**request))
        assert len(read) >= len(deltalake.DeltaTable(str(path)).file_uris())
        assert _same_as_a_full_load(store, path, record, **request)


def test_only_added_files_of_an_iceberg_table_are_read(store: Store, catalog: SqlCatalog, read: list[str]) -> None:
    table = catalog.create_table("db.events", schema=pa.schema([("k", pa.int64()), ("x", pa.string())]))
    for number in range(3):
        table.append(pa.table({"k": [number, number], "x": ["a", None]}))
        read.clear()
        record = load_path(store, folder_of(table), "events")
        assert len(read) == 1
        assert _same_as_a_full_load(store, folder_of(table), record)
    table.delete("k = 1")
    read.clear()
    record = load_path(store, folder_of(table), "events")
    assert (read, record.rows) == ([], 4)
    assert _same_as_a_full_load(store, folder_of(table), record)


def test_rows_that_an_iceberg_table_numbers_keep_their_numbers(store: Store, tmp_path: Path, read: list[str]) -> None:
    writer = IcebergWriter(tmp_path / "t", {"n": "long"}, version=3)
    for number in range(3):
        writer.commit(writer.rows(f"f{number}", pa.table({"n": [7, number]})))
        read.clear()
        record = load_path(store, tmp_path / "t", "t")
        assert len(read) == 1
        assert _same_as_a_full_load(store, tmp_path / "t", record)
    read.clear()
    again = load_path(store, tmp_path / "t", "t")
    assert (read, store.read(again, 0, 9, [TABLE_ROW_COLUMN]).column(0).to_pylist()) == ([], [0, 1, 2, 3, 4, 5])
    assert _same_as_a_full_load(store, tmp_path / "t", again)
    writer.commit(writer.vector("v", "f0", [0]))
    read.clear()
    shorter = load_path(store, tmp_path / "t", "t")
    assert (read, shorter.rows) == (["f0"], 5)
    assert _same_as_a_full_load(store, tmp_path / "t", shorter)


def test_rows_that_were_forgotten_come_back_with_a_reload_of_their_file(
    ws: whence.Workspace, tmp_path: Path, read: list[str]
) -> None:
    path = tmp_path / "t"
    _append(path, n=[1, 2])
    ws.load(path, name="t")
    ws.forget("t", where="n = 1")
    _append(path, n=[3])
    read.clear()
    assert ws.reload("t").to_arrow().to_pydict() == {"n": [1, 2, 3]}
    assert len(read) == 2


def test_a_stated_caveat_stays_on_its_row_where_files_were_added(
    ws: whence.Workspace, tmp_path: Path, read: list[str]
) -> None:
    path = tmp_path / "t"
    _append(path, n=[1, 2], at=[datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=day) for day in range(2)])
    ws.load(path, name="t").caveat([1], "n", "who knows")
    _append(path, n=[3], at=[datetime(2024, 2, 1, tzinfo=UTC)])
    read.clear()
    after = ws.reload("t")
    assert len(read) == 1
    assert after.to_arrow().column("n").to_pylist() == [1, 2, 3]
    assert after.caveats.marks().column("n").to_pylist() == [False, True, False]
    assert ws.diff("t@1", "t").added.to_arrow().column("n").to_pylist() == [3]
