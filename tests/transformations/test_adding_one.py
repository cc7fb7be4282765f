"""Adding a transformation is one file and one line of the registry; it is then everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import whence
from tests.transformations.sample import ROOT, copy_with_sample

PROGRAM = """
import json, sys
import whence
from fastapi.testclient import TestClient
from typer.testing import CliRunner
from tools.transformations_page import write_page
from whence.cli.main import app
from whence.server.app import build_api

folder = sys.argv[1]
with whence.open(folder) as ws:
    words = ws.create("words", [("ab",), ("anna",)], schema="w string")
    made = {
        "lens": ws.lens("reverse_text", words, name="as_lens", column="w"),
        "step": whence.Pipeline(words, name="as_step").step("reverse_text", column="w").result,
        "cell": ws.run_cell("reverse_text", source="words", column="w", name="as_cell"),
    }
    seen = {
        way: [ds.to_arrow().column("w").to_pylist(), ds.caveats.marks().column("w").to_pylist(),
              [(ref.row, ref.role) for ref in whence.Pipeline.from_dataset(ds).provenance.why(0, "w")]]
        for way, ds in made.items()
    }
asked = ["transform", folder, "reverse_text", "words", "column=w", "--to", "as_command"]
seen["command"] = CliRunner().invoke(app, asked).output.splitlines()
seen["list"] = "reverse_text     Write backwards" in CliRunner().invoke(app, ["transformations"]).output
seen["docs"] = "| [`reverse_text`](#reverse_text) | Clean | each text that reads the same both ways |" in write_page()
kinds = TestClient(build_api()).get("/api/kinds").json()
(seen["form"],) = [each for each in kinds if each["name"] == "reverse_text"]
print("SEEN" + json.dumps(seen))
"""


@pytest.mark.timeout(600)
def test_a_new_transformation_is_in_python_notebook_command_line_docs_and_what_the_page_asks_for(
    tmp_path: Path, spark_home: whence.Workspace
) -> None:
    seen = json.loads(run_with_sample(tmp_path).partition("SEEN")[2])
    expected = [["ba", "anna"], [False, True], [[0, "computed"]]]
    assert (seen["lens"], seen["step"], seen["cell"]) == (expected, expected, expected)
    assert seen["command"] == ["w", "ba", "anna?", "w is written backwards."]
    assert (seen["list"], seen["docs"]) == (True, True)
    form = seen["form"]
    assert (form["title"], form["group"]) == ("Write backwards", "Clean")
    fields = [(each["name"], each["kind"], each["label"], each["is_required"]) for each in form["parameters"]]
    assert fields == [
        ("source", "dataset", "the dataset to read", True),
        ("column", "column", "the text column to write backwards", True),
        ("name", "text", "what to call the result", True),
    ]


def run_with_sample(folder: Path) -> str:
    """Return what the program prints when it imports the copy."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder / "w.whence")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{copy_with_sample(folder)}:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout
