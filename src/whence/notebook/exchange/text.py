"""A notebook as text for git: easy to read, to compare line by line, and to read back exactly as it was.

whence notebook 1: "tour"

%% load
% name = "parts"
parts.csv

%% sql, frozen
% @page = [{"shows": "table", "y": 2}]
% name = "totals"
select kind, sum(price) as total
from parts group by kind
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from whence.model.errors import BadInput
from whence.model.notebook import CellVersion
from whence.model.page import PageItem, item_from_json, item_to_json

_FIRST = "whence notebook 1"
_FROZEN = ", frozen"
_PAGE = "@page"
"""The name under which a cell lists what of it stands on the page: no parameter can be called so."""
_MARK = re.compile(r"\\*%")
"""A line of a cell that begins so gets a backslash in front, so that it is not taken for the head of a cell."""


@dataclass(frozen=True)
class Content:
    """The cells of a notebook, without its history and results."""

    name: str
    cells: tuple[CellVersion, ...]
    frozen: frozenset[int] = frozenset()
    """Positions of the frozen cells."""
    items: Mapping[int, tuple[PageItem, ...]] = field(default_factory=dict)
    """What stands on the page, by the position of the cell."""


def to_text(content: Content) -> str:
    """Return the notebook as text."""
    cells = (
        _cell(said, content.items.get(number, ()), is_frozen=number in content.frozen)
        for number, said in enumerate(content.cells)
    )
    return "\n".join([f"{_FIRST}: {json.dumps(content.name, ensure_ascii=False)}\n", *cells])


def from_text(text: str) -> Content:
    """Return the notebook that a text describes.

    >>> from_text(to_text(Content("a", (CellVersion("markdown", {"source": "%% no cell\\n"}),)))).cells
    (CellVersion(kind='markdown', values={'source': '%% no cell\\n'}),)
    """
    first, *lines = text.split("\n")
    if not first.startswith(f"{_FIRST}:"):
        raise BadInput(f"This is not a notebook of whence: its first line is not `{_FIRST}: name`.")
    try:
        name = json.loads(first.partition(":")[2])
    except ValueError as error:
        raise BadInput("The first line of the notebook does not end in a name in quotes.") from error
    cells = list(_cells(lines))
    frozen = frozenset(number for number, (_, _, is_frozen) in enumerate(cells) if is_frozen)
    items = {number: found for number, (_, found, _) in enumerate(cells) if found}
    return Content(str(name), tuple(said for said, _, _ in cells), frozen, items)


def items_to_json(items: Sequence[PageItem]) -> list[dict[str, object]]:
    """Return what of a cell stands on the page, as files contain it."""
    return [item_to_json(each) for each in items]


def items_from_json(content: object) -> tuple[PageItem, ...]:
    """Return the items that `items_to_json` wrote. Raise an error about anything else."""
    if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
        raise BadInput("What stands on the page of the notebook is not a list of items.")
    return tuple(item_from_json(cast("Mapping[str, object]", each)) for each in content)


def _cell(said: CellVersion, items: Sequence[PageItem], *, is_frozen: bool) -> str:
    body = said.values.get("source")
    has_body = isinstance(body, str) and body != ""
    given = {key: value for key, value in said.values.items() if key != "source" or not has_body}
    page = [f"% {_PAGE} = {_json(items_to_json(items))}"] if items else []
    order = sorted(given, key=lambda key: (key != "name", key))
    head = [
        f"%% {said.kind}{_FROZEN if is_frozen else ''}",
        *page,
        *(f"% {key} = {_json(given[key])}" for key in order),
    ]
    shown = [_marked(line) for line in str(body).split("\n")] if has_body else []
    return "\n".join([*head, *shown, ""])


def _cells(lines: list[str]) -> Iterator[tuple[CellVersion, tuple[PageItem, ...], bool]]:
    """Yield each cell, what of it stands on the page, and whether it is frozen."""
    starts = [number for number, line in enumerate(lines) if line.startswith("%% ")]
    for number, line in enumerate(lines[: starts[0] if starts else None]):
        if line.strip():
            raise BadInput(f"Line {number + 2} of the notebook belongs to no cell: {line}")
    for start, end in itertools.pairwise([*starts, len(lines)]):
        # One empty line follows each cell and is not part of it. At the end of the file it is what `split` finds after
        # the last line break.
        first = lines[start].strip()
        yield (
            *_read(lines[start : end - 1] if lines[end - 1] == "" else lines[start:end], start + 2),
            first.endswith(_FROZEN),
        )


def _read(lines: list[str], number: int) -> tuple[CellVersion, tuple[PageItem, ...]]:
    values: dict[str, object] = {}
    at = 1
    while at < len(lines) and lines[at].startswith("% "):
        key, sign, value = lines[at][2:].partition(" = ")
        try:
            values[key] = json.loads(value)
        except ValueError as error:
            raise BadInput(f"Line {number + at} of the notebook is not `% name = value`: {lines[at]}") from error
        if not sign:
            raise BadInput(f"Line {number + at} of the notebook is not `% name = value`: {lines[at]}")
        at += 1
    if at < len(lines):
        values["source"] = "\n".join(_unmarked(line) for line in lines[at:])
    items = items_from_json(values.pop(_PAGE, []))
    return CellVersion(lines[0][3:].strip().removesuffix(_FROZEN), values), items


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _marked(line: str) -> str:
    return "\\" + line if _MARK.match(line) else line


def _unmarked(line: str) -> str:
    return line[1:] if line.startswith("\\") and _MARK.match(line[1:]) else line
