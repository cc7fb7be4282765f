"""Fold several columns of measures into two: the name of the measure, and its value, with a row for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.charts.errors import wrong
from whence.charts.kinds import kind_of
from whence.charts.sql import quoted

_HINT = 'For example: "fold": ["price", "cost"].'


@dataclass(frozen=True)
class Fold:
    """The columns that are folded, and the names of the two columns that take their place."""

    columns: tuple[str, ...]
    name: str = "measure"
    value: str = "value"

    def over(self, table: str) -> str:
        """Return the table with the columns folded; rows without a value stay.

        >>> Fold(("a", "b")).over("t")
        '(select * from t unpivot include nulls (`value` for `measure` in (`a`, `b`)))'
        """
        name, value, listed = quoted(self.name), quoted(self.value), ", ".join(map(quoted, self.columns))
        return f"(select * from {table} unpivot include nulls ({value} for {name} in ({listed})))"

    def type_of(self, column: str, types: Mapping[str, str], path: str) -> str | None:
        """Return the type of one of its two columns, or None for a column that is not folded."""
        if column == self.name:
            return "string"
        if column == self.value:
            found = {types[each] for each in self.columns}
            kinds = {kind_of(each) for each in found}
            if len(kinds) > 1:
                said = ", ".join(f"{each} ({kind_of(types[each])})" for each in self.columns)
                raise wrong(path, f"columns of one kind can be folded, not {said}")
            return found.pop() if len(found) == 1 else "double"
        if column in self.columns:
            raise wrong(path, f"{column} is folded into {self.name} and {self.value}", "Map one of these.")
        return None


def parse_fold(json: object, names: object, path: str) -> Fold | None:
    """Return what a specification folds."""
    if json is None:
        return None
    columns = _texts(json, f"{path}.fold")
    if len(columns) < 2 or len(set(columns)) < len(columns):
        raise wrong(f"{path}.fold", f"two or more different columns are needed, not {json!r}", _HINT)
    pair = _texts(["measure", "value"] if names is None else names, f"{path}.as")
    if len(pair) != 2:
        raise wrong(f"{path}.as", f"two names are needed, not {names!r}", 'For example: "as": ["measure", "value"].')
    return Fold(tuple(columns), pair[0], pair[1])


def _texts(json: object, path: str) -> list[str]:
    if not isinstance(json, Sequence) or isinstance(json, str) or not all(isinstance(each, str) for each in json):
        raise wrong(path, f"a list of names is needed, not {json!r}", _HINT)
    return list(json)
