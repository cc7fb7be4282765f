"""The `expect` cell kind: checks a dataset and marks every row that fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from whence.checks.check import Check
from whence.checks.checked_table import CheckedTable
from whence.checks.expect import expect, stop_on_error
from whence.checks.kind import CheckKind
from whence.checks.kinds.registry import CHECK_KINDS
from whence.model.errors import InternalError
from whence.model.parameter import Parameter, is_open
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.cells.query import NAME, SOURCE, arguments_of
from whence.notebook.display import Rich
from whence.notebook.footprint import Footprint
from whence.notebook.python_call import write_call
from whence.notebook.sql_words import bind_arguments


def _parameter(kind: CheckKind) -> Parameter:
    """Return the parameter that takes all checks of a kind."""
    label = kind.description.partition(". ")[0].rstrip(".")
    if kind.form == "entries":
        return Parameter(kind.name, "entries", label, fields=kind.parameters)
    return Parameter(kind.name, "columns", label)


class Expect(CellKind):
    """Put a caveat on each row that fails a check. The rows stay the same.

    With the severity error, a failed check makes the cell fail, and cells that need its result do not run.
    """

    name = "expect"
    title = "Expect (checks)"
    group = "Clean"
    parameters = (
        SOURCE,
        *map(_parameter, CHECK_KINDS.values()),
        Parameter(
            "severity", "choice", "whether a failure marks rows or stops", "warning", choices=("warning", "error")
        ),
        replace(NAME, is_required=False, label="what to call the result; the same name if left open"),
    )

    def check(self, values: Values) -> None:
        super().check(values)
        for each in _entries(values):
            Check.from_values(each)

    def footprint(self, values: Values) -> Footprint:
        others = (names_in(each, "dataset") for each in _entries(values))
        reads = names_in(values, "source").union(*others) | arguments_of(values)
        return Footprint(reads, names_in(values, "name") or names_in(values, "source"), is_exact=True)

    def to_python(self, values: Values) -> str:
        return write_call("ws.expect", values.get("source"), list(_entries(values)), name=values.get("name") or None)

    def run(self, context: CellContext, values: Values) -> CellResult:
        record = context.dataset(values["source"])
        if context.services is None:
            raise InternalError("A check needs the lineage of the workspace.")
        checks = [Check.from_values(each) for each in _entries(bind_arguments(values, context.parameters))]
        table = CheckedTable(record, context.derive, context.dataset)
        report = expect(table, checks, context.services.edges, str(values.get("name") or record.name))
        stop_on_error(report)
        return CellResult({report.dataset.name: report.dataset}, displays=(Rich({"text/plain": str(report)}),))


def _entries(values: Values) -> Iterator[dict[str, object]]:
    """Yield the checks of a cell as mappings; a form may hold others while it is filled in."""
    severity = {"severity": values["severity"]} if values.get("severity") else {}
    for kind in CHECK_KINDS.values():
        stated = values.get(kind.name)
        if is_open(stated):
            continue
        for each in _of_kind(kind, list(stated) if isinstance(stated, list | tuple) else [stated]):
            yield {"kind": kind.name, **each, **severity}


def _of_kind(kind: CheckKind, stated: list[object]) -> Iterator[Mapping[str, object]]:
    first = kind.parameters[0].name
    if kind.form == "one for all columns":
        yield {first: stated}
    elif kind.form == "one for each column":
        yield from ({first: each} for each in stated)
    else:
        yield from ({str(key): value for key, value in each.items()} for each in stated if isinstance(each, Mapping))
