"""Checks that pandera itself runs over the rows as pandas, each with a schema of its own."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from whence.checks.check import Severity
from whence.checks.checked_table import CheckedTable
from whence.checks.foreign_check import ForeignCheck, Verdict
from whence.checks.from_pandera.frame import PandasFrame, failing_rows
from whence.checks.from_pandera.package import pandera_package
from whence.lineage.block import Ids
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

Schema = Any
"""A schema or check of pandera, which may be missing."""


class PanderaRun:
    """Makes the checks that pandera runs; all of them share one frame, read once for each version that is checked."""

    def __init__(self, severity: Severity) -> None:
        self._severity: Severity = severity
        self._frames: dict[str, PandasFrame] = {}

    def column(self, name: str, column: str, *, coerce_to: object = None, **rules: object) -> ForeignCheck:
        """Return a check of one column by these rules of a `Column`. With a dtype to coerce to, values that cannot be
        coerced are left out."""
        pandera = pandera_package()
        groupby = getattr(rules.get("checks"), "groupby", None)

        def find(table: CheckedTable) -> Verdict:
            frame = self._frame(table).columns([column] if groupby is None else [])
            frame = frame if coerce_to is None else _coerced(frame, column, coerce_to)
            others = {name: _column() for name in frame.columns if name != column}
            return failing_rows(pandera.DataFrameSchema({**others, column: _column(**rules)}), frame)

        return ForeignCheck(name, [column], find, self._severity)

    def coercion(self, column: str, dtype: object) -> ForeignCheck:
        """Return the check that every value of a column can be coerced."""

        def find(table: CheckedTable) -> Verdict:
            return _misfits(self._frame(table).columns([column]), column, dtype)

        return ForeignCheck(f"{column} can be coerced to {dtype}", [column], find, self._severity)

    def check_of_rows(self, name: str, **rules: object) -> ForeignCheck:
        """Return a check of whole rows, by these rules of a `DataFrameSchema`."""
        schema = pandera_package().DataFrameSchema(**rules)
        return self._of(name, lambda table: failing_rows(schema, self._frame(table).columns([])))

    def failure(self, name: str, why: str) -> ForeignCheck:
        """Return a check of the whole dataset that fails for a reason."""
        return self._of(name, lambda table: why)

    def _of(self, name: str, find: Callable[[CheckedTable], Verdict]) -> ForeignCheck:
        return ForeignCheck(name, [], find, self._severity)

    def _frame(self, table: CheckedTable) -> PandasFrame:
        key = str(table.record.id)
        if key not in self._frames:
            self._frames = {key: PandasFrame(table)}
        return self._frames[key]


def matching_columns(column: Schema, names: Sequence[str]) -> list[str]:
    """Return the names that the pattern of a column matches."""
    return [str(each) for each in column.get_regex_columns(pd.DataFrame(columns=list(names)))]


def all_failures(check: Schema) -> Schema:
    """Return the check as one that states every failing row, as an error."""
    strict = copy.copy(check)
    strict.raise_warning = False
    strict.n_failure_cases = None
    return strict


def _column(**rules: object) -> Schema:
    return pandera_package().Column(**{"nullable": True, **rules})


def _misfits(frame: pd.DataFrame, column: str, dtype: object) -> Ids:
    found = failing_rows(
        pandera_package().DataFrameSchema({column: _column(dtype=dtype, coerce=True)}), frame, "coerce"
    )
    return np.arange(len(frame)) if isinstance(found, str) else found


def _coerced(frame: pd.DataFrame, column: str, dtype: object) -> pd.DataFrame:
    misfits = _misfits(frame.copy(), column, dtype)
    fits = frame.drop(index=frame.index[misfits])
    schema = pandera_package().DataFrameSchema({column: _column(dtype=dtype, coerce=True)})
    coerced: pd.DataFrame = schema.validate(fits)
    return coerced
