"""Runs one function on several items in Spark's tasks. An error of whence reaches the caller as it was raised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from pyspark.sql import SparkSession

from whence.engine.errors import translate_errors
from whence.engine.watch import Step, report_progress
from whence.model.errors import WhenceError

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class InTasks:
    """Runs a function in one Spark task for each item, and returns the answers in order."""

    def __init__(self, session: SparkSession, step: Step | None = None) -> None:
        self._session = session
        self._step = step

    def __call__(self, function: Callable[[Task], Answer], tasks: Sequence[Task], phase: str = "") -> list[Answer]:
        """Return the function's answer for each item. `phase` is the name under which progress is reported."""
        with translate_errors(), report_progress(self._session, self._step, phase):
            spread = self._session.sparkContext.parallelize(list(tasks), max(len(tasks), 1))
            answers = spread.map(lambda task: _return_errors(function, task)).collect()
        for answer in answers:
            if isinstance(answer, WhenceError):
                raise answer
        return cast("list[Answer]", answers)


def _return_errors(function: Callable[[Task], Answer], task: Task) -> Answer | WhenceError:
    """Return an error as the answer: if it were raised, Spark would wrap it in a long message of its own."""
    try:
        return function(task)
    except WhenceError as error:
        return error
