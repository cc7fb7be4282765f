"""A draft is a cell that is still empty: it is kept like any other, runs never, and nothing waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import whence
from whence.cli.notebooks import run_notebook
from whence.model.errors import UserError
from whence.model.notebook import CellVersion
from whence.model.plural import with_article
from whence.notebook.cells.registry import CELL_KINDS
from whence.workspace.notebook_cell import Cell


@pytest.fixture
def home(tmp_path: Path) -> Iterator[whence.Workspace]:
    with whence.open(tmp_path / "w.whence") as ws:
        yield ws


@pytest.fixture
def nb(home: whence.Workspace) -> whence.Notebook:
    return home.notebook("drafts")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[whence.Notebook]:
    """One notebook for drafts of all kinds."""
    with whence.open(tmp_path_factory.mktemp("drafts") / "w.whence") as ws:
        yield ws.notebook("full")


def state(cell: Cell) -> tuple[str, str]:
    return cell.status, cell.reason


DRAFT = ("draft", "not filled in yet")


@pytest.mark.parametrize("kind", CELL_KINDS)
def test_every_kind_begins_as_a_draft_that_is_checked_once_it_is_run(full: whence.Notebook, kind: str) -> None:
    cell = full.add_draft(kind)
    full.wait(5)
    assert (state(cell), cell.kind, cell.values, cell.error) == (DRAFT, kind, {}, None)
    with pytest.raises(UserError, match=f"^{with_article(kind)} cell needs source"):
        full.run(cell)
    assert state(cell) == DRAFT


@pytest.mark.parametrize("kind", CELL_KINDS)
def test_no_kind_is_complete_without_any_value(kind: str) -> None:
    assert CellVersion(kind, {}).is_draft
    with pytest.raises(UserError):
        CELL_KINDS[kind].check({})


def test_a_cell_given_to_the_library_is_checked_at_once(nb: whence.Notebook) -> None:
    with pytest.raises(UserError, match="A sql cell needs source"):
        nb.append("sql")
    with pytest.raises(UserError, match="There is no cell kind nonsense"):
        nb.add_draft("nonsense")
    note = nb.append("markdown", source="a note")
    with pytest.raises(UserError, match="A markdown cell needs source"):
        nb.update(note, source="")
    assert len(nb.cells) == 1


def test_a_draft_that_is_filled_in_runs(nb: whence.Notebook) -> None:
    cell = nb.add_draft("markdown", position=0)
    with pytest.raises(UserError, match="A markdown cell needs source"):
        nb.update(cell, source="")
    nb.update(cell, source="# Filled in")
    nb.wait()
    assert state(cell) == ("ready", "")
    assert cell.outputs.rich[0].data == {"text/markdown": "# Filled in"}


def test_a_draft_becomes_a_draft_of_another_kind(nb: whence.Notebook) -> None:
    cell = nb.add_draft("sql")
    nb.update(cell, kind="python")
    assert (cell.kind, state(cell)) == ("python", DRAFT)


def test_cells_around_a_draft_run_without_it(nb: whence.Notebook) -> None:
    nb.add_draft("python")
    note = nb.append("markdown", source="below")
    nb.add_draft("load")
    nb.run().run_stale().wait(20)
    assert [cell.status for cell in nb.cells] == ["draft", "ready", "draft"]
    assert note.outputs.rich[0].data == {"text/markdown": "below"}


def test_a_draft_outlives_the_process(tmp_path: Path) -> None:
    with whence.open(tmp_path / "again.whence") as ws:
        ws.notebook("n").add_draft("chart")
    with whence.open(tmp_path / "again.whence") as ws:
        (cell,) = ws.notebook("n").cells
        assert (cell.kind, state(cell)) == ("chart", DRAFT)


def test_a_draft_is_exported_and_read_again(home: whence.Workspace, nb: whence.Notebook, tmp_path: Path) -> None:
    nb.append("markdown", source="above")
    for kind in CELL_KINDS:
        nb.add_draft(kind)
    nb.wait()
    said = nb.at(nb.version)
    for file in ("all.txt", "all.ipynb"):
        nb.export(tmp_path / file, outputs=True)
        taken = home.import_notebook(tmp_path / file, name=file)
        assert taken.at(taken.version) == said
        assert {cell.status for cell in taken.cells[1:]} == {"draft"}
    nb.export(tmp_path / "all.py")
    assert "# above" in (tmp_path / "all.py").read_text(encoding="utf-8")


def test_whence_run_passes_over_drafts(nb: whence.Notebook, capsys: pytest.CaptureFixture[str]) -> None:
    nb.append("markdown", source="a note")
    nb.add_draft("parameters")
    assert run_notebook(nb, {}, strict=True)
    assert capsys.readouterr().out == "c1 markdown ready\nc2 parameters draft (not filled in yet)\n"


def test_drafts_are_branched_compared_undone_frozen_shared_and_deleted(
    home: whence.Workspace, nb: whence.Notebook
) -> None:
    cell = nb.add_draft("sample")
    nb.branch("try", at=nb.version)
    nb.update(cell, source="parts", rows=3, name="some")
    assert [change.change for change in nb.compare(1, nb.version).cells] == ["changed"]
    assert nb.checkout("try").cells[0].status == "draft"
    nb.checkout("main").restore(1)
    assert state(cell) == DRAFT
    nb.freeze(cell)
    nb.thaw(cell)
    link = home.shared(str(nb.share().token))
    assert link is not None
    assert (state(link.cells[0]), link.datasets) == (DRAFT, [])
    nb.delete(cell)
    assert nb.cells == []


def test_a_session_leaves_drafts_alone(nb: whence.Notebook) -> None:
    nb.mode = "session"
    draft = nb.add_draft("python")
    made = nb.append("python", source="print(1)")
    nb.run().wait(60)
    assert (state(draft), made.outputs.text) == (DRAFT, "1\n")
    assert nb.session.to_workflow().ok
    assert sorted(cell.status for cell in nb.run().wait(60).cells) == ["draft", "ready"]
