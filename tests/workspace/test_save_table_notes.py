"""Doubts that stand beside a saved table: they come back on the same rows, in another workspace, and on no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import whence
from whence.loading.table_notes import FOLDER
from whence.model.errors import BadInput

deltalake = pytest.importorskip("deltalake")
pytest.importorskip("pyiceberg")
FORMS = ("delta", "iceberg")


def doubted_rows(dataset: Any) -> set[tuple[object, ...]]:  # noqa: ANN401
    """The values of each row, with those of its cells that are in doubt and whether the row is."""
    values, marks = dataset.to_arrow().to_pylist(), dataset.caveats.marks().to_pylist()
    return {
        (tuple(row.items()), tuple(name for name, is_doubtful in mark.items() if is_doubtful))
        for row, mark in zip(values, marks, strict=True)
    }


@pytest.mark.parametrize("form", FORMS)
def test_doubts_come_back_in_another_workspace(ws: whence.Workspace, tmp_path: Path, form: str) -> None:
    file = tmp_path / "prices.csv"
    file.write_text("part,price\nbolt,1\nnut,oops\npin,3\ncam,4\n")
    prices = ws.load(file, types={"price": "int"})
    made = ws.sql("select part, price + 1 as more, part like '%n%' as n from prices order by part desc", name="made")
    made = made.caveat([0], None, "counted twice")
    expected = doubted_rows(made)
    assert [each for _, each in sorted(expected)] == [(), (), ("more",), ("_row",)]
    place = tmp_path / "saved"
    made.save(**{form: place})  # type: ignore[arg-type]
    assert prices.count == 4
    with whence.open(tmp_path / "other.whence", spark=ws.spark) as other:
        loaded = other.load(place, name="loaded")
        assert doubted_rows(loaded) == expected
        row = next(n for n, each in enumerate(loaded.to_arrow().to_pylist()) if each["part"] == "nut")
        assert any(
            "'oops' is not an int" in each.message or "oops" in each.message
            for each in loaded.caveats.list(row, "more")
        )
        assert loaded.load_report is not None
        notes = [each.message for each in loaded.load_report.problems if each.row is None]
        assert len(notes) == 1
        assert notes[0].startswith(f"Saved from {made.record.label}")
        assert "prices.csv, sha256 " in notes[0]
        assert str(tmp_path) not in notes[0]
        # What is made from the table is in doubt as what is made from the dataset.
        total = other.sql("select n, sum(more) as s from loaded group by n order by n", name="total")
        again = ws.sql("select n, sum(more) as s from made group by n order by n", name="again")
        assert total.caveats.marks().to_pylist() == again.caveats.marks().to_pylist()
        with pytest.raises(BadInput, match="doubts about its rows stand beside the table"):
            other.load(place, in_place=True)


@pytest.mark.parametrize("form", FORMS)
def test_doubts_follow_the_versions_of_the_table(ws: whence.Workspace, tmp_path: Path, form: str) -> None:
    place = tmp_path / "t"

    def save(name: str, rows: list[tuple[str, int]], doubts: list[tuple[int, str, str]], mode: str) -> None:
        made = ws.create(name, rows, schema="k string, x int", cell_caveats=doubts)
        made.save(mode=mode, **{form: place})  # type: ignore[arg-type]

    def doubted() -> list[tuple[str, int, bool]]:
        loaded = ws.load(place, name="t")
        marks = loaded.caveats.marks().column("x").to_pylist()
        rows = loaded.to_arrow().to_pylist()
        return sorted((row["k"], row["x"], mark) for row, mark in zip(rows, marks, strict=True))

    save("a", [("a", 1), ("b", 2), ("b", 2)], [(1, "x", "smudged")], "errorifexists")
    first = ws.load(place, name="first")
    # Equal rows cannot be told apart, so both are in doubt.
    assert doubted() == [("a", 1, False), ("b", 2, True), ("b", 2, True)]
    save("c", [("c", 3), ("d", 4)], [(1, "x", "torn")], "append")
    assert doubted() == [("a", 1, False), ("b", 2, True), ("b", 2, True), ("c", 3, False), ("d", 4, True)]
    save("e", [("b", 2), ("e", 5)], [], "overwrite")
    assert doubted() == [("b", 2, False), ("e", 5, False)]
    assert first.load_report is not None
    old = ws.load(place, name="old", version=first.load_report.source.version)
    assert sum(old.caveats.marks().column("x").to_pylist()) == 2


def test_rows_that_others_changed_lose_their_doubts_with_a_note(ws: whence.Workspace, tmp_path: Path) -> None:
    place = tmp_path / "t"
    doubts = [(0, "x", "smudged"), (1, "x", "torn")]
    ws.create("a", [(1, 1), (2, 2)], schema="k int, x int", cell_caveats=doubts).save(delta=place)
    deltalake.DeltaTable(str(place)).update(predicate="k = 1", updates={"x": "7"})
    loaded = ws.load(place, name="t")
    marks = dict(
        zip(loaded.to_arrow().column("k").to_pylist(), loaded.caveats.marks().column("x").to_pylist(), strict=True)
    )
    assert marks == {1: False, 2: True}
    assert loaded.load_report is not None
    messages = [each.message for each in loaded.load_report.problems]
    assert "1 doubts beside the table are about rows or columns that are gone." in messages
    # The doubts are rows that others can read, and programs that clean the table's folder leave them alone.
    table = deltalake.DeltaTable(str(place))
    table.vacuum(retention_hours=0, enforce_retention_duration=False, dry_run=False)
    files = deltalake.DeltaTable(str(place / FOLDER)).file_uris()
    told = duckdb.execute("select \"column\", message from read_parquet(?) where kind = 'doubt' order by 2", [files])
    assert told.fetchall() == [("x", "smudged"), ("x", "torn")]


def test_a_table_that_is_not_ours_is_refused_in_one_sentence(ws: whence.Workspace, tmp_path: Path) -> None:
    place = tmp_path / "t"
    ws.create("a", [(1,)], schema="k int").save(delta=place)
    deltalake.write_deltalake(str(place / FOLDER), pa.table({"n": [1]}), mode="overwrite", schema_mode="overwrite")
    with pytest.raises(BadInput, match=r"The doubts beside the table, in .*_whence, cannot be read"):
        ws.load(place)


def test_missing_rows_and_many_doubts_are_told(ws: whence.Workspace, tmp_path: Path) -> None:
    rows = [(n, n % 7) for n in range(1500)]
    all_doubts = [(n, "x", f"reading {n % 2}") for n in range(1200)]
    base = ws.create("base", rows, schema="k int, x int", cell_caveats=all_doubts)
    base.save(delta=tmp_path / "many")
    loaded = ws.load(tmp_path / "many", name="many")
    assert doubted_rows(loaded) == doubted_rows(base)
    assert loaded.caveats.list(0, "x")[0].message.startswith("one of these: ")
    filtered = ws.sql("select k from base where x > 3", name="filtered")
    assert filtered.caveats.row_set
    filtered.save(delta=tmp_path / "filtered")
    again = ws.load(tmp_path / "filtered", name="again")
    assert again.caveats.row_set
    assert doubted_rows(again) == doubted_rows(filtered)
    filtered.save(delta=tmp_path / "plain", caveats=False)
    assert not (tmp_path / "plain" / FOLDER).exists()
    plain = ws.load(tmp_path / "plain", name="plain")
    assert (plain.caveats.row_set, plain.to_arrow().num_rows) == (False, filtered.count)
    assert pa.types.is_integer(plain.to_arrow().schema.field("k").type)
