"""The routes that suggest checks of a dataset and preview what they would mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.model.errors import WhenceError
from whence.model.lazy_module import LazyModule
from whence.server.access import access
from whence.server.routers import new_router
from whence.server.values import to_json
from whence.server.wiring import WholeWorkspace, find
from whence.wire.checks import AskChecks, CheckPreview, CheckPreviews, FailingRow, SuggestedChecks
from whence.wire.errors import ErrorDetail

# Loaded on first use: the contract of the API is made without Spark.
if TYPE_CHECKING:
    import whence.checks.form as check_form
    import whence.workspace.expect as expectations
    from whence.checks.report import CheckResult
else:
    check_form = LazyModule("whence.checks.form")
    expectations = LazyModule("whence.workspace.expect")

router = new_router()


@router.get("/api/datasets/{name:path}/checks")
@access("session")
def suggest_checks(workspace: WholeWorkspace, name: str) -> SuggestedChecks:
    """Suggest checks that hold for every row now, as the values of an `expect` cell. No Spark is needed."""
    checks = workspace.suggest_checks(find(workspace, name, None))
    return SuggestedChecks(values=check_form.as_fields(checks), checks=[check.to_json() for check in checks])


@router.post("/api/datasets/{name:path}/checks/preview")
@access("session")
def preview_checks(workspace: WholeWorkspace, name: str, asked: AskChecks) -> CheckPreviews:
    """Count the rows that checks would mark. Nothing of it is stored.

    Checks that do not fit are no error of the request, because a form asks while it is being filled in.
    """
    dataset = find(workspace, name, None)
    try:
        found = expectations.preview_dataset(workspace.context, dataset.record, asked.checks)
    except WhenceError as error:
        detail = ErrorDetail(kind=type(error).__name__, message=error.message, hint=error.hint)
        return CheckPreviews(rows=dataset.count, checks=[], problem=detail)
    return CheckPreviews(rows=dataset.count, checks=[_preview(each) for each in found])


def _preview(result: CheckResult) -> CheckPreview:
    examples = [
        FailingRow(row=each.row, line=each.line, values={name: to_json(value) for name, value in each.values.items()})
        for each in result.examples
    ]
    return CheckPreview(
        name=result.check.name,
        passed=result.passed,
        failing_rows=result.count,
        examples=examples,
        why=result.why,
    )
