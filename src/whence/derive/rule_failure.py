"""Recognises an internal error of the stages that apply rules, and says how far the query had come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from whence.engine.blame import is_own_error, is_own_error_of_run
from whence.engine.engine import Engine
from whence.engine.outcome import Outcome
from whence.model.errors import InternalError, WhenceError

Stage = Literal["read", "reuse", "rewrite", "write", "run", "draft"]


class RuleFailure(Exception):
    """An internal error in a stage of the main path; `outcome` holds the rows, if they were written before it."""

    def __init__(self, stage: Stage, error: Exception, outcome: Outcome | None = None) -> None:
        self.stage = stage
        self.error = error
        self.outcome = outcome
        super().__init__(f"{stage}: {type(error).__name__}")

    @property
    def sentence(self) -> WhenceError:
        """The message for a query whose result cannot be computed again."""
        if isinstance(self.error, WhenceError):
            return self.error
        return InternalError(
            "An internal error ended this query, which might give other rows in another run.",
            "Run it again with lineage=False; `whence doctor --reports` lists the report of the error.",
        )


@contextmanager
def guard_rules(engine: Engine, stage: Stage, outcome: Outcome | None = None) -> Iterator[None]:
    """Raise an internal error of the block as a `RuleFailure`, and every other error as it is."""
    try:
        yield
    except Exception as error:
        is_own = is_own_error_of_run(error) if stage == "run" else is_own_error(error)
        if engine.raises_internal_errors or not is_own:
            raise
        raise RuleFailure(stage, error, outcome) from error
