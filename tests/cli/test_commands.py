"""The command line end to end: each command in one process, on one small workspace."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import whence
from whence.cli.main import app

FILE = "team,points\nred,3\nblue,x\nred,5\nblue,2\ngreen,1\n"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Path:
    assert spark_home.spark is not None
    folder = tmp_path_factory.mktemp("cli")
    (folder / "points.csv").write_text(FILE, encoding="utf-8")
    loaded = CliRunner().invoke(app, ["load", str(folder / "w.whence"), str(folder / "points.csv")])
    assert loaded.exit_code == 0, loaded.output
    assert "points@1: 5 rows, 2 columns" in loaded.output
    assert "line 3: 'x' in column points" in loaded.output
    query = "select team, sum(points) as total from points group by team order by team"
    made = CliRunner().invoke(app, ["sql", str(folder / "w.whence"), query, "--name", "totals"])
    assert made.exit_code == 0, made.output
    assert [line.split() for line in made.output.splitlines()[:4]] == [
        ["team", "total"], ["blue", "2?"], ["green", "1"], ["red", "8"],
    ]  # fmt: skip
    return folder / "w.whence"


def test_trace_leads_to_the_lines_of_the_file(workspace: Path) -> None:
    shown = CliRunner().invoke(app, ["trace", str(workspace), "totals", "0", "total"])
    assert "aggregated: points@1 line 3 points = null (in doubt)" in shown.output
    assert "aggregated: points@1 line 5 points = 2" in shown.output


@pytest.mark.usefixtures("ws")
def test_trace_prints_a_tree_with_rows_and_values(tmp_path: Path) -> None:
    with whence.open(tmp_path / "tree.whence") as ws:
        ws.create("t", [("a", n) for n in range(5)], schema="k string, x int")
        ws.sql("select k, sum(x) s from t group by k", name="sums")
        ws.sql("select s + 1 as more from sums", name="out")
    shown = CliRunner().invoke(app, ["trace", str(tmp_path / "tree.whence"), "out", "0", "--most", "2"])
    assert shown.output.splitlines() == [
        "out@1 row 0 more = 11",
        "└─ computed: sums@1 row 0 s = 10",
        "   ├─ aggregated: t@1 row 0 x = 0",
        "   ├─ aggregated: t@1 row 1 x = 1",
        "   ├─ ... and 3 more of t@1 x",
        "   ├─ grouped: t@1 row 0 k = a",
        "   ├─ grouped: t@1 row 1 k = a",
        "   └─ ... and 3 more of t@1 k",
    ]


def test_caveats_lists_what_is_behind_a_row(workspace: Path) -> None:
    shown = CliRunner().invoke(app, ["caveats", str(workspace), "totals", "--row", "0"])
    assert "1 x load in points, from load points@1" in shown.output
    certain = CliRunner().invoke(app, ["caveats", str(workspace), "totals", "--row", "2"])
    assert certain.output.strip() == "Nothing is in doubt."


@pytest.mark.usefixtures("ws")
def test_caveats_tell_between_which_values_cells_lie(tmp_path: Path) -> None:
    folder = tmp_path / "ranged.whence"
    with whence.open(folder) as ws:
        smudged, torn = (0, "x", "smudged", (1, 5)), (1, "x", "torn")
        ws.create("ranged", [(4,), (2,)], schema="x int", cell_caveats=[smudged, torn])

    def shown(*options: str) -> list[str]:
        output = CliRunner().invoke(app, ["caveats", str(folder), "ranged", "--bounds", *options]).output
        return output.split("Bounds, given what caveats state:\n")[1].splitlines()

    assert shown() == ["  x: at widest 100.00% of the value; 1 of 2 doubtful cells have no bounds"]
    assert shown("--row", "0") == ["  x: 4 (between 1 and 5)"]
    assert shown("--row", "1") == [
        "  x: 2 (could be anything). No range is stated for some value that it is made from."
    ]


def test_explain_names_the_rows_behind_an_odd_value(workspace: Path) -> None:
    shown = CliRunner().invoke(app, ["explain", str(workspace), "totals", "total", "--outliers", "2", "--json"])
    assert shown.exit_code == 0, shown.output
    content = json.loads(shown.output)
    assert content["left_out"] == {"points": "it is what is aggregated", "team": "it is the group key"}
    assert content["explanations"] == []
    refused = CliRunner().invoke(app, ["explain", str(workspace), "totals", "total", "--outliers", "x"])
    assert refused.exit_code == 1


def test_doctor_finds_nothing_wrong_with_it(workspace: Path) -> None:
    shown = CliRunner().invoke(app, ["doctor", str(workspace)])
    assert shown.exit_code == 0, shown.output
    assert "2 datasets, every file as it was written" in shown.output
    assert "ports of 127.0.0.1 can be opened" in shown.output
    assert "Python cells are" in shown.output


def test_doctor_says_when_the_port_of_the_server_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        monkeypatch.setattr("whence.cli.checkup.SERVER_PORT", other.getsockname()[1])
        shown = CliRunner().invoke(app, ["doctor"])
    assert "is taken, so give `whence serve` another --port" in shown.output


def test_gc_lists_what_nothing_uses_and_moves_it_to_the_trash(workspace: Path) -> None:
    folder = workspace / "quarantine" / "datasets" / "stray"
    folder.mkdir(parents=True)
    (folder / "part").write_bytes(b"x" * 1500)
    os.utime(folder, (0, 0))
    listed = CliRunner().invoke(app, ["gc", str(workspace), "--dry-run"])
    assert "quarantine/datasets/stray  1.5 kB  left by a run that was cut off" in listed.output
    assert folder.exists()
    assert "1.5 kB went." in CliRunner().invoke(app, ["gc", str(workspace)]).output
    assert not folder.exists()
    assert CliRunner().invoke(app, ["gc", str(workspace)]).output.strip() == "Nothing is unused."


def test_an_error_is_one_sentence_and_a_failed_exit(workspace: Path) -> None:
    failed = CliRunner().invoke(app, ["sql", str(workspace), "select * from point"])
    assert failed.exit_code == 1
    assert failed.stderr.strip() == "whence: There is no dataset point (line 1, position 14). Did you mean points?"


def test_a_notebook_that_does_not_run_from_the_top_fails_the_check(tmp_path: Path) -> None:
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in ("print(a)", "a = 1")
    ]
    notebook = tmp_path / "n.ipynb"
    notebook.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}))
    checked = CliRunner().invoke(app, ["safety", "check", "--static", str(notebook)])
    assert checked.exit_code == 1
    assert str(notebook) in checked.output.replace("\n", "")


def test_expect_marks_failing_rows_and_its_exit_code_is_for_ci(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ran(*options: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["expect", str(workspace), "points", "--name", "checked", *options])
        return result.exit_code, result.output

    code, text = ran(
        "--row", "points > 1", "--key", "team,points", "--not-null", "team", "--dependency", "team -> points"
    )
    assert code == 0
    assert text.splitlines()[:3] == [
        "points@1, 5 rows: 3 of 4 checks failed.",
        "  warning  points > 1: 1 of 5 rows",
        "           line 6: points is 1",
    ]
    with whence.open(workspace) as ws:
        assert ws["checked"].caveats.list(row=4)[0].references[0].line == 6
        labels = [each.record.label for each in ws.datasets()]
    code, text = ran("--not-null", "points", "--error", "--json")
    assert (code, json.loads(text)["checks"][0]["failing_rows"]) == (1, 1)
    (tmp_path / "checks.toml").write_text('[[check]]\nkind = "count"\nleast = 5\nseverity = "error"\n')
    assert ran("--checks", str(tmp_path / "checks.toml"))[0] == 0
    (tmp_path / "team_schemas.py").write_text(
        "import pandera.pandas as pa\nTEAMS = pa.DataFrameSchema({'points': pa.Column(int, pa.Check.gt(1))})\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    code, text = ran("--pandera", "team_schemas:TEAMS", "--error", "--json")
    assert code == 1
    assert [each["failing_rows"] for each in json.loads(text)["checks"] if not each["passed"]] == [1, 1]
    assert [ran("--pandera", each)[0] for each in ("team_schemas", "team_schemas:NONE", "nowhere:TEAMS")] == [2, 2, 2]
    assert ran("--row", "nothing > 1")[0] == 2
    assert ran("--checks", str(tmp_path / "none.toml"))[0] == 2
    assert ran()[0] == 2
    (tmp_path / "suggested.toml").write_text(ran("--suggest")[1])
    assert ran("--checks", str(tmp_path / "suggested.toml"))[0] == 0
    with whence.open(workspace) as ws:
        assert [each.record.name for each in ws.datasets()] == [label.partition("@")[0] for label in labels]


def test_a_transformation_runs_from_the_command_line(workspace: Path) -> None:
    listed = CliRunner().invoke(app, ["transformations"])
    assert "Clean\n" in listed.output
    assert "  impute           Fill missing values\n" in listed.output
    described = CliRunner().invoke(app, ["transformations", "impute"])
    assert "  column: the column to fill\n" in described.output
    asked = ["transform", str(workspace), "impute", "points", "column=points", "method=constant", "value=0"]
    made = CliRunner().invoke(app, [*asked, "--to", "filled"])
    assert made.exit_code == 0, made.output
    assert made.output.splitlines()[2].split() == ["blue", "0?"]
    assert made.output.splitlines()[-1] == "Missing values of points are 0, the value given."
    several = CliRunner().invoke(app, ["transform", str(workspace), "sort", "points", "columns=-points,team"])
    assert several.output.splitlines()[1].split() == ["red", "5"]
    refused = CliRunner().invoke(app, ["transform", str(workspace), "polish", "points"])
    assert (refused.exit_code, "There is no lens polish." in refused.output) == (1, True)
