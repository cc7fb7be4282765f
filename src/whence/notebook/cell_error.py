"""The error of a cell as the user sees it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from whence.model.errors import UserError, WhenceError


@dataclass(frozen=True)
class CellError:
    """One sentence, a hint, the place in the cell's text, and a traceback in which library frames are folded."""

    message: str
    hint: str = ""
    line: int | None = None
    column: int | None = None
    traceback: str = ""
    kind: str = ""
    """The class of the error, which tells, say, a lost worker process from a typing mistake."""

    def to_json(self) -> dict[str, object]:
        """Return the error as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, object]) -> CellError:
        """Return the error that `to_json` wrote.

        >>> CellError.from_json(CellError("Division by zero.", line=3).to_json())
        CellError(message='Division by zero.', hint='', line=3, column=None, traceback='', kind='')
        """
        return cls(**content)  # type: ignore[arg-type]

    @classmethod
    def of(cls, error: BaseException) -> CellError:
        """Return what to show for an exception that left a cell, with the place in its text if the message names one.

        >>> found = CellError.of(UserError("There is no column pric (line 2, position 7)."))
        >>> found.line, found.column
        (2, 8)
        """
        if isinstance(error, CellFailed):
            return error.error
        if isinstance(error, WhenceError):
            return cls(error.message, error.hint, *_place(error.message), kind=type(error).__name__)
        return cls(f"The cell failed: {type(error).__name__}: {error}", kind=type(error).__name__)


def _place(message: str) -> tuple[int | None, int | None]:
    """Return line and column, both counted from 1. Spark counts positions in a line from 0."""
    found = re.search(r"\(line (\d+), position (\d+)\)", message)
    return (int(found[1]), int(found[2]) + 1) if found else (None, None)


class CellFailed(UserError):
    """An error of a cell kind that knows more than a message, such as the line."""

    def __init__(self, error: CellError) -> None:
        self.error = error
        super().__init__(error.message, error.hint)
