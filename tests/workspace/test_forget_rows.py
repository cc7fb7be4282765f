"""Forgetting the rows of a person, through the public handles, on small workspaces with a token in every place."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import whence
from tests.store.needles import places
from whence.cli.main import app
from whence.model.caveat import CaveatRef
from whence.model.certificate import Certificate
from whence.model.errors import NotSupported, UnknownDataset, UserError
from whence.store.doctor import doctor
from whence.workspace.forgetting.forget_rows import forget_rows

NEEDLE = "Ottilie-Quandt-7741"
SCHEMA = "id int, name string, age int"
ROWS = [(1, "Ada", 36), (4711, NEEDLE, 51), (3, "Cy", None), (4, "Dee", 40)]


@pytest.fixture
def people(ws: whence.Workspace) -> whence.Dataset:
    doubts = [(1, "age", f"{NEEDLE} said so"), (3, "age", "smudged")]
    return ws.create("people", ROWS, schema=SCHEMA, cell_caveats=doubts)


def without(rows: list[tuple[int, str, int | None]]) -> list[tuple[int, str, int | None]]:
    return [row for row in rows if row[0] != 4711]


def look(dataset: whence.Dataset) -> list[object]:
    """What one sees of a version: rows, doubts, caveats, row keys and where each row came from."""
    sources = [
        dataset.lineage.backward([row], to=parent).ids.tolist()
        for parent in dataset.parents()
        for row in range(dataset.count)
    ]
    return [
        dataset.record.label,
        dataset.to_arrow().to_pylist(),
        dataset.caveats.marks().to_pylist(),
        [
            (each.message, each.row, each.column, each.line)
            for group in dataset.caveats.list()
            for each in group.references
        ],
        dataset.row_keys(),
        sources,
    ]


def fill(ws: whence.Workspace, rows: list[tuple[int, str, int | None]]) -> None:
    """A workspace in which everything that can be made again was made."""
    places_of = {row[0]: place for place, row in enumerate(rows)}
    doubts = [(places_of[4], "age", "smudged")]
    doubts += [(places_of[4711], "age", f"{NEEDLE} said so")] if 4711 in places_of else []
    ws.create("people", rows, schema=SCHEMA, cell_caveats=doubts)
    ws["people"].caveat("id in (1, 4711)", "age", "guessed")
    ws.create("pets", [(1, "cat"), (4711, "dog"), (4, "fish")], schema="owner int, kind string")
    ws.sql("select p.name, q.kind, age from people p join pets q on p.id = q.owner", name="owners")
    ws.sql("select count(*) n, max(age) oldest from owners", name="summary")
    ws.lens("impute", "people", name="filled", column="age", method="mean")
    ws.sql("select age > 40 old, count(*) n from filled group by 1 order by 1", name="ages")


def fill_steps(ws: whence.Workspace, rows: list[tuple[int, str, int | None]]) -> None:
    """A workspace with pipelines of several steps, charts, and what was made from these."""
    ws.create("people", rows, schema=SCHEMA)
    ws.create("pets", [(1, "cat"), (4711, "dog"), (4, "fish")], schema="id int, kind string")
    steps = whence.Pipeline(ws["people"], name="ready").impute({"age": "mean"}).join("pets", on="id", how="left")
    steps.derive({"old": "age > 40"}).sort("name").rename({"kind": "pet"}).result  # noqa: B018 - storing it
    ws.sql("select old, count(*) n from ready group by 1 order by 1", name="ages")
    bars = {"aes": {"x": "pet", "y": "age"}, "stat": "sum", "geom": "bar"}
    assert ws["ready"].chart(bars, name="bars").marks.count > 1
    binned = {"aes": {"x": "age"}, "stat": {"type": "bin", "bins": 4}, "geom": "bar"}
    assert ws["people"].chart(binned, name="spread").marks.count > 1
    ws.sql("select max(y) as most from bars", name="most")
    ws.create("pets", [(1, "newt")], schema="id int, kind string")


def test_pipelines_and_charts_are_made_again_over_the_versions_that_they_read(
    ws: whence.Workspace, tmp_path: Path
) -> None:
    fill_steps(ws, ROWS)
    certificate = ws.forget("people", where="id = 4711")
    assert certificate.deleted == {}
    with whence.open(tmp_path / "never.whence") as never:
        fill_steps(never, without(ROWS))
        for label in certificate.made_again:
            assert look(ws[label]) == look(never[label]), label
        assert set(certificate.made_again) >= {"ready@1", "ages@1", "bars@1", "spread@1", "most@1"}
        for name in ("bars", "spread"):
            seen, other = (w._context.store.document(w[name].record, "chart") for w in (ws, never))
            assert seen is not None
            assert other is not None
            assert seen["spec"] == other["spec"]
            assert seen["data"] == ws["ready" if name == "bars" else "people"].record.id
        ready = [whence.Pipeline.from_dataset(w["ready"]) for w in (ws, never)]
        assert [each.code for each in ready[0].operations] == [each.code for each in ready[1].operations]
        assert ready[0].report() == ready[1].report()
    assert places(ws.path, NEEDLE) == set()
    assert doctor(ws._context.store) == []


def edit(ws: whence.Workspace, rows: list[tuple[int, str, int | None]]) -> None:
    """A workspace with sheets: edits of rows that stay and that go, of columns, and formulas with lookups."""
    places_of = {row[0]: place for place, row in enumerate(rows)}
    ws.create("people", rows, schema=SCHEMA, cell_caveats=[(places_of[4], "age", "smudged")])
    ws.create("pets", [(1, "cat"), (4711, "dog"), (4, "fish")], schema="owner int, kind string")
    sheet = ws.sheet("people").set(places_of[1], "age", 37)
    if 4711 in places_of:
        sheet.set(places_of[4711], "name", f"{NEEDLE} again").set(places_of[4711], "age", 52)
    deleted = [places_of[3], places_of[4711]] if 4711 in places_of else [places_of[3]]
    sheet.delete_row(*deleted)
    sheet.insert_column("kind", value="=XLOOKUP([@id], pets[owner], pets[kind])")
    sheet.insert_column("older", value="=[@age]+1").rename_column("age", "years").sort(("name", "desc"))
    sheet.apply(name="edited")
    ws.sql("select sum(older) as n, count(kind) as k from edited", name="summed")
    ws.sheet("summed").insert_column("twice", value="=[@n]*2").apply(name="doubled")
    ws.create("pets", [(1, "newt")], schema="owner int, kind string")


def test_sheets_are_made_again_without_the_edits_of_rows_that_go(ws: whence.Workspace, tmp_path: Path) -> None:
    edit(ws, ROWS)
    certificate = ws.forget("people", where="id = 4711")
    assert (certificate.deleted, certificate.made_again) == ({}, ("edited@1", "summed@1", "doubled@1"))
    with whence.open(tmp_path / "never.whence") as never:
        edit(never, without(ROWS))
        for label in certificate.made_again:
            assert look(ws[label]) == look(never[label]), label
        assert ws["edited"].record.text == never["edited"].record.text
    assert ws["edited"].to_arrow().column("kind").to_pylist() == ["fish", "cat"]
    assert places(ws.path, NEEDLE) == set()
    assert doctor(ws._context.store) == []


def test_edits_about_rows_that_go_are_dropped_and_the_sheet_is_kept(
    ws: whence.Workspace, people: whence.Dataset
) -> None:
    sheet = ws.sheet(people).set(0, "name", f"met {NEEDLE}").set(2, "age", 20)
    sheet.move_row(1, after=0).move_row(3, after=1).move_row(1, 3, after=None).apply(name="met")
    ws.sheet(people).replace("Ada", "Eve", ["name"]).apply(name="renamed")
    query = ws.sql("select id, age from people order by id", name="ages")
    ws.sheet(query).set(0, "age", 1).apply(name="aged")
    certificate = ws.forget("people", where="id = 4711")
    assert dict(certificate.deleted) == {"aged@1": "its edits name rows of a dataset that is made again"}
    assert "3 edits of met@1 about rows that go, or with texts that only they had." in certificate.removed
    assert ws["met"].to_arrow().select(["name", "age"]).to_pylist() == [
        {"name": "Cy", "age": 20},
        {"name": "Ada", "age": 36},
        {"name": "Dee", "age": 40},
    ]
    assert ws["renamed"].to_arrow().column("name").to_pylist() == ["Eve", "Cy", "Dee"]
    assert places(ws.path, NEEDLE) == set()


def test_a_chart_of_a_sample_is_deleted(ws: whence.Workspace, people: whence.Dataset) -> None:
    points = {"aes": {"x": "id", "y": "id"}, "stat": {"type": "sample", "n": 2}, "geom": "point"}
    assert people.chart(points, name="some").marks.count == 2
    assert dict(ws.forget("people", where="id = 4711").deleted) == {"some@1": "it shows a random sample"}


def test_every_answer_is_that_of_a_workspace_without_the_rows(ws: whence.Workspace, tmp_path: Path) -> None:
    fill(ws, ROWS)
    certificate = ws.forget("people", where="id = 4711")
    assert certificate.made_again == ("people@2", "owners@1", "summary@1", "filled@1", "ages@1")
    assert (certificate.deleted, certificate.count) == ({}, 1)
    with whence.open(tmp_path / "never.whence") as never:
        fill(never, without(ROWS))
        for label in ("people@1", "people@2", "owners@1", "summary@1", "filled@1", "ages@1"):
            assert look(ws[label]) == look(never[label]), label
    assert places(ws.path, NEEDLE) == set()
    assert doctor(ws._context.store) == []


def test_what_was_made_again_is_made_again_once_more(ws: whence.Workspace, people: whence.Dataset) -> None:
    ws.sql("select name, age from people where age > 30", name="grown")
    for gone, left in ((4711, ["Ada", "Dee"]), (1, ["Dee"])):
        certificate = ws.forget("people", where=f"id = {gone}")
        assert (certificate.made_again, certificate.deleted) == (("grown@1",), {})
        assert ws["grown"].to_arrow().column("name").to_pylist() == left


def test_a_plan_shows_what_is_reached_and_changes_nothing(ws: whence.Workspace, people: whence.Dataset) -> None:
    ws.sql("select age from people", name="ages")
    ws.sql("select age, rand() r from people", name="dice")
    ws.sql("select max(r) m from dice", name="luck")
    before = places(ws.path, NEEDLE)
    plan = ws.plan_forgetting("people", "id = 4711")
    assert plan.to_json() == {
        "dataset": "people",
        "rows": {"people@1": 1},
        "made_again": ["ages@1"],
        "deleted": {
            "dice@1": "its query gives other values each time",
            "luck@1": "it was made from a version that is deleted",
        },
        "out_of_reach": list(plan.out_of_reach),
    }
    assert places(ws.path, NEEDLE) == before != set()
    assert ws["people"].record == people.record


def test_what_cannot_be_made_again_is_deleted_and_said(ws: whence.Workspace, people: whence.Dataset) -> None:
    ws.dataset(people.df.where("age > 30"), name="frame")
    ws.sheet(ws.sql("select id, name from people", name="names")).set(0, "id", 9).apply(name="edited")
    ws.sql("select n.name from {r} n", name="bound", r=people)
    ws.sql("select 1 as one", name="stays")
    certificate = ws.forget("people", where="id = 4711")
    assert dict(certificate.deleted) == {
        "frame@1": "a DataFrame of a session made it",
        "edited@1": "its edits name rows of a dataset that is made again",
        "bound@1": "its query has parameters or functions that are not stored",
    }
    assert [each.name for each in ws.datasets()] == ["people", "names", "stays"]
    assert places(ws.path, NEEDLE) == set()


def test_a_handle_of_an_old_version_says_what_to_do(ws: whence.Workspace, people: whence.Dataset) -> None:
    ws.forget("people", where="id = 4711")
    with pytest.raises(UnknownDataset, match="open it again by its name"):
        people.to_arrow()
    again = ws["people"]
    assert (again.version, again.count) == (1, 3)
    assert again.notes[0].startswith("Rows were forgotten on ")
    assert "1 row of people@1 went" in again.notes[0]


def test_refusals_say_what_to_do(ws: whence.Workspace, people: whence.Dataset) -> None:
    ws.sql("select * from people where id = 4711", name="chosen")
    with pytest.raises(UserError, match=r"No row of people meets the condition\. Nothing was changed\."):
        ws.forget("people", where="id = 5000")
    with pytest.raises(UserError, match=r"chosen@1 has such rows from people@1\. Forget them there first\."):
        ws.forget("chosen", where="id = 4711")
    with pytest.raises(UserError, match=r"people@1 is one version"):
        ws.forget("people@1", where="id = 4711")
    with pytest.raises(UserError, match="There is no column"):
        ws.forget("people", where="nosuch = 1")
    with pytest.raises(UserError, match="goes with neither"):
        ws.forget("people", where="id = 4711", keep_dependants=True)  # type: ignore[call-overload]
    ws.array("grid", np.eye(2))
    with pytest.raises(NotSupported, match=r"grid@1 is an array"):
        ws.forget("grid", where="value = 1")
    run = ws._context.store.begin("sql", "more")
    with pytest.raises(UserError, match="being made right now"):
        ws.forget("people", where="id = 4711")
    ws._context.store.abandon(run, "")
    assert people.count == 4


def test_rows_of_a_loaded_file_go_with_their_lines(ws: whence.Workspace, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    lines = ["id,name,age", "1,Ada,36", f"4711,{NEEDLE},{NEEDLE}", "3,Cy,x"]
    path.write_text("\n".join([*lines, *(f"{n},Eve{n},{n % 80}" for n in range(10, 300))]) + "\n")
    people = ws.load(path)
    assert [(each.row, each.line, each.text) for each in caveats_of(people)] == [(1, 3, NEEDLE), (2, 4, "x")]
    keys = people.row_keys()
    certificate = ws.forget("people", where="id = 4711")
    again = ws["people"]
    assert again.to_arrow().column("id").to_pylist() == [1, 3, *range(10, 300)]
    assert [(each.row, each.line, each.text) for each in caveats_of(again)] == [(1, 3, "x")], "lines of the cut copy"
    assert again.caveats.marks().column("age").to_pylist() == [False, True, *[False] * 290]
    assert again.row_keys() == [key for row, key in enumerate(keys) if row != 1]
    assert again.load_report is not None
    assert (again.load_report.records, sum(again.load_report.counts.values())) == (292, 1)
    assert places(ws.path, NEEDLE) == set()
    assert doctor(ws._context.store) == []
    assert certificate.out_of_reach[0] == f"{path}: the original. To load it again brings the rows back."
    assert certificate.removed[0] == "The lines of these rows in the kept source files of people@1."


def caveats_of(dataset: whence.Dataset) -> list[CaveatRef]:
    return [each for group in dataset.caveats.list() for each in group.references]


def test_texts_that_users_wrote_are_found_and_named(ws: whence.Workspace, people: whence.Dataset) -> None:
    ws.sql(f"select count(*) n from people where name = '{NEEDLE}'", name="hers")
    certificate = ws.forget("people", where="id = 4711")
    assert ws["hers"].to_arrow().to_pylist() == [{"n": 0}]
    assert "Found, and left for you to change: the text of the query of hers@1." in certificate.verified
    assert {path.rpartition("/")[2] for path in places(ws.path, NEEDLE)} <= {"meta.db", "meta.db-wal", "manifest.json"}


def test_results_of_notebook_cells_go_and_their_datasets_are_made_again(ws: whence.Workspace) -> None:
    ws.create("people", ROWS, schema=SCHEMA)
    notebook = ws.notebook("look")
    notebook.append("sql", source="select name, age from people where age > 30", name="grown")
    notebook.append("python", source="print(ws['people'].to_pandas())")
    notebook.append("sql", source="select max(age) m from grown", name="top")
    notebook.wait()
    assert any(path.startswith("meta.db") for path in places(ws.path, NEEDLE))
    certificate = ws.forget("people", where="id = 4711")
    assert certificate.made_again == ("grown@1", "top@1")
    assert ws["top"].to_arrow().to_pylist() == [{"m": 40}]
    assert places(ws.path, NEEDLE) == set()


def test_a_certificate_proves_and_tells_nothing(ws: whence.Workspace, people: whence.Dataset) -> None:
    certificate = ws.forget("people", where=f"name = '{NEEDLE}'")
    row = {"id": 4711, "name": NEEDLE, "age": 51}
    assert certificate.covers(row)
    assert not certificate.covers({**row, "age": 52})
    stored = json.loads((ws.path / "certificates" / f"{certificate.id}.json").read_text())
    page = (ws.path / "certificates" / f"{certificate.id}.html").read_text()
    assert certificate.key
    assert certificate.key not in json.dumps(stored) + page
    again = Certificate.from_json(stored)
    assert again == replace(certificate, key="")
    assert again.covers(row, certificate.key)
    assert "people@1" in page
    assert NEEDLE not in page + str(certificate)


@pytest.mark.spark
def test_the_command_shows_the_plan_and_asks(tmp_path: Path) -> None:
    with whence.open(tmp_path / "w") as workspace:
        workspace.create("people", ROWS, schema=SCHEMA)
    run = CliRunner().invoke
    asked = ["forget", str(tmp_path / "w"), "people", "--where", "id = 4711"]
    refused = run(app, asked, input="n\n")
    assert refused.exit_code == 1
    assert refused.output.startswith("1 row of people@1\n")
    assert places(tmp_path / "w", NEEDLE) != set()
    done = run(app, [*asked, "--yes"])
    assert done.exit_code == 0, done.output
    assert "Forgotten.\npeople@1: 4 rows before, 3 after\n" in done.output
    assert places(tmp_path / "w", NEEDLE) == set()
    assert run(app, [*asked, "--yes", "--keep-dependants"]).exit_code == 1


def test_a_file_that_another_dataset_was_made_from_stays_and_is_named(ws: whence.Workspace, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(f"id,name\n1,Ada\n4711,{NEEDLE}\n")
    ws.load(path)
    ws.load(path, name="guests")
    certificate = ws.forget("people", where="id = 4711")
    assert "guests@1: made from the same file as people@1, whose kept copy stays for that." in certificate.out_of_reach
    assert not any(sentence.startswith("The kept source files") for sentence in certificate.removed)
    ws.forget("guests", where="id = 4711")
    assert places(ws.path, NEEDLE) == set()


def test_messages_of_queries_that_failed_go_as_they_may_quote_values(
    ws: whence.Workspace, people: whence.Dataset, spark_home: whence.Workspace
) -> None:
    with pytest.raises(UserError, match=NEEDLE):
        ws.sql("select cast(name as int) n from people where id = 4711", name="numbers")
    notebook = ws.notebook("look")
    notebook.append("sql", source="select cast(name as int) n from people where id = 4711", name="more")
    notebook.wait()
    assert notebook.cells[0].status == "error"
    log = next(spark_home.path.glob("tmp/spark-*/spark.log"))
    assert NEEDLE in log.read_text()
    certificate = ws.forget("people", where="id = 4711")
    assert not any(sentence.startswith("Found") for sentence in certificate.verified)
    assert places(ws.path, NEEDLE) == set()
    assert NEEDLE not in log.read_text()


def test_rows_go_from_shared_storage_as_well(tmp_path: Path, spark_home: whence.Workspace) -> None:
    assert spark_home.spark is not None
    path = tmp_path / "sources" / "people.csv"
    path.parent.mkdir()
    path.write_text("id,name,age\n" + "".join(f"{id},{name},{age or ''}\n" for id, name, age in ROWS))
    with whence.open(tmp_path / "w", storage=tmp_path / "big") as ws, whence.open(tmp_path / "never") as never:
        fill(ws, ROWS)
        fill(never, without(ROWS))
        ws.load(path, name="loaded").view(sort=["name"]).rows(0, 3)
        assert any(place.startswith("big/") for place in places(tmp_path, NEEDLE))
        plan = ws.plan_forgetting("people", where="id = 4711")
        storage = ws._context.store.layout.shared
        assert f"Snapshots, earlier versions and backups that the shared storage {storage} keeps." in plan.out_of_reach
        ws.forget("people", where="id = 4711")
        ws.forget("loaded", where="id = 4711")
        for label in ("people@1", "people@2", "owners@1", "summary@1", "filled@1", "ages@1"):
            assert look(ws[label]) == look(never[label]), label
        path.unlink()
        assert places(tmp_path, NEEDLE) == set()
        assert doctor(ws._context.store) == []
        assert sorted(place.name for place in storage.iterdir()) == ["datasets", "lineage", "opening", "staging", "tmp"]


def test_what_was_made_since_the_plan_stops_it(ws: whence.Workspace, people: whence.Dataset) -> None:
    plan = ws.plan_forgetting("people", "id = 4711")
    late = ws.sql("select name from people", name="late")
    before = places(ws.path, NEEDLE)
    with pytest.raises(UserError, match="made from these rows in the meantime"):
        forget_rows(people.context, plan, "id = 4711")
    assert (people.count, late.count) == (4, 4)
    assert places(ws.path, NEEDLE) == before
    assert doctor(ws._context.store) == []
    assert list((ws.path / "certificates").iterdir()) == []
