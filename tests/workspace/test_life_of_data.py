"""Looking at stored data without Spark, and removing it for good, through the public handles."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import whence
from tests.store.needles import places
from whence.cli.main import app
from whence.model.errors import BadInput, BadQuery, NotRelated, UnknownColumn, UnknownDataset, UserError

NEEDLE = "Xaver-Zwirn-9313"


@pytest.fixture
def people(ws: whence.Workspace) -> whence.Dataset:
    rows = [(NEEDLE, 31), ("Bob", None), ("Cy", 25), ("Dee", 31)]
    return ws.create("people", rows, schema="name string, age int", cell_caveats=[(1, "age", "smudged")])


def test_a_view_sorts_and_filters_without_spark(people: whence.Dataset) -> None:
    view = people.view(sort=[("age", "desc"), "name"], where=[("name", "!=", "Bob")])
    assert (view.count, view.rids().tolist()) == (3, [3, 0, 2])
    assert view.rows(0, 1).to_pylist() == [{"name": "Dee", "age": 31}]
    with pytest.raises(UnknownColumn, match="There is no column height"):
        people.view(sort=["height"])
    with pytest.raises(BadInput, match="'old' does not fit column age"):
        people.view(where=[("age", ">", "old")])


def test_profiles_cover_every_column(people: whence.Dataset) -> None:
    profiles = people.profile()
    assert list(profiles) == ["name", "age"]
    assert profiles["age"] == people.profile("age")
    assert (profiles["age"].nulls, profiles["age"].top[0], profiles["name"].distinct) == (1, (31, 2), 4)


def test_a_sample_is_rows_whose_ids_lead_back_to_the_dataset(people: whence.Dataset) -> None:
    sample = people.sample(2, seed=3)
    assert sample.count == 2
    assert sample.to_arrow().to_pylist() == [people.rows().to_pylist()[rid] for rid in sample.ids]
    assert people.sample(99).ids.tolist() == [0, 1, 2, 3]


def test_what_was_made_from_a_forgotten_dataset_says_so_and_stays(
    ws: whence.Workspace, people: whence.Dataset, tmp_path: Path
) -> None:
    ages = ws.sql("select age from people where age is null or age > 26", name="ages")
    top = ws.sql("select max(age) m from ages", name="top")
    with pytest.raises(UserError, match=r"ages@1, top@1 were made from it\. Pass also_dependants=True"):
        ws.forget("people")
    assert ws.forget("people", keep_dependants=True) == ["people@1"]
    top = ws["top"]
    assert top.to_arrow().to_pylist() == [{"m": 31}]
    assert top.lineage.backward([0], to="ages").count == 3
    with pytest.raises(UnknownDataset, match="There is no dataset named people"):
        top.lineage.backward([0], to="people")
    with pytest.raises(UnknownDataset, match="was forgotten: its rows are gone for good"):
        ws["ages"].lineage.cell(0, "age")
    ws.create("other", [(1,)], schema="x int")
    with pytest.raises(NotRelated, match=r"top@1 was not made from other@1\. It was made from .*a forgotten dataset"):
        top.lineage.backward([0], to="other")
    assert ages.caveats.marks()["age"].to_pylist().count(True) == 1
    assert [group.family for group in ws["ages"].caveats.list()] == ["forgotten"]
    assert ws["ages"].parents() == []
    with pytest.raises(BadQuery, match="no dataset people"):
        ws.sql("select * from people")
    assert places(ws.path, NEEDLE) == set()


def test_a_handle_from_before_forgetting_answers_as_a_new_one_does(
    ws: whence.Workspace, people: whence.Dataset
) -> None:
    ages = ws.sql("select age from people where age is null or age > 26", name="ages")
    top = ws.sql("select max(age) m from ages", name="top")

    def look(dataset: whence.Dataset) -> list[object]:
        parents = [each.record for each in dataset.parents()]
        marks, groups = dataset.caveats.marks().to_pylist(), dataset.caveats.list()
        return [parents, dataset.row_keys(), marks, groups, dataset.lineage.strategy]

    before = look(ages)
    assert top.lineage.backward([0], to="people").ids.tolist() == [0, 1, 3]
    ws.forget("people", keep_dependants=True)
    assert look(ages) == look(ws["ages"]) != before
    assert look(top) == look(ws["top"])
    with pytest.raises(UnknownDataset, match="There is no dataset named people"):
        top.lineage.backward([0], to="people")
    again = ws.create("people", [("Eve", 9)], schema="name string, age int")
    with pytest.raises(NotRelated):
        top.lineage.backward([0], to="people")
    assert again.lineage.strategy == ws["people"].lineage.strategy


def test_dependants_and_every_version_of_a_name_go_together(ws: whence.Workspace, people: whence.Dataset) -> None:
    ws.create("people", [("Eve", 9)], schema="name string, age int")
    ws.sql("select * from people", name="copy")
    assert ws.forget(people) == ["people@1"]
    assert sorted(ws.forget("people", also_dependants=True)) == ["copy@1", "people@2"]
    assert ws.datasets() == []
    assert ws.create("people", [("Eve", 9)], schema="name string, age int").version == 1
    assert ws.sql("select name from people", name="again").to_arrow().to_pylist() == [{"name": "Eve"}]


def test_the_commands_du_and_forget_do_what_they_say(tmp_path: Path) -> None:
    with whence.open(tmp_path / "w") as workspace:
        workspace.create("people", [(NEEDLE, 1)], schema="name string, age int")
    run = CliRunner().invoke
    shown = run(app, ["du", str(tmp_path / "w")])
    assert shown.exit_code == 0
    assert shown.output.splitlines()[0].split() == ["dataset", "rows", "data", "lineage", "derived"]
    assert shown.output.splitlines()[1].startswith("people@1     1  ")
    assert run(app, ["forget", str(tmp_path / "w"), "people"], input="n\n").exit_code == 1
    assert places(tmp_path / "w", NEEDLE) != set()
    assert run(app, ["forget", str(tmp_path / "w"), "people", "--yes"]).output == "Forgotten: people@1\n"
    assert places(tmp_path / "w", NEEDLE) == set()
    assert run(app, ["du", str(tmp_path / "nowhere")]).exit_code == 1


def test_a_dataset_that_takes_too_much_disk_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with whence.open(tmp_path / "little.whence", max_dataset_bytes=10_000) as ws:
        ws.create("few", [(1,)], schema="n int")
        with pytest.raises(UserError, match=r"many takes .* MB, and a dataset may take 0\.0 MB\. Keep fewer rows"):
            ws.create("many", [(n * 7919 % 10007,) for n in range(20_000)], schema="n int")
        assert [dataset.name for dataset in ws.datasets()] == ["few"]
        assert list((tmp_path / "little.whence/staging").iterdir()) == []
