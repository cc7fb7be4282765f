"""The rows of a checked dataset as pandas, and the rows of it that fail what pandera runs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from whence.checks.checked_table import CheckedTable
from whence.checks.foreign_check import Verdict
from whence.checks.from_pandera.package import pandera_package
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

_EXACT = 2**53
"""The first whole number that pandas may change when it stands beside a NULL, as it becomes a float there."""


class PandasFrame:
    """The columns of one dataset version as pandas, each read when it is first asked for. The index is the row id."""

    def __init__(self, table: CheckedTable) -> None:
        self.table = table
        self._columns: dict[str, pd.Series] = {}

    def columns(self, names: Sequence[str]) -> pd.DataFrame:
        """Return these columns, or all without any, as a frame that a check may change."""
        asked = list(names) or list(self.table.record.schema.names)
        rows = pd.RangeIndex(self.table.record.rows)
        return pd.DataFrame({name: self._column(name).copy() for name in asked}, index=rows)

    def _column(self, name: str) -> pd.Series:
        if name not in self._columns:
            self._columns[name] = self._read(name)
        return self._columns[name]

    def _read(self, name: str) -> pd.Series:
        column = self.table.read([name]).column(0)
        is_large = self.table.column(name).type == "bigint" and column.null_count
        if is_large and any(abs(each) > _EXACT for each in _extremes(column)):
            exact: pd.Series = column.to_pandas(types_mapper={column.type: pd.Int64Dtype()}.get)
            return exact
        plain: pd.Series = column.to_pandas()
        return plain


def failing_rows(schema: Any, frame: pd.DataFrame, rule: str = "") -> Verdict:  # noqa: ANN401 - pandera may be missing
    """Return the row ids that pandera finds with this schema; a sentence if what fails is not about single rows.

    With a rule, only failures of what begins with it count: values that cannot be coerced have the wrong type, too.
    """
    errors = pandera_package().errors
    try:
        with warnings.catch_warnings():
            # Functions of users and patterns with groups warn in pandas; a report is no place for it.
            warnings.simplefilter("ignore")
            schema.validate(frame, lazy=True)
    except errors.SchemaErrors as error:
        cases = error.failure_cases
        cases = cases[cases["check"].astype(str).str.startswith(rule)]
        whole = cases[cases["index"].isna()]
        if len(whole):
            return _reason(whole.iloc[0])
        return np.unique(cases["index"].to_numpy().astype(np.int64))
    return np.zeros(0, dtype=np.int64)


def _reason(case: pd.Series) -> str:
    found = " ".join(str(case["failure_case"]).split()).rstrip(".")
    # A function that raises gives its error; one that answers False for the whole gives just that.
    return f"pandera stopped at {found}" if re.match(r"\w+\(", found) else "it does not hold for the whole dataset"


def _extremes(column: Any) -> list[int]:  # noqa: ANN401 - Arrow ships no types
    numbers = column.drop_null().to_numpy()
    return [int(numbers.min()), int(numbers.max())] if len(numbers) else []
