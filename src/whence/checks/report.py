"""The report of checks over a dataset: what passed, what failed, and where, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import pyarrow as pa

from whence.checks.check import Check
from whence.lineage.block import Ids
from whence.model.plural import counted
from whence.transformations.input_table import join_names
from whence.transformations.report import plain

D = TypeVar("D")
_SHOWN = 3
"""How many failing rows of a check the text shows."""


@dataclass(frozen=True)
class FailingRow:
    """One row that fails a check: its id, its line in the file it was loaded from, and the values looked at."""

    row: int
    line: int | None
    values: dict[str, object]

    def __str__(self) -> str:
        place = f"row {self.row}" if self.line is None else f"line {self.line}"
        return f"{place}: " + ", ".join(f"{name} is {_value_text(value)}" for name, value in self.values.items())


@dataclass(frozen=True)
class CheckResult:
    """What came of one check."""

    check: Check
    passed: bool
    count: int
    """How many rows fail; 0 for a check of the whole dataset."""
    rows: Ids = field(compare=False, repr=False)
    """The ids of all rows that fail, in order."""
    examples: tuple[FailingRow, ...] = ()
    """The first of them."""
    why: str = ""
    """Why the whole dataset fails."""

    def to_json(self) -> dict[str, object]:
        """Return the result as JSON can hold it."""
        examples = [{"row": each.row, "line": each.line, "values": plain(each.values)} for each in self.examples]
        facts = {"passed": self.passed, "failing_rows": self.count, "why": self.why, "examples": examples}
        return {**self.check.to_json(), **facts}


@dataclass(frozen=True)
class CheckReport(Generic[D]):
    """What came of all checks; `dataset` is the version in which the failing rows are in doubt."""

    dataset: D
    label: str
    """The version that was checked."""
    row_count: int
    results: tuple[CheckResult, ...]
    reached: tuple[str, ...]
    """The names of the datasets below it that a failing row contributed to or influenced."""

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(each.passed for each in self.results)

    @property
    def errors(self) -> tuple[CheckResult, ...]:
        """The results of failed checks whose severity is error."""
        return tuple(each for each in self.failures if each.check.severity == "error")

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        """The results of failed checks."""
        return tuple(each for each in self.results if not each.passed)

    def to_arrow(self) -> pa.Table:
        """Return one row for each check: its name, kind and severity, whether it passed, and how many rows fail."""
        return pa.table(
            {
                "check": pa.array([each.check.name for each in self.results], pa.string()),
                "kind": pa.array([each.check.kind for each in self.results], pa.string()),
                "severity": pa.array([each.check.severity for each in self.results], pa.string()),
                "passed": pa.array([each.passed for each in self.results], pa.bool_()),
                "failing_rows": pa.array([each.count for each in self.results], pa.int64()),
            }
        )

    def to_json(self) -> dict[str, object]:
        """Return the report as JSON can hold it."""
        results = [each.to_json() for each in self.results]
        facts = {"dataset": self.label, "rows": self.row_count, "passed": self.passed, "reached": list(self.reached)}
        return {**facts, "checks": results}

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        verdict = f"{counted(len(self.results), 'check')} passed"
        if self.failures:
            verdict = f"{len(self.failures)} of {counted(len(self.results), 'check')} failed"
        yield f"{self.label}, {counted(self.row_count, 'row')}: {verdict}."
        for each in self.results:
            yield from _result_lines(each, self.row_count)
        if self.reached:
            yield f"Failing rows reach {counted(len(self.reached), 'dataset')}: {join_names(self.reached)}."


def _result_lines(result: CheckResult, total: int) -> Iterator[str]:
    if result.passed:
        yield f"  passed   {result.check.name}"
        return
    found = f"{result.count:,} of {counted(total, 'row')}" if result.count else result.why
    yield f"  {result.check.severity:8} {result.check.name}: {found}"
    yield from (f"           {each}" for each in result.examples[:_SHOWN])
    if result.count > _SHOWN:
        yield f"           ... and {result.count - _SHOWN:,} more"


def _value_text(value: object) -> str:
    return "null" if value is None else str(value)
