"""A text written backwards, in every way there is to ask for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import whence
from whence.cli.main import app

WORDS = [("ab",), ("anna",)]


@pytest.mark.parametrize("way", ["lens", "step", "cell"])
def test_a_text_that_reads_the_same_both_ways_is_in_doubt(ws: whence.Workspace, way: str) -> None:
    made = ask(ws, way, ws.create("words", WORDS, schema="w string"))
    assert made.to_arrow().column("w").to_pylist() == [word[::-1] for (word,) in WORDS]
    assert made.caveats.marks().column("w").to_pylist() == [word == word[::-1] for (word,) in WORDS]
    why = whence.Pipeline.from_dataset(made).provenance.why(0, "w")
    assert [(ref.row, ref.column, ref.role) for ref in why] == [(0, "w", "computed")]


def ask(ws: whence.Workspace, way: str, words: whence.Dataset) -> whence.Dataset:
    """The words backwards, as a lens, as a step of a pipeline or as a cell gives them."""
    if way == "lens":
        return ws.lens("reverse_text", words, name="made", column="w")
    if way == "step":
        return whence.Pipeline(words, name="made").step("reverse_text", column="w").result
    return ws.run_cell("reverse_text", source="words", column="w", name="made")


def test_the_command_line_has_it(spark_home: whence.Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "w.whence"
    with whence.open(folder) as ws:
        ws.create("words", WORDS, schema="w string")
    asked = ["transform", str(folder), "reverse_text", "words", "column=w", "--to", "made"]
    assert spark_home.spark is not None
    assert CliRunner().invoke(app, asked).output.splitlines() == ["w", "ba", "anna?", "w is written backwards."]
