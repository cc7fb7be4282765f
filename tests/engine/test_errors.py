"""Spark's errors come out as one sentence with Spark's own reason."""

from __future__ import annotations

import pytest
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

import whence
from whence.engine.errors import translate_errors
from whence.model.errors import EngineLost

CALL = "An error occurred while calling o28437.collectToPython.\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (": java.lang.StackOverflowError\n\tat scala.List.map(List.scala:1)", r"it is nested too deeply\."),
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


def test_a_query_that_needs_too_much_memory_is_told_so() -> None:
    text = ": java.lang.OutOfMemoryError: Java heap space\n\tat scala.List.map(List.scala:1)"
    with pytest.raises(whence.WhenceError) as caught, translate_errors():
        raise Py4JError(CALL + text)
    assert str(caught.value) == (
        "The query needs more memory than Spark has. "
        "Make its values or groups smaller, or give Spark more with WHENCE_SPARK_MEMORY."
    )


@pytest.mark.parametrize("kind", [Py4JError, PySparkException])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "Job aborted due to stage failure: The master spark://host:7077 no longer knows this application\n\tat x",
            "The master spark://host:7077 no longer knows this application.",
        ),
        ("Job 7 cancelled because SparkContext was shut down", "The Spark process has stopped."),
        ("Cannot call methods on a stopped SparkContext.", "The Spark process has stopped."),
    ],
)
def test_a_query_whose_application_has_ended_is_told_to_try_again(
    kind: type[Exception], text: str, sentence: str
) -> None:
    with pytest.raises(EngineLost) as caught, translate_errors():
        raise kind(text)
    assert str(caught.value) == f"{sentence} Nothing saved is lost; try again, and it starts anew."
