"""Jupyter's files: ours come back exactly, strangers' cells become cells, and nobody's outputs are believed."""

from __future__ import annotations

import json

import pytest

from whence.model.errors import BadInput
from whence.model.notebook import CellVersion
from whence.notebook.display import Rich, Stream
from whence.notebook.exchange.jupyter import from_jupyter, to_jupyter
from whence.notebook.exchange.text import Content

KINDS = ("sql", "markdown", "parameters", "sample")
CELLS = (
    CellVersion("markdown", {"source": "# Prices\n"}),
    CellVersion("parameters", {"source": {"least": 3}}),
    CellVersion("sql", {"source": "select 1\nas x", "name": "one"}),
    CellVersion("sample", {"source": "one", "name": "some", "seed": 1, "rows": 2}),
)


def test_our_own_notebook_comes_back_as_it_was() -> None:
    content = Content("tour", CELLS, frozenset({0, 3}))
    assert from_jupyter(to_jupyter(content), "file", KINDS) == content


def test_an_edit_made_in_jupyter_counts() -> None:
    notebook = json.loads(to_jupyter(Content("tour", CELLS)))
    notebook["cells"][2]["source"] = ["%%sql two\n", "select 2"]
    changed = from_jupyter(json.dumps(notebook), "file", KINDS).cells[2]
    assert changed == CellVersion("sql", {"source": "select 2", "name": "two"})


def test_outputs_stand_in_the_file_only_on_request() -> None:
    shown = [(), (), (Stream("stdout", "a\nb\n"), Rich({"text/plain": "x"})), ()]
    with_them = json.loads(to_jupyter(Content("tour", CELLS), shown))["cells"][2]["outputs"]
    assert with_them == [
        {"output_type": "stream", "name": "stdout", "text": ["a\n", "b\n"]},
        {"output_type": "display_data", "data": {"text/plain": "x"}, "metadata": {}},
    ]
    assert json.loads(to_jupyter(Content("tour", CELLS)))["cells"][2]["outputs"] == []


def test_cells_of_a_stranger_become_cells() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["a\n", "b"], "metadata": {}},
        {"cell_type": "code", "source": "x = 1", "metadata": {}, "outputs": [{"output_type": "stream", "text": "no"}]},
        {"cell_type": "code", "source": "%%sql\nselect 1", "metadata": {}},
        {"cell_type": "code", "source": "", "metadata": {}},
    ]
    text = json.dumps({"cells": cells, "nbformat": 4})
    assert from_jupyter(text, "file", (*KINDS, "python")) == Content(
        "file",
        (
            CellVersion("markdown", {"source": "a\nb"}),
            CellVersion("python", {"source": "x = 1"}),
            CellVersion("sql", {"source": "select 1", "name": "cell_2"}),
        ),
    )
    without = from_jupyter(text, "file", KINDS).cells[1]
    assert without == CellVersion("markdown", {"source": "```python\nx = 1\n```"})


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": 3}', '{"cells": [3]}'])
def test_what_is_no_notebook_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="This is not a Jupyter notebook of format 4"):
        from_jupyter(text, "file", KINDS)
