"""Agents read, edit and run notebooks as the page does, and write no cell that reaches further than SQL may."""

from __future__ import annotations

import re

import pytest

import whence
from tests.mcp.conversation import talk_about


def test_an_agent_makes_edits_and_runs_a_notebook(ws: whence.Workspace) -> None:
    agent = talk_about(ws)
    assert agent.ask("edit_notebook", notebook="study", action="create") == "Notebook study, version 0."
    values = {"source": "select explode(sequence(1, 4)) as n", "name": "numbers"}
    agent.ask("edit_notebook", notebook="study", action="add", kind="sql", values=values, base_version=0)
    text = {"source": "# Numbers"}
    agent.ask("edit_notebook", notebook="study", action="add", kind="markdown", values=text, position=0, base_version=1)
    ran = agent.ask("run_notebook", notebook="study", seconds=50)
    assert ran.splitlines()[0] == "study, version 2: 0 still running, 0 failed."
    assert ws["numbers"].count == 4
    shown = agent.ask("read_notebook", notebook="study").splitlines()
    assert shown[0] == "Notebook study, branch main: 2 cells, version 2 (pass it to edit_notebook as base_version)."
    assert re.fullmatch(r"c1 sql ready -> numbers@1: select explode.*", shown[2])
    assert agent.ask("read_notebook", notebook="study", cell="c1").splitlines()[-1] == values["source"]
    agent.ask("edit_notebook", notebook="study", action="move", cell="c2", position=1, base_version=2)
    agent.ask("edit_notebook", notebook="study", action="remove", cell="c2", base_version=3)
    assert [cell.id for cell in ws.notebook("study").cells] == ["c1"]
    assert ws.notebook("study").version == 4


def test_of_two_edits_of_one_cell_the_later_is_refused_and_kept(ws: whence.Workspace) -> None:
    agent, notebook = talk_about(ws), ws.notebook("study")
    notebook.mode = "lazy"
    cell = notebook.append("markdown", source="old")
    notebook.update(cell, source="theirs", base_version=1)
    edit = {"notebook": "study", "action": "change", "cell": cell.id, "base_version": 1}
    said = agent.refused("edit_notebook", **edit, values={"source": "mine"})
    assert said.startswith(f"Cell {cell.id} was changed by another user meanwhile. Your edit is kept as version")
    assert cell.source == "theirs"
    edit["base_version"] = notebook.version
    assert agent.ask("edit_notebook", **edit, values={"source": "mine"}).endswith(": mine")


@pytest.mark.parametrize("kind", ["load", "python", "export"])
def test_an_agent_writes_no_cell_that_reaches_files_or_runs_code(ws: whence.Workspace, kind: str) -> None:
    agent, notebook = talk_about(ws), ws.notebook("study")
    notebook.mode = "lazy"
    mine = notebook.append("markdown", source="words")
    theirs = notebook.append("python", source="1 + 1")
    sentence = f"An agent may not write {kind} cells: they reach files or run code. Ask a person to write it."
    values = {"source": "/etc/passwd", "name": "taken"}
    assert agent.refused("edit_notebook", notebook="study", action="add", kind=kind, values=values) == sentence
    change = {"notebook": "study", "action": "change", "values": {"source": "x"}}
    assert agent.refused("edit_notebook", **change, cell=mine.id, kind=kind) == sentence
    assert "may not write python cells" in agent.refused("edit_notebook", **change, cell=theirs.id)
    assert [(cell.kind, cell.source) for cell in notebook.cells] == [("markdown", "words"), ("python", "1 + 1")]


def test_an_agent_hears_of_a_failed_cell(ws: whence.Workspace) -> None:
    agent, notebook = talk_about(ws), ws.notebook("study")
    notebook.append("sql", source="select nothing", name="none")
    ran = agent.ask("run_notebook", notebook="study", seconds=50)
    assert "1 failed" in ran
    error = notebook.cells[0].error
    assert error is not None
    assert error.message in ran
