"""Adding a transformation is one file and one line of the registry; it is then everywhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import whence

ROOT = Path(__file__).parents[2]
SAMPLE = '''
"""Write texts backwards."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, text
from whence.transformations.applied import Applied, Guess
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class ReverseText(Transformation):
    """The letters of a text come in the other order."""

    name = "reverse_text"
    title = "Write backwards"
    group = "Clean"
    guesses = "each text that reads the same both ways"
    provenance = "a cell comes from itself"
    parameters = (Parameter("column", "column", "the text column to write backwards", is_required=True),)
    example = {"column": "name"}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        name = chosen.column("column").name
        sql = f"reverse({quoted(name)})"
        guess = Guess(name, "reversed", f"{sql} = {quoted(name)}", text("It reads the same both ways."))
        return Applied(
            f"{name} is written backwards.", given.outputs({name: sql}), (Template((Read(name),), (name,)),), (guess,)
        )
'''
PROGRAM = """
import json, sys, tempfile
import whence
from typer.testing import CliRunner
from tools.transformations_page import write_page
from whence.cli.main import app
from whence.server.routes.notebooks import list_kinds

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
(kind,) = [each for each in list_kinds() if each.name == "reverse_text"]
seen["form"] = [kind.title, kind.group, [each.name for each in kind.parameters]]
print("SEEN" + json.dumps(seen))
"""


@pytest.mark.timeout(600)
def test_a_new_transformation_is_in_python_notebook_command_line_docs_and_browser(
    tmp_path: Path, spark_home: whence.Workspace
) -> None:
    seen = json.loads(run_with_sample(tmp_path).partition("SEEN")[2])
    expected = [["ba", "anna"], [False, True], [[0, "computed"]]]
    assert (seen["lens"], seen["step"], seen["cell"]) == (expected, expected, expected)
    assert seen["command"] == ["w", "ba", "anna?", "w is written backwards."]
    assert (seen["list"], seen["docs"]) == (True, True)
    assert seen["form"] == ["Write backwards", "Clean", ["source", "column", "name"]]


def run_with_sample(folder: Path) -> str:
    """What a program prints that runs on a copy of the package with one more file and one more line."""
    source = folder / "src"
    shutil.copytree(ROOT / "src" / "whence", source / "whence", ignore=shutil.ignore_patterns("static", "__pycache__"))
    vocabulary = source / "whence" / "transformations" / "vocabulary"
    (vocabulary / "reverse_text.py").write_text(SAMPLE, encoding="utf-8")
    registry = vocabulary / "registry.py"
    lines = registry.read_text(encoding="utf-8").replace(
        "        Trim(),\n",
        "        Trim(),\n        __import__(__package__ + '.reverse_text', fromlist=['_']).ReverseText(),\n",
    )
    registry.write_text(lines, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder / "w.whence")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{source}:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout
