"""Finds the rows that fail checks: one query for all conditions in SQL, and arrays for keys and references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from whence.checks.check import Check
from whence.checks.checked_table import CheckedTable
from whence.checks.plan import CheckPlan
from whence.lineage.block import Ids


@dataclass(frozen=True)
class Finding:
    """What one check found in one dataset."""

    check: Check
    plan: CheckPlan
    rows: Ids
    """Every row that fails; none for a check of the whole dataset."""
    is_failure: bool


def find_failures(table: CheckedTable, checks: Sequence[Check]) -> list[Finding]:
    """Return what each check found, in the order of the checks. Nothing is stored."""
    plans = [check.plan(table) for check in checks]
    answers = _ask(table, [plan.where for plan in plans if isinstance(plan.where, str)])
    return [_finding(check, plan, answers) for check, plan in zip(checks, plans, strict=True)]


def _ask(table: CheckedTable, conditions: Sequence[str]) -> Iterator[Ids]:
    """Yield the rows for which each condition holds."""
    if not conditions:
        return
    # A condition that is unknown for a row is no failure of it.
    asked = [f"coalesce({condition}, false)" for condition in conditions]
    for column in table.context.engine.compute(table.record, asked).columns:
        yield np.flatnonzero(column.to_numpy())


def _finding(check: Check, plan: CheckPlan, answers: Iterator[Ids]) -> Finding:
    if isinstance(plan.where, bool):
        return Finding(check, plan, np.zeros(0, dtype=np.int64), plan.where)
    rows = next(answers) if isinstance(plan.where, str) else plan.where
    return Finding(check, plan, rows, len(rows) > 0)
