"""The check `dependency`: rows that agree on some columns agree on others."""

from __future__ import annotations

from whence.checks.checked_table import CheckedTable
from whence.checks.kind import CheckKind
from whence.checks.plan import CheckPlan
from whence.lineage.dependencies import dependency, read_dependency
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments


class DependencyCheck(CheckKind):
    """Rows that agree on some columns agree on others, such as zip -> city. NULL counts as a value. All rows of a group
    that disagrees fail, and the cells on the right side are in doubt."""

    name = "dependency"
    parameters = (Parameter("rule", "text", "the dependency, such as zip, street -> city", is_required=True),)

    def describe(self, values: Arguments) -> str:
        return values.text("rule").strip()

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        left, right = (tuple(table.columns(side)) for side in read_dependency(values.text("rule")))
        found = dependency(table.context.store, table.record, f"{', '.join(left)} -> {', '.join(right)}")
        return CheckPlan(found.broken_rows, tuple(dict.fromkeys((*left, *right))), right)
