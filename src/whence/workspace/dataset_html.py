"""Writes a dataset as HTML for Jupyter: its first rows; doubtful values are red, written ones underlined with dots."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from html import escape

import pyarrow as pa

from whence.model.caveat import CaveatGroup

FIRST_ROWS = 10
LONGEST = 100
"""Longer values are cut to this many characters."""
_DOUBTFUL = "color: #c00"
_BEHIND = "font-weight: bold"
_WRITTEN = "text-decoration: underline dotted; text-underline-offset: 0.2em"

Reasons = Callable[[int, str | None], Sequence[CaveatGroup]]
"""Returns the caveats behind a cell; without a column, those behind a row."""


@dataclass(frozen=True)
class CellLooks:
    """What decides how a cell looks: its doubt flag, the caveats behind it, and where it was written, if it was."""

    marks: pa.Table
    """A column for each column, and one that flags whole rows."""
    reasons: Reasons
    origin: Callable[[int, str], str]
    behind: Collection[tuple[int, str]] = ()
    """Cells that made the value somebody asks about, by number of row and column: they are bold."""


def dataset_html(title: str, rows: pa.Table, looks: CellLooks) -> str:
    """Return a heading and a table with one line for each row."""
    return f"<div><p>{escape(title)}</p>{table_html(rows, looks, range(len(rows)))}</div>"


def table_html(rows: pa.Table, looks: CellLooks, heads: Sequence[object], dataset: str = "") -> str:
    """Return a table with one line for each row. The id of the dataset lets a front end ask about a cell."""
    head = "".join(f"<th>{escape(name)}</th>" for name in rows.column_names)
    lines = "".join(_line(number, heads[number], rows, looks) for number in range(len(rows)))
    identity = f' data-whence="{escape(dataset)}"' if dataset else ""
    return f"<table{identity}><thead><tr><th></th>{head}</tr></thead><tbody>{lines}</tbody></table>"


def _line(number: int, head: object, rows: pa.Table, looks: CellLooks) -> str:
    is_doubtful = looks.marks.column(rows.num_columns)[number].as_py()
    cells = [_cell("th", head, _why(is_doubtful, looks.reasons, number, None))]
    for place, name in enumerate(rows.column_names):
        why = _why(looks.marks.column(place)[number].as_py(), looks.reasons, number, name)
        value, origin = rows.column(place)[number].as_py(), looks.origin(number, name)
        cells.append(_cell("td", value, why, origin, is_behind=(number, name) in looks.behind))
    return f"<tr>{''.join(cells)}</tr>"


def _why(is_doubtful: bool, reasons: Reasons, row: int, column: str | None) -> str | None:
    if not is_doubtful:
        return None
    groups = [group for group in reasons(row, column) if not group.acknowledged]
    about_rows = [group for group in groups if group.column is None]
    nearest = about_rows if column is None and about_rows else groups  # the caveats of its cells stand there already
    return "; ".join(group.message for group in nearest[:3]) or "in doubt"


def _cell(tag: str, value: object, why: str | None, origin: str = "", *, is_behind: bool = False) -> str:
    looks = [_DOUBTFUL] * (why is not None) + [_WRITTEN] * bool(origin) + [_BEHIND] * is_behind
    tip = escape("; ".join(each for each in (why, origin) if each))
    style = f' style="{"; ".join(looks)}" title="{tip}"' if looks else ""
    return f"<{tag}{style}>{escape(_text(value))}</{tag}>"


def _text(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
