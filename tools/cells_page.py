"""Writes the page that lists every cell kind with its parameters, from the kinds themselves."""

from __future__ import annotations

import inspect

from tools.docstrings import first_sentence
from whence.model.parameter import Parameter
from whence.notebook.cell import CellKind
from whence.notebook.cells.registry import CELL_KINDS

HEAD = """\
# Cell kinds

Every kind of cell a [notebook](notebook.md) can have, and what it takes. A cell is made as
`nb.append(kind, source=..., name=..., ...)`; expressions in SQL may ask for parameters set above as `:name`.

| Kind | What it does |
|---|---|
"""


def write_page() -> str:
    """The text of docs/cells.md."""
    kinds = sorted(CELL_KINDS.values(), key=lambda kind: kind.name)
    return HEAD + "".join(map(_row, kinds)) + "".join(map(_section, kinds))


def _row(kind: CellKind) -> str:
    return f"| [`{kind.name}`](#{kind.name}) | {first_sentence(kind)} |\n"


def _section(kind: CellKind) -> str:
    rows = "".join(map(_parameter, kind.parameters))
    table = f"\n| Parameter | Meaning | Default |\n|---|---|---|\n{rows}" if rows else ""
    return f"\n## {kind.name}\n\n{kind.title}. {' '.join((inspect.getdoc(kind) or '').split())}\n{table}"


def _parameter(parameter: Parameter) -> str:
    choices = f": {', '.join(f'`{choice}`' for choice in parameter.choices)}" if parameter.choices else ""
    default = "needed" if parameter.is_required else "" if parameter.default is None else f"`{parameter.default}`"
    return f"| `{parameter.name}` | {parameter.label}{choices} | {default} |\n"
