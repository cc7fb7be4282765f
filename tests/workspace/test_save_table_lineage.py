"""Row lineage that stands beside a saved table, and is found at the rows again, in any workspace."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import whence
from whence.cli.printing import trace_lines
from whence.loading.table_lineage import lineage_folder
from whence.loading.table_notes import content_keys
from whence.workspace import save_table_lineage
from whence.workspace.dataset import Dataset

deltalake = pytest.importorskip("deltalake")
Save = Callable[..., None]
FORMATS = ["delta", "iceberg"]


def _save(dataset: Dataset, form: str, path: Path, **options: Any) -> None:  # noqa: ANN401
    place: dict[str, Any] = {form: path}
    dataset.save(**place, **options)


def _orders(ws: whence.Workspace, folder: Path, seed: int = 1) -> Dataset:
    chance = random.Random(seed)
    lines = [f"{chance.choice('abc')},{number},{chance.randint(1, 5)}" for number in range(60)]
    file = folder / "orders.csv"
    file.write_text("\n".join(["k,n,x", *lines]) + "\n")
    return ws.load(file, name="orders")


def _by_row(table: pa.Table) -> dict[int, list[dict[str, object]]]:
    found: dict[int, list[dict[str, object]]] = {}
    for each in table.to_pylist():
        found.setdefault(each["row"], []).append(each)
    return found


@pytest.mark.parametrize("form", FORMATS)
def test_each_row_of_a_loaded_table_knows_its_lines_of_the_source_file(
    ws: whence.Workspace, tmp_path: Path, form: str
) -> None:
    orders = _orders(ws, tmp_path)
    _save(ws.sql("select k, sum(x) s, count(*) c from orders where x > 1 group by k", name="t"), form, tmp_path / "t")
    with whence.open(tmp_path / "other.whence", spark=ws.spark) as other:
        loaded = other.load(tmp_path / "t", name="again")
        saved = _by_row(loaded.lineage.saved(range(loaded.count)))
        rows = loaded.to_arrow().to_pylist()
        assert loaded.load_report is not None
        assert not any("Row lineage" in each.message for each in loaded.load_report.problems)
    source = orders.to_arrow().to_pylist()
    (keys,) = [content_keys([orders.to_arrow()], orders.columns)]
    for row, values in enumerate(rows):
        expected = [n for n, each in enumerate(source) if each["k"] == values["k"] and each["x"] > 1]
        assert [each["source_row"] for each in saved[row]] == expected
        assert [each["line"] for each in saved[row]] == [n + 2 for n in expected]
        assert [each["source_key"] for each in saved[row]] == [keys[n] for n in expected]
        assert {(each["source"], each["file"]) for each in saved[row]} == {("orders@1", "orders.csv")}


def test_a_join_names_both_sources_and_a_loaded_dataset_itself(ws: whence.Workspace, tmp_path: Path) -> None:
    orders = _orders(ws, tmp_path)
    ws.create("names", [("a", "Ada"), ("b", "Bob")], schema="k string, name string")
    joined = ws.sql("select n, name from orders join names using (k)", name="joined")
    joined.save(delta=tmp_path / "joined")
    orders.save(delta=tmp_path / "copy")
    again, copy = ws.load(tmp_path / "joined", name="again"), ws.load(tmp_path / "copy", name="copied")
    for row, (n, name) in enumerate(zip(*again.to_arrow().to_pydict().values(), strict=True)):
        found = {each["source"]: each for each in again.lineage.saved([row]).to_pylist()}
        assert (found["orders@1"]["source_row"], found["orders@1"]["line"]) == (n, n + 2)
        assert (found["names@1"]["source_row"], found["names@1"]["line"]) == (["Ada", "Bob"].index(name), None)
        assert found["names@1"]["file"] == ""
    assert [each["source_row"] for each in copy.lineage.saved([7]).to_pylist()] == copy.to_arrow()["n"].to_pylist()[7:8]


@pytest.mark.parametrize("form", FORMATS)
def test_rows_that_are_added_keep_the_lineage_of_those_that_were_there_and_rows_that_replace_do_not(
    ws: whence.Workspace, tmp_path: Path, form: str
) -> None:
    _orders(ws, tmp_path)
    path = tmp_path / "t"
    first, second = (ws.sql(f"select n, x from orders where n % 10 = {n}", name=f"part_{n}") for n in (1, 2))
    _save(first, form, path)
    _save(second, form, path, mode="append")
    loaded = ws.load(path, name="again")
    saved = _by_row(loaded.lineage.saved(range(loaded.count)))
    assert [[each["source_row"] for each in saved[row]] for row in range(12)] == [
        [n] for n in loaded.to_arrow()["n"].to_pylist()
    ]
    _save(
        ws.sql("select n, x from orders where n < 3 union all select 61, 1", name="late"), form, path, mode="overwrite"
    )
    last = ws.load(path, name="again")
    rows = last.to_arrow()["n"].to_pylist()
    assert {rows[row]: [each["source_row"] for each in saved] for row, saved in _by_row(
        last.lineage.saved(range(last.count))
    ).items()} == {0: [0], 1: [1], 2: [2]}  # fmt: skip
    before = ws.load(path, name="before", version=loaded.load_report.source.version)  # type: ignore[union-attr]
    assert before.lineage.saved(range(12)).equals(loaded.lineage.saved(range(12)))


def test_equal_rows_share_their_lineage_and_rows_of_other_programs_have_none(
    ws: whence.Workspace, tmp_path: Path
) -> None:
    ws.create("pairs", [(1, "x"), (1, "y"), (2, "z")], schema="n bigint, s string")
    ws.sql("select n from pairs", name="numbers").save(delta=tmp_path / "t")
    deltalake.write_deltalake(str(tmp_path / "t"), pa.table({"n": [2, 7]}), mode="append")
    loaded = ws.load(tmp_path / "t", name="again")
    found = [
        (loaded.to_arrow()["n"][row].as_py(), [each["source_row"] for each in some])
        for row, some in _by_row(loaded.lineage.saved(range(5))).items()
    ]
    assert sorted(found) == [(1, [0, 1]), (1, [0, 1]), (2, [2]), (2, [2])]
    assert loaded.load_report is not None
    (note,) = [each.message for each in loaded.load_report.problems if "lineage" in each.message]
    assert note == "Row lineage stands beside the table for all but 1 row."


def test_what_is_left_out_is_said(ws: whence.Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _orders(ws, tmp_path)
    all_rows = ws.sql("select k, n from orders", name="all_rows")
    monkeypatch.setattr(save_table_lineage, "MOST_PAIRS", 50)
    all_rows.save(delta=tmp_path / "large")
    ws.sql("select n from orders limit 50", name="some").save(delta=tmp_path / "some")
    ws.sql("select n from orders", name="untraced", lineage=False).save(delta=tmp_path / "untraced")
    ws.sql("select n from orders", name="unwanted").save(delta=tmp_path / "unwanted", lineage=False)
    all_rows.save(delta=tmp_path / "alone", caveats=False)
    assert lineage_folder(tmp_path / "large").exists()
    assert not any(lineage_folder(tmp_path / each).exists() for each in ("unwanted", "alone"))
    said = {
        "large": ["Row lineage is not beside the table: it has 60 pairs of rows, and at most 50 are written."],
        "some": [],
        "untraced": ["Row lineage is not beside the table: the lineage of untraced@1 is not exact."],
        "unwanted": [],
    }
    for name, expected in said.items():
        loaded = ws.load(tmp_path / name, name=f"{name}_again")
        assert loaded.load_report is not None
        assert [each.message for each in loaded.load_report.problems if "Row lineage" in each.message] == expected
        assert loaded.lineage.saved([0]).num_rows == (name == "some")


def test_lineage_stays_with_a_stated_caveat_and_is_told_of_what_is_made_from_the_table(
    ws: whence.Workspace, tmp_path: Path
) -> None:
    _orders(ws, tmp_path)
    ws.sql("select n, x from orders where n = 7", name="one").save(delta=tmp_path / "t")
    with whence.open(tmp_path / "other.whence", spark=ws.spark) as other:
        doubted = other.load(tmp_path / "t", name="again").caveat([0], "x", "who knows")
        assert doubted.lineage.saved([0])["source_row"].to_pylist() == [7]
        made = other.sql("select sum(x) s from again", name="made")
        last = list(trace_lines(made, 0, "s", 3))[-1]
        assert last == "Beside the table that again@1 was loaded from: row 7 of orders@1 (orders.csv, line 9)."


def test_rows_that_are_forgotten_take_the_lineage_with_them(ws: whence.Workspace, tmp_path: Path) -> None:
    _orders(ws, tmp_path)
    ws.sql("select n, x from orders where n < 9", name="nine").save(delta=tmp_path / "t")
    with whence.open(tmp_path / "other.whence", spark=ws.spark) as other:
        other.load(tmp_path / "t", name="again")
        other.forget("again", where="n = 0")
        assert other["again"].lineage.saved(range(8)).num_rows == 0


def test_lineage_survives_the_compaction_of_the_table(ws: whence.Workspace, tmp_path: Path) -> None:
    _orders(ws, tmp_path)
    for mode, part in (("errorifexists", 1), ("append", 2)):
        _save(ws.sql(f"select n, x from orders where n % 10 = {part}", name="part"), "delta", tmp_path / "t", mode=mode)
    table = deltalake.DeltaTable(str(tmp_path / "t"))
    table.optimize.compact()
    table.vacuum(retention_hours=0, enforce_retention_duration=False, dry_run=False)
    assert len(table.file_uris()) == 1
    loaded = ws.load(tmp_path / "t", name="again")
    saved = _by_row(loaded.lineage.saved(range(12)))
    numbers = loaded.to_arrow()["n"].to_pylist()
    assert sorted(numbers) == [n for n in range(60) if n % 10 in (1, 2)]
    assert [[each["source_row"] for each in saved[row]] for row in range(12)] == [[n] for n in numbers]
