"""A copy of the package with one more transformation: one more file, and one more line in the registry."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src/whence/server/static"
SAMPLE = '''
"""Write texts backwards."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, text
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import Guess, TransformationPlan
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

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        name = arguments.column("column").name
        sql = f"reverse({quoted(name)})"
        guess = Guess(name, "reversed", f"{sql} = {quoted(name)}", text("It reads the same both ways."))
        template = Template((Read(name),), (name,))
        return TransformationPlan(f"{name} is written backwards.", table.outputs({name: sql}), (template,), (guess,))
'''


def copy_with_sample(folder: Path) -> Path:
    """Return the folder to import the copy from; the built page, if there is one, is the page of the copy."""
    source = folder / "src"
    shutil.copytree(ROOT / "src/whence", source / "whence", ignore=shutil.ignore_patterns("static", "__pycache__"))
    if STATIC.is_dir():
        (source / "whence/server/static").symlink_to(STATIC)
    vocabulary = source / "whence/transformations/vocabulary"
    (vocabulary / "reverse_text.py").write_text(SAMPLE, encoding="utf-8")
    registry = vocabulary / "registry.py"
    line = "        __import__(__package__ + '.reverse_text', fromlist=['_']).ReverseText(),\n"
    text = registry.read_text(encoding="utf-8").replace("        Trim(),\n", f"        Trim(),\n{line}")
    registry.write_text(text, encoding="utf-8")
    return source
