"""Errors that are told apart: those of a rule of whence, and those of the query, the user or the machine."""

from __future__ import annotations

import pytest
from pyspark.errors import PySparkException

from whence.engine.blame import is_own_error, is_own_error_of_run
from whence.model.errors import BadQuery, InternalError, NotSupported


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "is_own", "is_own_of_run"),
    [
        (KeyError("projections"), True, True),
        (InternalError("A promise does not hold."), True, True),
        (NotSupported("No rule yet."), False, False),
        (BadQuery("Spark refused the query."), True, False),
        (BadQuery("The query failed: Job 3 cancelled part of cancelled job group x"), False, False),
        (caused(BadQuery("It failed."), PySparkException("java.lang.OutOfMemoryError: Java heap space")), False, False),
        (caused(BadQuery("It failed."), PySparkException("java.lang.ClassCastException: a to b")), True, True),
        (caused(BadQuery("It failed."), PySparkException("x", errorClass="INTERNAL_ERROR")), True, True),
        (caused(BadQuery("It failed."), PySparkException("x", errorClass="DIVIDE_BY_ZERO")), True, False),
        (
            caused(BadQuery("x"), PySparkException('Traceback (most recent call last)\n  File "u.py", line 1\nE: x')),
            True,
            False,
        ),
        (
            caused(
                BadQuery("x"),
                PySparkException(
                    "Traceback (most recent call last)\n"
                    '  File "/lib/whence/engine/worker/write_parts.py", line 9\nKeyError: x'
                ),
            ),
            True,
            True,
        ),
    ],
)
def test_who_is_to_blame(error: Exception, is_own: bool, is_own_of_run: bool) -> None:
    assert (is_own_error(error), is_own_error_of_run(error)) == (is_own, is_own_of_run)
