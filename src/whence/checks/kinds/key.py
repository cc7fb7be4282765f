"""The check `key`: no two rows agree on these columns, and none is missing."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from whence.checks.checked_table import CheckedTable, group_numbers
from whence.checks.kind import CheckKind
from whence.checks.plan import CheckPlan
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments


class KeyCheck(CheckKind):
    """No two rows have the same values in these columns, and no value is NULL. All rows that share a key fail. With
    `nulls`, NULL is a value like others."""

    name = "key"
    form = "one for all columns"
    parameters = (
        Parameter("columns", "columns", "the columns of the key", is_required=True),
        Parameter("nulls", "flag", "whether NULL is a value like others, and passes alone", False),
    )

    def describe(self, values: Arguments) -> str:
        return f"{', '.join(values.texts('columns'))} is {'unique' if values.flag('nulls') else 'a key'}"

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        names = table.columns(values.texts("columns"))
        rows = table.read(names)
        groups = group_numbers(rows)
        fails = np.bincount(groups)[groups] > 1 if len(groups) else np.zeros(0, dtype=bool)
        for column in () if values.flag("nulls") else rows.columns:
            fails |= pc.is_null(column).to_numpy()
        return CheckPlan(np.flatnonzero(fails), tuple(names))
