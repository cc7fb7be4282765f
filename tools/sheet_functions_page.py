"""Writes the page that lists every function of formulas in sheets, from the catalogue that completion reads."""

from __future__ import annotations

from itertools import groupby

from whence.notebook.sheet.formula.catalogue import CATALOGUE, FunctionEntry

HEAD = """\
# Functions of formulas

Every function that a formula of a [sheet](sheet.md#formulas) can call. An argument in brackets may be left out, and
`...` means that more may follow. An area is a range such as `B2:B9`, a whole column `B:B`, or by name `[price]`.
"""


def write_page() -> str:
    """Return the text of docs/sheet-functions.md."""
    return HEAD + "".join(
        _section(group, list(entries)) for group, entries in groupby(CATALOGUE, lambda each: each.group)
    )


def _section(group: str, entries: list[FunctionEntry]) -> str:
    lines = [f"| `{entry.name}({entry.arguments})` | {entry.sentence} |\n" for entry in entries]
    return f"\n## {group}\n\n| Function | Gives |\n|---|---|\n" + "".join(lines)
