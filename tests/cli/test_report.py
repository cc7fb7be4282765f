"""`whence export x.html` and `whence verify`: a report of a notebook, and whether its values still hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import whence
from whence.cli.main import app


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture
def workspace(spark_home: whence.Workspace, tmp_path: Path) -> Path:
    assert spark_home.spark is not None
    path = tmp_path / "w.whence"
    with whence.open(path) as ws:
        ws.create("prices", [("bolt", 3), ("nut", 21)], schema="part string, price int")
        ws.notebook("dear").append("sql", source="select part, price from prices where price > 3", name="parts")
        ws.notebook("dear").wait()
    return path


def test_a_report_is_written_and_checked(workspace: Path, tmp_path: Path) -> None:
    report = tmp_path / "dear.html"
    assert run("export", workspace, report, "--redact", "part").exit_code == 0
    assert "nut" not in report.read_text()
    checked = run("verify", report, workspace)
    assert (checked.exit_code, checked.output) == (0, "1 values: 1 holds\n")
    with whence.open(workspace) as ws:
        ws.create("prices", [("bolt", 3), ("nut", 22)], schema="part string, price int")
        ws.notebook("dear").run()
        ws.notebook("dear").wait()
    checked = run("verify", report, workspace)
    assert (checked.exit_code, checked.output.splitlines()[1]) == (1, "parts, price: '21', not there any more")


def test_which_notebook_is_meant_must_be_clear(workspace: Path, tmp_path: Path) -> None:
    with whence.open(workspace) as ws:
        ws.notebook("other").append("markdown", source="none")
    refused = run("export", workspace, tmp_path / "x.html")
    assert refused.exit_code == 1
    assert "has 2 notebooks, and a report is of one. Name one with --notebook: dear, other." in refused.output
    assert run("export", workspace, tmp_path / "x.html", "--notebook", "dear").exit_code == 0
    assert run("verify", tmp_path / "x.html", tmp_path / "none.whence").exit_code == 1
