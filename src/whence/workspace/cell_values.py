"""Turns the values that a user passes for a cell into what is stored: plain JSON, checked by the cell kind."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from whence.model.errors import UserError
from whence.model.notebook import CellVersion
from whence.notebook.run_cell import find_kind
from whence.workspace.dataset import Dataset


def check_cell(kind: str, source: object, name: str | None, parameters: Mapping[str, object]) -> CellVersion:
    """Return a new cell as it is stored; its kind raises if something is missing or wrong."""
    version = store_values(kind, with_source(source, name, parameters))
    find_kind(kind).check(version.values)
    return version


def change_cell(
    was: CellVersion, kind: str | None, source: object, name: str | None, parameters: Mapping[str, object]
) -> CellVersion:
    """Return a cell with some values changed. A value passed as None is removed."""
    values = {**(was.values if kind in (None, was.kind) else {}), **with_source(source, name, {}), **parameters}
    version = store_values(kind or was.kind, values)
    if not (was.is_draft and kind is not None and not values):  # a draft may change its kind before it is filled in
        find_kind(version.kind).check(version.values)
    return version


def with_source(source: object, name: str | None, parameters: Mapping[str, object]) -> dict[str, object]:
    """Return the parameters together with source and name, if these are passed."""
    given = {key: value for key, value in (("source", source), ("name", name)) if value is not None}
    return {**given, **parameters}


def store_values(kind: str, values: Mapping[str, object]) -> CellVersion:
    """Return the values as they are stored, so that they compare equal when they are read again."""
    given = {key: value for key, value in values.items() if value is not None}
    try:
        plain = json.loads(json.dumps(given, default=_plain))  # tuples become lists now, not only when they are read
    except (TypeError, ValueError) as error:
        raise UserError(f"A cell keeps only values that can stand in JSON: {error}.") from error
    return CellVersion(kind, find_kind(kind).completed(plain))


def _plain(value: object) -> object:
    """Convert what JSON cannot hold: paths to text, datasets to their names, sets to sorted lists."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Dataset):
        return value.name
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} cannot")
