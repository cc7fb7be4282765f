"""`ws.expect`: checks a dataset of a workspace, and checks it again when its file is loaded anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar, cast

from whence.arrays.arrays import form_of
from whence.checks.check import Check, Severity, as_check
from whence.checks.checked_table import CheckedTable
from whence.checks.expect import expect, preview_checks, stop_on_error
from whence.checks.from_pandera.schema import PanderaSchema, is_pandera
from whence.checks.report import CheckReport, CheckResult
from whence.derive.record_failure import record_failure
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported, UserError
from whence.model.lazy_module import LazyModule
from whence.workspace.context import Context
from whence.workspace.references import version_of

# Only those who give a schema of pandera need what reads it.
if TYPE_CHECKING:
    import whence.checks.from_pandera.translate as pandera_translation
else:
    pandera_translation = LazyModule("whence.checks.from_pandera.translate")

Handle = TypeVar("Handle")
Given = Check | Mapping[str, object] | PanderaSchema
"""What a user may give as checks: a check, its values, or a schema of pandera, which comes to several."""


def expect_dataset(
    context: Context,
    record: DatasetRecord,
    given: Sequence[Given] | PanderaSchema,
    name: str | None = None,
    *,
    stop: bool = True,
    marks_errors: bool = False,
) -> CheckReport[DatasetRecord]:
    """Check a dataset version, mark what fails, and raise if a check of severity error fails."""
    if name is None and form_of(context.store, record) is not None:
        raise NotSupported(f"{record.label} is an array, and checks give rows.", "Give them another name: name=...")
    report = expect(
        _table(context, record),
        list(_checks_of(record, given)),
        context.readers.edges,
        name,
        marks_errors=marks_errors,
    )
    if stop:
        with record_failure(context.store, "expect", name or record.name):
            stop_on_error(report)
    return report


def preview_dataset(context: Context, record: DatasetRecord, given: Sequence[Given]) -> tuple[CheckResult, ...]:
    """Return what would come of checks of a dataset version. Nothing is stored."""
    return preview_checks(_table(context, record), list(_checks_of(record, given)), context.readers.edges)


def _table(context: Context, record: DatasetRecord) -> CheckedTable:
    return CheckedTable(record, context.derive, lambda each: version_of(context.store, each))


def checks_of_schema(record: DatasetRecord, schema: object, severity: Severity = "warning") -> list[Check]:
    """Return what a schema of pandera expects of a dataset, as checks."""
    if not is_pandera(schema):
        raise UserError(f"{schema!r} is no schema of pandera.", "Give a DataFrameSchema, or a class of DataFrameModel.")
    return pandera_translation.pandera_checks(cast(PanderaSchema, schema), record.schema, severity)


def _checks_of(record: DatasetRecord, given: Sequence[Given] | PanderaSchema) -> Iterator[Check]:
    for each in [given] if is_pandera(given) else cast(Sequence[Given], given):
        if is_pandera(each):
            yield from checks_of_schema(record, each)
        else:
            yield as_check(each)


def with_dataset(report: CheckReport[DatasetRecord], dataset: Handle) -> CheckReport[Handle]:
    """Return the report with a handle of the dataset that it is about."""
    return cast("CheckReport[Handle]", replace(cast("CheckReport[object]", report), dataset=dataset))
