"""Decides whether an error is a fault of whence's own code, or of the query, its user or the machine."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from whence.engine.errors import is_loss
from whence.model.errors import BadQuery, InternalError, WhenceError

_OUTSIDE_CAUSES = re.compile(
    r"cancelled|OutOfMemoryError|UNABLE_TO_ACQUIRE_MEMORY|GC overhead|No space left on device", re.IGNORECASE
)
"""Java's words for cancelled work, and for memory or disk that is used up."""

RAISE_VARIABLE = "WHENCE_RAISE_INTERNAL_ERRORS"
"""Environment variable: with 1, internal errors are raised instead of falling back to coarse lineage. Our tests
set it."""

_TRACEBACK = "Traceback (most recent call last)"
_OWN_FRAME = re.compile(r"[\\/]whence[\\/]engine[\\/]worker[\\/]\w+\.py$")
_FRAMES = re.compile(r'^\s*File "(.+?)", line \d+', re.MULTILINE)


def raises_internal_errors() -> bool:
    """Return whether the environment asks to raise internal errors."""
    return os.environ.get(RAISE_VARIABLE) == "1"


def is_own_error(error: Exception) -> bool:
    """Return whether whence is to blame for an error that came before or after a query ran.

    Spark has accepted the query by then, so what it refuses is a plan that whence has written. A stopped query, a lost
    Spark process, a damaged file and lack of memory or disk have causes outside.
    """
    if is_loss(error) or isinstance(error, MemoryError | OSError):
        return False
    if any(_OUTSIDE_CAUSES.search(str(each)) for each in _chain(error)):
        return False
    return not isinstance(error, WhenceError) or isinstance(error, InternalError | BadQuery)


def is_own_error_of_run(error: Exception) -> bool:
    """Return whether whence may be to blame for an error during a run: its code failed, or Spark gives no reason."""
    return is_own_error(error) and not (isinstance(error, BadQuery) and _blames_query(error.__cause__))


def _blames_query(cause: BaseException | None) -> bool:
    """Return whether Spark names a reason in the query, or Python code failed that is not whence's."""
    if not isinstance(cause, PySparkException | Py4JError):
        return True
    if _TRACEBACK in str(cause):
        frames = _FRAMES.findall(str(cause))
        return not frames or _OWN_FRAME.search(frames[-1]) is None
    condition = cause.getCondition() if isinstance(cause, PySparkException) else None
    return bool(condition) and not str(condition).startswith("INTERNAL_ERROR")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error and its causes."""
    while error is not None:
        yield error
        error = error.__cause__
