"""Which columns of a report must not be seen."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection

SEAL = "report"
"""What a report holds the keyed hash of, so that another workspace knows that it has another secret."""


def keyed_name(secret: bytes, key: str) -> str:
    """Return what stands in a report in place of a row key. Without the secret nobody can compute it from values."""
    return hmac.new(secret, key.encode(), hashlib.sha256).hexdigest()[:32]


class Redaction:
    """Columns whose values a report hides, each named `column` for every dataset, or `dataset.column` for one.

    A row key is a hash of values. `secret` hides keys, else values of few choices could be guessed from them.
    """

    def __init__(self, columns: Collection[str], secret: bytes = b"") -> None:
        self._columns = frozenset(each.lower() for each in columns)
        self._secret = secret

    def __bool__(self) -> bool:
        return bool(self._columns)

    @property
    def seal(self) -> str | None:
        """The keyed hash that tells which workspace can check the report; None if nothing is hidden."""
        return keyed_name(self._secret, SEAL) if self else None

    def name_rows(self, keys: Collection[str]) -> list[str]:
        """Return what names rows in the report: their keys, or keyed hashes of these if a column is hidden."""
        return [keyed_name(self._secret, key) for key in keys] if self else list(keys)

    def hides_any(self, dataset: str, columns: Collection[str]) -> bool:
        """Return whether one of the columns of a dataset must not be seen."""
        return any(self.hides(dataset, column) for column in columns)

    def hides(self, dataset: str, column: str | None) -> bool:
        """Return whether the values of a column must not be seen."""
        if column is None:
            return False
        return bool({column.lower(), f"{dataset}.{column}".lower()} & self._columns)

    def unknown(self, known: Collection[tuple[str, str]]) -> list[str]:
        """Return the names that none of these columns, as (dataset, column), has."""
        names = {column.lower() for _, column in known} | {f"{dataset}.{column}".lower() for dataset, column in known}
        return sorted(self._columns - names)
