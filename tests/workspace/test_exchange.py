"""Notebooks leave and come back: text, Jupyter, a plain script that gives the same rows, the command line."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import whence
from tests.confinement import UNCONFINED
from whence.cli.main import app


@pytest.fixture
def files(tmp_path: Path, ws: whence.Workspace) -> Path:
    (tmp_path / "towns.csv").write_text("town,land,people\nUlm,BW,126\nBonn,NW,331\nKiel,SH,oops\nEssen,NW,580\n")
    nb = ws.notebook("towns")
    nb.append("markdown", source="# Towns")
    nb.append("load", source=tmp_path / "towns.csv", name="towns")
    nb.append("parameters", source={"least": 200})
    nb.append("impute", source="towns", name="filled", column="people", method="constant", value=0)
    nb.append("sql", source="select *\nfrom filled\nwhere people > :least", name="large")
    nb.append("group_by", source="large", columns=["land"], values={"n": "sum(people)"}, name="lands")
    nb.append("rename_dataset", source="lands", name="the lands")
    nb.wait()
    assert {cell.status for cell in nb.cells} == {"ready"}
    return tmp_path


def test_a_script_for_plain_spark_gives_the_same_rows(ws: whence.Workspace, files: Path) -> None:
    nb = ws.notebook("towns")
    nb.export(files / "towns.py")
    spark = runpy.run_path(str(files / "towns.py"))["spark"]
    for name in ("towns", "filled", "large", "the lands"):
        found = spark.table(f"`{name}`").toArrow().to_pylist()
        assert sorted(map(str, found)) == sorted(map(str, ws[name].to_arrow().to_pylist()))
    assert not spark.catalog.tableExists("lands")
    nb.append("sql", source="select nothing", name="bad")
    nb.wait()
    with pytest.raises(whence.WhenceError, match=r"Cell c8 is error\. Run the notebook first\."):
        nb.export(files / "towns.py")


RUNS = """
import json, sys
from typer.testing import CliRunner
from whence.cli.main import app
runner = CliRunner()
done = [runner.invoke(app, arguments) for arguments in json.loads(sys.argv[1])]
print(json.dumps([[each.exit_code, each.output] for each in done]))
"""


def commanded(*commands: list[str]) -> list[tuple[int, str]]:
    """What these commands answer, in a process of their own: a notebook runs on a Spark with a server's settings."""
    command = [sys.executable, "-c", RUNS, json.dumps(commands)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=280)
    return [(code, output) for code, output in json.loads(answer.stdout.splitlines()[-1])]


def test_frozen_cells_come_back_frozen_with_what_they_keep(ws: whence.Workspace, tmp_path: Path) -> None:
    nb = ws.notebook("cold")
    source = ws.create("t", [(1,), (2,)], schema="x int")
    cell = nb.append("sql", source="select sum(x) s from t", name="total")
    nb.append("sql", source="select s + 1 r from total", name="more")
    nb.wait().freeze(cell)
    ws.create("t", [(5,)], schema="x int")
    text = nb.text
    nb.export(tmp_path / "cold.ipynb")
    for taken in (ws.read_notebook(text), ws.import_notebook(tmp_path / "cold.ipynb"), ws.read_notebook(text, "copy")):
        assert [each.status for each in taken.cells] == ["frozen", "ready"]
        assert taken.cells[0].outputs.datasets["total"].to_arrow().to_pylist() == [{"s": 3}]
        assert taken.text.replace('"copy"', '"cold"') == text
    assert source.version == 1
    elsewhere = text.replace("sum(x)", "max(x)").replace("total", "grand")
    assert [each.status for each in ws.read_notebook(elsewhere, "fresh").cells] == ["frozen", "stale"]


def test_a_notebook_runs_from_the_command_line(ws: whence.Workspace, files: Path) -> None:
    ws.notebook("towns").export(files / "towns.notebook")
    text = (files / "towns.notebook").read_text().replace("from filled", "from missing")
    (files / "broken.notebook").write_text(text)
    place = f"{files}/towns.whence/towns"
    done, strict, broken, *refused = commanded(
        ["run", *UNCONFINED, str(files / "towns.notebook"), "--param", "least=400"],
        ["run", *UNCONFINED, place, "--strict"],
        # In the same workspace: Spark in this process is confined to it.
        ["run", *UNCONFINED, str(files / "broken.notebook"), "--workspace", f"{files}/towns.whence"],
        ["run", *UNCONFINED, place, "--param", "other=1"],
        ["run", *UNCONFINED, f"{files}/towns.whence/others"],
        ["run", *UNCONFINED, "nowhere"],
    )
    assert (done[0], done[1].splitlines()[0]) == (0, "c1 markdown ready"), done
    assert "c5 sql ready  large@1: 1 rows" in done[1]
    assert strict[0] == 1
    assert "filled@1 is in doubt" in strict[1]
    assert broken[0] == 1
    assert "c9 sql error: There is no dataset missing" in broken[1]  # another text than c5 had, so another cell
    assert "c6 group_by stale (upstream error)" in broken[1]
    messages = (
        "No parameters cell of towns sets other.",
        "towns.whence has no notebook others. There are: towns.",
        "There is no notebook nowhere.",
    )
    for (code, output), message in zip(refused, messages, strict=True):
        assert (code, message in output) == (1, True), output


def test_export_and_import_from_the_command_line(tmp_path: Path) -> None:
    runner, place = CliRunner(), str(tmp_path / "w.whence")
    with whence.open(place) as ws:
        ws.create("t", [(1, "a")], schema="n int, x string")
        ws.notebook("tour").append("markdown", source="# Tour")
        ws.notebook("tour").wait()
    for file, more in (("t.csv", ["--dataset", "t"]), ("tour.ipynb", ["--notebook", "tour"]), ("w.zip", [])):
        done = runner.invoke(app, ["export", place, str(tmp_path / file), *more])
        assert done.exit_code == 0, done.output
    taken = runner.invoke(app, ["import", str(tmp_path / "tour.ipynb"), place, "--name", "second"])
    assert taken.output == "second: 1 cells, version 1\n"
    unpacked = runner.invoke(app, ["import", str(tmp_path / "w.zip"), str(tmp_path / "copy.whence")])
    assert unpacked.exit_code == 0, unpacked.output
    with whence.open(tmp_path / "copy.whence") as ws:
        assert (ws.notebooks(), ws["t"].to_arrow().to_pylist()) == (["tour"], [{"n": 1, "x": "a"}])
        assert ws.notebook("tour").cells[0].status == "ready"
