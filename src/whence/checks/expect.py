"""Checks a dataset and marks what fails: the call behind `ws.expect`, the `expect` cell and `whence expect`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whence.caveats.file_lines import file_lines
from whence.checks.check import Check
from whence.checks.checked_table import CheckedTable
from whence.checks.find import Finding, find_failures
from whence.checks.mark import mark_failures, unchecked
from whence.checks.reach import reached_datasets
from whence.checks.report import CheckReport, CheckResult, FailingRow
from whence.lineage.edges import Edges
from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord
from whence.model.errors import CheckFailed, UserError
from whence.model.plural import counted

_EXAMPLES = 5


def expect(
    table: CheckedTable,
    checks: Sequence[Check],
    edges: Edges,
    name: str | None = None,
    *,
    marks_errors: bool = False,
) -> CheckReport[DatasetRecord]:
    """Check a dataset and mark what fails. Where a check of severity error fails, nothing is stored.

    With `marks_errors` its rows are marked as those of warnings are.
    """
    if not checks:
        raise UserError("There is no check.", 'For example: whence.Check("row", "amount > 0").')
    record, store = table.record, table.context.store
    findings = find_failures(table, checks)
    results = _results(table, edges, findings)
    has_error = any(each.is_failure and each.check.severity == "error" for each in findings)
    marked = (
        record
        if has_error and not marks_errors
        else mark_failures(table.context, record, findings, name or record.name)
    )
    reached = reached_datasets(Trace(store, edges), unchecked(store, record), findings)
    return CheckReport(marked, record.label, record.rows, results, reached)


def preview_checks(table: CheckedTable, checks: Sequence[Check], edges: Edges) -> tuple[CheckResult, ...]:
    """Return what would come of each check. Nothing is stored."""
    return _results(table, edges, find_failures(table, checks))


def stop_on_error(report: CheckReport[DatasetRecord]) -> None:
    """Raise an error if a check of severity error failed."""
    if not report.errors:
        return
    found = ", ".join(
        f"{each.check.name} ({counted(each.count, 'row') if each.count else each.why})" for each in report.errors
    )
    raise CheckFailed(
        f"{report.label} fails {counted(len(report.errors), 'check')}: {found}.",
        "Correct the data, or make the check a warning, which only marks the rows.",
    )


def _results(table: CheckedTable, edges: Edges, findings: Sequence[Finding]) -> tuple[CheckResult, ...]:
    return tuple(_result(table, edges, each) for each in findings)


def _result(table: CheckedTable, edges: Edges, finding: Finding) -> CheckResult:
    examples, why = tuple(_examples(table, edges, finding)), finding.plan.why if finding.is_failure else ""
    return CheckResult(
        finding.check, not finding.is_failure, len(finding.rows), finding.rows, examples=examples, why=why
    )


def _examples(table: CheckedTable, edges: Edges, finding: Finding) -> Iterator[FailingRow]:
    """Yield the first rows that fail, with their lines and values."""
    rows, store, shows = finding.rows[:_EXAMPLES], table.context.store, list(finding.plan.shows)
    if not len(rows):
        return
    lines = file_lines(store, edges, table.record, rows)
    values = store.take(table.record, rows, shows).to_pylist() if shows else [{} for _ in rows]
    for row, line, shown in zip(rows.tolist(), lines, values, strict=True):
        yield FailingRow(row, line, shown)
