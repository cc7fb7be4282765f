"""Runs the same function on several things in Spark's tasks, and brings an error of ours back as it was raised."""

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
    """One task for each thing, answers in their order."""

    def __init__(self, session: SparkSession, step: Step | None = None) -> None:
        self._session = session
        self._step = step

    def __call__(self, function: Callable[[Task], Answer], tasks: Sequence[Task], phase: str = "") -> list[Answer]:
        """Run the function on every task; the phase is told to who wants to know how far it is."""
        with translate_errors(), report_progress(self._session, self._step, phase):
            spread = self._session.sparkContext.parallelize(list(tasks), max(len(tasks), 1))
            answers = spread.map(lambda task: _return_errors(function, task)).collect()
        for answer in answers:
            if isinstance(answer, WhenceError):
                raise answer
        return cast("list[Answer]", answers)


def _return_errors(function: Callable[[Task], Answer], task: Task) -> Answer | WhenceError:
    """Spark would wrap an error in a page of its own words."""
    try:
        return function(task)
    except WhenceError as error:
        return error
