"""Conditions on the rows of a chart, as a filter shelf holds them: a column with values or a range, or SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.charts.errors import wrong
from whence.charts.sql import literal, quoted

_HINT = 'For example: {"column": "state", "in": ["CA", "NY"]} or {"column": "day", "between": [0, 5]}.'
Plain = str | int | float | bool | None


@dataclass(frozen=True)
class Condition:
    """One condition as SQL, and the column it is about, if it names one."""

    sql: str
    column: str | None
    path: str


def parse_where(json: object, path: str) -> tuple[Condition, ...]:
    """Return the conditions of a specification: SQL, one mapping, or a list of both.

    >>> [each.sql for each in parse_where([{"column": "day", "between": [2, None]}, "amount > 0"], "data.where")]
    ['`day` >= 2', 'amount > 0']
    """
    if json is None:
        return ()
    listed = list(json) if isinstance(json, list | tuple) else [json]
    several = isinstance(json, list | tuple)
    return tuple(_condition(each, f"{path}[{place}]" if several else path) for place, each in enumerate(listed))


def _condition(json: object, path: str) -> Condition:
    if isinstance(json, str):
        return Condition(json, None, path)
    column = json.get("column") if isinstance(json, Mapping) else None
    if not isinstance(json, Mapping) or not isinstance(column, str):
        raise wrong(path, f"a SQL condition, or a mapping with a column, is needed, not {json!r}", _HINT)
    kinds = set(json) - {"column"}
    if kinds not in ({"in"}, {"not_in"}, {"between"}):
        said = ", ".join(sorted(map(str, kinds))) or "nothing"
        raise wrong(path, f"a filter on {column} says one of in, not_in and between, not {said}", _HINT)
    (kind,) = kinds
    values = json[kind]
    is_list = isinstance(values, Sequence) and not isinstance(values, str)
    if not is_list or not all(isinstance(each, Plain) for each in values):
        raise wrong(f"{path}.{kind}", f"a list of values is needed, not {values!r}", _HINT)
    if kind == "between":
        return Condition(_range(column, values, f"{path}.between"), column, path)
    found = _among(column, values)
    # Rows without a value are among the others, unless the list names them.
    others = f"({found}) is not true"
    return Condition(found if kind == "in" else others, column, path)


def _among(column: str, values: Sequence[object]) -> str:
    """Return SQL for a column that holds one of the values. None is a value as well: nothing."""
    named = [literal(each) for each in values if each is not None]
    parts = [f"{quoted(column)} in ({', '.join(named)})"] if named else []
    parts += [f"{quoted(column)} is null"] if None in values else []
    return " or ".join(parts) or "false"


def _range(column: str, ends: Sequence[object], path: str) -> str:
    if len(ends) != 2:
        raise wrong(path, f"two ends are needed, not {len(ends)}", "An end that is null is open.")
    signs = ((">=", ends[0]), ("<=", ends[1]))
    return " and ".join(f"{quoted(column)} {sign} {literal(end)}" for sign, end in signs if end is not None) or "true"
