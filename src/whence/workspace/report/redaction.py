"""Which columns of a report must not be seen."""

from __future__ import annotations

from collections.abc import Collection


class Redaction:
    """Columns whose values a report hides, each named `column` for every dataset, or `dataset.column` for one."""

    def __init__(self, columns: Collection[str]) -> None:
        self._columns = frozenset(each.lower() for each in columns)

    def __bool__(self) -> bool:
        return bool(self._columns)

    def hides(self, dataset: str, column: str | None) -> bool:
        """Return whether the values of a column must not be seen."""
        if column is None:
            return False
        return bool({column.lower(), f"{dataset}.{column}".lower()} & self._columns)

    def unknown(self, known: Collection[tuple[str, str]]) -> list[str]:
        """Return the names that none of these columns, as (dataset, column), has."""
        names = {column.lower() for _, column in known} | {f"{dataset}.{column}".lower() for dataset, column in known}
        return sorted(self._columns - names)
