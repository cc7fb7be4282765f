"""Finds rows by a condition: plain comparisons without Spark, others as SQL that the guard of SQL cells checks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from whence.model.errors import UserError
from whence.model.plural import counted

if TYPE_CHECKING:
    from whence.store.views import WhereLike
    from whence.workspace.dataset import Dataset

Where = str | dict[str, object]
"""A SQL condition, or columns with the value that each must have."""
Ids = npt.NDArray[np.int64]

_COMPARISON = re.compile(
    r"""\s*(?:`(?P<quoted>[^`]+)`|(?P<name>[^\W\d]\w*))\s*
        (?: (?P<op>=|<>|!=|<=|>=|<|>)\s*(?: '(?P<text>[^'\\]*)' | (?P<number>-?\d+(?P<point>\.\d+)?) )
          | (?P<null>is\s+(?:not\s+)?null) )\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_AND = re.compile(r"and\b", re.IGNORECASE)
_RANGES = {"int": 2**31, "bigint": 2**63}


def find_rows(dataset: Dataset, where: Where) -> Ids:
    """Return the ids of the rows for which a condition holds, in order."""
    clauses = plain_clauses(dataset, where)
    if clauses is None:
        return np.array(dataset.context.engine.rids_where(dataset.record, str(where)), dtype=np.int64)
    return np.sort(dataset.view(where=clauses).rids())


def find_row(dataset: Dataset, row: int | None, where: Where | None) -> tuple[int, str]:
    """Return the row that an agent names by its number or by a condition, and a remark if several rows match."""
    if (row is None) == (where is None):
        raise UserError("Say which row: give either row or where.")
    if row is not None:
        return row, ""
    found = find_rows(dataset, where or "")
    if not len(found):
        raise UserError(f"No row of {dataset.record.label} matches {where}.", "Look at some: read_rows.")
    remark = f"{counted(len(found), 'row')} match; this is the first of them." if len(found) > 1 else ""
    return int(found[0]), remark


def plain_clauses(dataset: Dataset, where: Where) -> list[WhereLike] | None:
    """Return a condition as clauses that need no Spark; None if only Spark can tell what it means."""
    if isinstance(where, str) and where.lstrip().startswith("{"):
        where = _object(where)
    if isinstance(where, Mapping):
        return [(name, "is_null") if value is None else (name, "=", value) for name, value in where.items()]
    return _read_clauses(where, {field.name.lower(): (field.name, field.type) for field in dataset.schema})


def _read_clauses(text: str, types: Mapping[str, tuple[str, str]]) -> list[WhereLike] | None:
    """Return comparisons joined by `and`; None if the text is anything else."""
    clauses: list[WhereLike] = []
    place = 0
    while found := _COMPARISON.match(text, place):
        clause = _clause(found, types)
        if clause is None:
            return None
        clauses.append(clause)
        if found.end() == len(text):
            return clauses
        joined = _AND.match(text, found.end())
        if joined is None:
            return None
        place = joined.end()
    return None


def _object(text: str) -> dict[str, object]:
    """Return an object that came as text, as some agents send it."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise UserError("This condition is neither SQL nor an object of columns and values.") from error
    return dict(found)


def _clause(found: re.Match[str], types: Mapping[str, tuple[str, str]]) -> WhereLike | None:
    """Return a comparison whose meaning does not depend on how Spark converts types; None for any other."""
    column, kind = types.get((found["quoted"] or found["name"]).lower(), ("", ""))
    if not column:
        return None  # Spark says which columns there are
    if found["null"]:
        return (column, "is_not_null" if "not" in found["null"].lower() else "is_null")
    op = "!=" if found["op"] == "<>" else found["op"]
    if found["text"] is not None:
        return (column, op, found["text"]) if kind == "string" else None
    if kind == "double":
        return (column, op, float(found["number"]))
    is_exact = not found["point"] and abs(int(found["number"])) < _RANGES.get(kind, 0)
    return (column, op, int(found["number"])) if is_exact else None
