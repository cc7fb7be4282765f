"""Spark's errors come out as one sentence with Spark's own reason."""

from __future__ import annotations

import pytest
from py4j.protocol import Py4JError

import whence
from whence.engine.errors import translate_errors

CALL = "An error occurred while calling o28437.collectToPython.\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (": java.lang.StackOverflowError\n\tat scala.List.map(List.scala:1)", "StackOverflowError"),
        (
            ": org.apache.spark.SparkException: Job aborted.\n\tat x.Y.z(Y.scala:2)\n"
            "Caused by: java.lang.NullPointerException: no value\n\t... 3 more",
            "NullPointerException: no value",
        ),
        (": x.Y: [DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012\n\tat z", "Division by zero."),
    ],
)
def test_an_error_of_java_is_told_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(whence.WhenceError, match=f"^Spark refused the query: {reason}$"), translate_errors():
        raise Py4JError(CALL + text)
