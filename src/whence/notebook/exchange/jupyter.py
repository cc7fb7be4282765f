"""Converts a notebook to Jupyter's file format and back. Outputs in a file are never taken for results of cells."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import cast

from whence.model.errors import BadInput
from whence.model.notebook import CellVersion
from whence.notebook.display import Display, Rich, Stream
from whence.notebook.exchange.text import Content, items_from_json, items_to_json

Json = dict[str, object]
_SQL = re.compile(r"%%sql\b[ \t]*(?P<name>[^\n]*)\n(?P<text>.*)", re.DOTALL)


def to_jupyter(content: Content, displays: Sequence[Sequence[Display]] | None = None) -> str:
    """Return the notebook as the text of an .ipynb file, with outputs only if displays are given."""
    shown = displays or [()] * len(content.cells)
    cells = [_cell(number, said, shown[number]) for number, said in enumerate(content.cells)]
    for number in content.frozen:
        cast("dict[str, Json]", cells[number]["metadata"])["whence"]["frozen"] = True
    for number, items in content.items.items():
        cast("dict[str, Json]", cells[number]["metadata"])["whence"]["page"] = items_to_json(items)
    notebook = {
        "cells": cells,
        "metadata": {"language_info": {"name": "python"}, "whence": {"name": content.name}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def from_jupyter(text: str, name: str, kinds: Sequence[str]) -> Content:
    """Return the notebook of an .ipynb file: text cells, `%%sql name` cells and Python cells, without outputs."""
    try:
        notebook = json.loads(text)
        cells = notebook["cells"]
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput("This is not a Jupyter notebook of format 4.") from error
    if not isinstance(cells, list) or not all(isinstance(each, dict) for each in cells):
        raise BadInput("This is not a Jupyter notebook of format 4.")
    known = cast("Mapping[str, Mapping[str, object]]", notebook.get("metadata") or {}).get("whence") or {}
    read = ((_read_cell(cell, number, kinds), cell) for number, cell in enumerate(cells))
    said = [(each, cell) for each, cell in read if each is not None]
    frozen = frozenset(number for number, (_, cell) in enumerate(said) if _ours(cell).get("frozen") is True)
    items = {
        number: items_from_json(found) for number, (_, cell) in enumerate(said) if (found := _ours(cell).get("page"))
    }
    return Content(str(known.get("name") or name), tuple(each for each, _ in said), frozen, items)


def _cell(number: int, said: CellVersion, displays: Sequence[Display]) -> Json:
    source = said.values.get("source")
    text = source if isinstance(source, str) else json.dumps(source)
    shared: Json = {
        "id": f"cell-{number}",
        "metadata": {"whence": {"kind": said.kind, "values": dict(said.values)}},
        "source": _text_in_jupyter(said, text).splitlines(keepends=True),
    }
    if said.kind == "markdown":
        return {"cell_type": "markdown", **shared}
    outputs = [_output(each) for each in displays]
    return {"cell_type": "code", "execution_count": None, "outputs": outputs, **shared}


def _text_in_jupyter(said: CellVersion, text: str) -> str:
    """Return the text that Jupyter shows for the cell."""
    if said.kind in ("markdown", "python"):
        return text
    if said.kind == "sql":
        return f"%%sql {said.values.get('name', '')}\n{text}"
    rest = {key: value for key, value in said.values.items() if key != "source"}
    return f"%%whence {said.kind} {json.dumps(rest, ensure_ascii=False)}\n{text}"


def _read_cell(cell: Mapping[str, object], number: int, kinds: Sequence[str]) -> CellVersion | None:
    text = cell.get("source") or ""
    text = "".join(str(line) for line in text) if isinstance(text, list) else str(text)
    ours = cast("Mapping[str, Mapping[str, object]]", cell.get("metadata") or {}).get("whence")
    if isinstance(ours, Mapping) and ours.get("kind") in kinds and isinstance(ours.get("values"), Mapping):
        version = CellVersion(str(ours["kind"]), cast("Mapping[str, object]", ours["values"]))
        # If the text was edited in Jupyter, the metadata is out of date, and the text counts.
        if _text_in_jupyter(version, _source(version)) == text:
            return version
    if not text.strip():
        return None
    if cell.get("cell_type") != "code":
        return CellVersion("markdown", {"source": text})
    query = _SQL.fullmatch(text)
    if query is not None:
        return CellVersion("sql", {"source": query["text"], "name": query["name"].strip() or f"cell_{number}"})
    if "python" in kinds:
        return CellVersion("python", {"source": text})
    return CellVersion("markdown", {"source": f"```python\n{text}\n```"})


def _ours(cell: Mapping[str, object]) -> Mapping[str, object]:
    """Return what whence wrote into the metadata of a cell; nothing if it wrote none."""
    ours = cast("Mapping[str, object]", cell.get("metadata") or {}).get("whence")
    return ours if isinstance(ours, Mapping) else {}


def _source(said: CellVersion) -> str:
    source = said.values.get("source")
    return source if isinstance(source, str) else json.dumps(source)


def _output(display: Display) -> Json:
    match display:
        case Stream():
            return {"output_type": "stream", "name": display.name, "text": display.text.splitlines(keepends=True)}
        case Rich():
            return {"output_type": "display_data", "data": dict(display.data), "metadata": dict(display.metadata)}
