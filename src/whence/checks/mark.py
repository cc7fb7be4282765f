"""Makes the version of a dataset in which the rows that fail checks are in doubt, in one query."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from whence.caveats.own_caveats import MISSING_ROWS
from whence.checks.check import Check
from whence.checks.find import Finding
from whence.checks.foreign_check import ForeignCheck, stored_check
from whence.derive.derive import derive
from whence.derive.request import DeriveContext, Request
from whence.derive.state import with_missing_rows
from whence.engine.script import Level
from whence.lineage.block import Ids
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.store.store import Store
from whence.transformations.declared_ranges import CHECKS
from whence.transformations.doubt_sql import add_doubts
from whence.transformations.input_table import RID
from whence.transformations.plan import Guess
from whence.transformations.sql import concat_text, quoted, text

FAMILY = "check"
"""The family of caveats of rows that fail a check."""
_FEW_ROWS = 1_000
_MOST_SHOWN = 6


def mark_failures(
    context: DeriveContext, record: DatasetRecord, findings: Sequence[Finding], name: str
) -> DatasetRecord:
    """Return a version with the caveats of failed checks; the same version if it would say nothing new."""
    known = set(_stated_failures(context.store, record))
    failures = [each for each in findings if each.is_failure and (each.check, _digest(each)) not in known]
    if not failures and name == record.name:
        return record
    guesses = [guess for each in failures for guess in _guesses(record, each)]
    columns = tuple(f"{_with_doubts(quoted(each), guesses, each)} as {quoted(each)}" for each in record.schema.names)
    on_rows = [guess for guess in guesses if guess.column is None]
    level = Level(columns, add_doubts("true", on_rows) if on_rows else None)
    engine = context.engine
    query = engine.read(engine.stack_selections(engine.with_row_numbers(record, RID), [level]), is_collapsed=True)
    notes = tuple(Caveat(_sentence(each), MISSING_ROWS) for each in failures if isinstance(each.plan.where, bool))
    words = f"expect: {', '.join(each.check.name for each in findings)}"
    documents = {CHECKS: _to_document(findings)}
    return derive(
        context,
        Request(
            with_missing_rows(query) if notes else query, name, "expect", words, documents=documents, caveats=notes
        ),
    )


def own_checks(store: Store, record: DatasetRecord) -> list[Check]:
    """Return the checks that this version was made with; none if it was not made by checks."""
    stored: dict[str, Any] | None = store.document(record, CHECKS)
    return [] if stored is None else [stored_check(each) for each in stored["checks"]]


def foreign_failures(store: Store, record: DatasetRecord) -> list[tuple[ForeignCheck, Ids]]:
    """Return the failed checks of this version that only other code can run, and their rows; none if all rows are."""
    stored: dict[str, Any] = store.document(record, CHECKS) or {}
    failed = zip(own_checks(store, record), stored.get("foreign", ()), strict=False)
    return [
        (check, np.array(rows, dtype=np.int64))
        for check, rows in failed
        if isinstance(check, ForeignCheck) and rows is not None
    ]


def read_outcomes(store: Store, record: DatasetRecord) -> list[tuple[Check, bool]]:
    """Return the checks that this version was made with, each with whether the rows passed it."""
    stored: dict[str, Any] = store.document(record, CHECKS) or {"digests": ()}
    return [(check, digest == "") for check, digest in zip(own_checks(store, record), stored["digests"], strict=True)]


def _to_document(findings: Sequence[Finding]) -> dict[str, object]:
    """Return what is stored of checks: each of them, a digest of the rows that failed it, and the rows themselves
    where nothing can find them again."""
    return {
        "checks": [each.check.to_json() for each in findings],
        "digests": [_digest(each) if each.is_failure else "" for each in findings],
        "foreign": [_rows_of_foreign(each) for each in findings],
    }


def _rows_of_foreign(finding: Finding) -> list[int] | None:
    return finding.rows.tolist() if finding.is_failure and isinstance(finding.check, ForeignCheck) else None


def _stated_failures(store: Store, record: DatasetRecord) -> Iterator[tuple[Check, str]]:
    """Yield the failures that this version, and versions of the same rows below it, state already."""
    for version in _versions_of_same_rows(store, record):
        stored: dict[str, Any] = store.document(version, CHECKS) or {"digests": ()}
        yield from zip(own_checks(store, version), stored["digests"], strict=True)


def _digest(finding: Finding) -> str:
    # The same check may fail on other rows later: time passes, and other datasets change.
    return hashlib.sha256(finding.rows.astype(np.int64).tobytes()).hexdigest()


def unchecked(store: Store, record: DatasetRecord) -> DatasetRecord:
    """Return the version that checks were first put on."""
    *_, first = _versions_of_same_rows(store, record)
    return first


def _versions_of_same_rows(store: Store, record: DatasetRecord) -> Iterator[DatasetRecord]:
    """Yield this version, and the versions below it that checks were put on, newest first."""
    yield record
    while record.origin == "expect" and record.parents:  # the version below may be forgotten
        record = store.by_id(record.parents[0])
        yield record


def _guesses(record: DatasetRecord, finding: Finding) -> list[Guess]:
    """Return the caveats of one check as guesses about cells, or about rows."""
    plan = finding.plan
    if isinstance(plan.where, bool):
        return []
    when = f"({plan.where})" if isinstance(plan.where, str) else _is_one_of(plan.where, record.rows)
    message = _message(finding)
    return [Guess(column, FAMILY, when, message, *plan.ends) for column in plan.marks or (None,)]


def _is_one_of(rows: Ids, total: int) -> str:
    """Return the condition that a row has one of these row ids. Many become a mask of one byte for each row.

    Spark plans one binary literal at once, but takes minutes for many numbers.
    """
    if len(rows) <= _FEW_ROWS:
        return f"{RID} in ({', '.join(map(str, rows.tolist()))})"
    mask = np.zeros(total, dtype=np.uint8)
    mask[rows] = 1
    return f"substring(X'{mask.tobytes().hex()}', cast({RID} + 1 as int), 1) = X'01'"


def _message(finding: Finding) -> str:
    """Return the message of a failing row in SQL: the check's name and the values that it looked at."""
    parts = [text(f"The check {finding.check.name} fails")]
    for number, name in enumerate(finding.plan.shows[:_MOST_SHOWN]):
        parts += [text(f"{', ' if number else ': '}{name} is "), quoted(name)]
    return concat_text(*parts, text("."))


def _sentence(finding: Finding) -> str:
    return f"The check {finding.check.name} fails: {finding.plan.why}."


def _with_doubts(sql: str, guesses: Sequence[Guess], column: str) -> str:
    return add_doubts(sql, [guess for guess in guesses if guess.column == column])
