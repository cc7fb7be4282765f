"""Request and response models about checks of a dataset."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from whence.wire.errors import ErrorDetail

MOST_CHECKS = 100


class SuggestedChecks(BaseModel):
    """Checks that hold now: as the values of a cell, by kind of check, and each with its name."""

    values: dict[str, Any]
    checks: list[dict[str, Any]]


class AskChecks(BaseModel):
    """Checks to try on a dataset, each with its kind and its parameters."""

    checks: list[dict[str, object]] = Field(min_length=1, max_length=MOST_CHECKS)


class FailingRow(BaseModel):
    """A row that would fail: its number, from 0, its line in the file, and the values looked at."""

    row: int
    line: int | None
    values: dict[str, Any]


class CheckPreview(BaseModel):
    """What would come of one check; `why` says why the whole dataset fails."""

    name: str
    passed: bool
    failing_rows: int
    examples: list[FailingRow]
    why: str


class CheckPreviews(BaseModel):
    """What would come of checks, in their order, or why they cannot be asked."""

    rows: int
    checks: list[CheckPreview]
    problem: ErrorDetail | None = None
