"""A check that code outside this project runs: it cannot be stored, only its name and the rows that failed it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from whence.checks.check import Check, Severity
from whence.checks.checked_table import CheckedTable
from whence.checks.plan import CheckPlan
from whence.lineage.block import Ids
from whence.model.errors import InternalError

Verdict = Ids | str
"""The rows that fail; for a failure of the whole dataset, the reason in words."""
FOREIGN = "pandera"
"""The kind of these checks in a report and in what is stored."""


class ForeignCheck(Check):
    """A check whose failing rows a function finds. A later reload cannot call it, and states its caveats again."""

    def __init__(
        self, name: str, columns: Sequence[str], find: Callable[[CheckedTable], Verdict], severity: Severity = "warning"
    ) -> None:
        self.kind = FOREIGN
        self.name = name
        self.severity: Severity = severity
        self.columns = tuple(columns)
        self._find = find

    @property
    def parameters(self) -> dict[str, object]:
        """The columns whose cells are in doubt where a row fails."""
        return {"columns": self.columns}

    def plan(self, table: CheckedTable) -> CheckPlan:
        """Return which rows of a dataset fail."""
        found = self._find(table)
        if isinstance(found, str):
            return CheckPlan(where=True, why=found)
        return CheckPlan(found, self.columns, self.columns)

    def to_json(self) -> dict[str, object]:
        """Return what can be stored of the check."""
        return {"kind": self.kind, "name": self.name, "severity": self.severity, "columns": list(self.columns)}


def stored_check(values: Mapping[str, Any]) -> Check:
    """Return a check that was stored; one that cannot be run again still knows its name and columns."""
    if values["kind"] != FOREIGN:
        return Check.from_values(values)
    return ForeignCheck(values["name"], values["columns"], _refuse, cast(Severity, values["severity"]))


def _refuse(table: CheckedTable) -> Verdict:
    raise InternalError(f"A check of {table.record.label} that only pandera can run was stored, and run again.")
