"""Reads what stands behind `%%whence` in the first line of a cell."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from whence.model.errors import BadInput

_USAGE = "Write %%whence, %%whence sql, or %%whence sql NAME; --workspace names a folder or a variable."
_WORKSPACE = "--workspace"


@dataclass(frozen=True)
class MagicLine:
    """What a cell asks for."""

    is_sql: bool = False
    name: str | None = None
    """What the frame at the end of the cell is to be called."""
    workspace: str | None = None
    """A folder, or a variable of the notebook that holds an open workspace."""


def read_magic_line(line: str) -> MagicLine:
    """Return what the line asks for.

    >>> read_magic_line("sql totals --workspace shop.whence")
    MagicLine(is_sql=True, name='totals', workspace='shop.whence')
    """
    words, workspace = shlex.split(line), None
    if _WORKSPACE in words:
        place = words.index(_WORKSPACE)
        if place + 1 == len(words):
            raise BadInput("--workspace names no workspace.", _USAGE)
        workspace = words[place + 1]
        del words[place : place + 2]
    is_sql = words[:1] == ["sql"]
    names = words[1:] if is_sql else words
    if len(names) > 1 or any(name.startswith("-") for name in names):
        raise BadInput(f"%%whence does not know {' '.join(names)}.", _USAGE)
    return MagicLine(is_sql, names[0] if names else None, workspace)
