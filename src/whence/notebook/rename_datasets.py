"""Gives datasets other names in the cells that make and read them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from whence.model.errors import WhenceError
from whence.model.notebook import CellVersion
from whence.model.page import PageItem
from whence.model.parameter import Parameter
from whence.notebook.cells.registry import CELL_KINDS
from whence.plan.rename_tables import rename_tables

_RESULTS = frozenset({"name", "otherwise"})
"""Parameters that say what to call a result."""


def rename_in_cell(said: CellVersion, names: Mapping[str, str]) -> CellVersion:
    """Return a cell with datasets called by other names; `names` has them by their old ones in lower case.

    Forms and queries follow. The code of a Python cell stays as it is: only running it would tell what it names.

    >>> rename_in_cell(CellVersion("sql", {"source": "select * from a", "name": "b"}), {"a": "c", "b": "d"}).values
    {'source': 'select * from c', 'name': 'd'}
    """
    kind = CELL_KINDS.get(said.kind)
    known = {} if kind is None else {each.name: each for each in kind.parameters}
    values = {key: _renamed(value, known.get(key), said.kind, names) for key, value in said.values.items()}
    return CellVersion(said.kind, values)


def rename_in_items(items: tuple[PageItem, ...], names: Mapping[str, str]) -> tuple[PageItem, ...]:
    """Return items of a page whose tables show datasets by other names."""
    return tuple(
        replace(each, name=names.get(each.name.lower(), each.name)) if each.shows == "table" else each for each in items
    )


def written_names(said: CellVersion) -> frozenset[str]:
    """Return the names of the datasets that a cell says it makes: none if it is empty, wrong, or Python code."""
    kind = None if said.is_draft else CELL_KINDS.get(said.kind)
    try:
        return frozenset() if kind is None else kind.footprint(said.values).writes or frozenset()
    except WhenceError:  # its run raises the same error
        return frozenset()


def mentions(said: CellVersion, name: str) -> bool:
    """Whether the code of a Python cell has this name in it."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    return said.kind == "python" and word.search(str(said.values.get("source"))) is not None


def _renamed(value: object, parameter: Parameter | None, kind: str, names: Mapping[str, str]) -> object:
    if parameter is None or kind == "python":
        return value
    if kind == "sql" and parameter.name == "source":
        return rename_tables(str(value), names)
    if parameter.kind in ("dataset", "datasets") or parameter.name in _RESULTS:
        return [_other(each, names) for each in value] if isinstance(value, list) else _other(value, names)
    if parameter.kind == "entries" and isinstance(value, list):
        return [{**each, "name": _other(each["name"], names)} if "name" in each else each for each in value]
    return value


def _other(name: object, names: Mapping[str, str]) -> object:
    return names.get(name.strip().lower(), name) if isinstance(name, str) else name
