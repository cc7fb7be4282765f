"""A question that takes too long ends with a sentence, whether Spark stops its jobs or has to be restarted."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import pytest

from whence.engine.process import SparkProcess
from whence.mcp.timed_question import TimedQuestion
from whence.model.errors import BadQuery, EngineLost, UserError, WhenceError

MODULE = "whence.mcp.timed_question"
STOPPED = r"The question took more than 0 seconds and was stopped\. Ask for less at once\."


class StandInProcess:
    """A Spark whose query ends when its jobs are cancelled, or only when Spark is restarted."""

    can_restart = True

    def __init__(self) -> None:
        self.cancelled, self.restarted = threading.Event(), threading.Event()

    @contextmanager
    def in_group(self, _group: str, _description: str) -> Iterator[None]:
        yield

    def seconds_waited(self, _group: str) -> float:
        return 0.0

    def waits_for_spark(self, _group: str) -> bool:
        return not self.restarted.is_set()

    def cancel_group(self, _group: str) -> None:
        self.cancelled.set()

    def restart(self) -> None:
        self.restarted.set()


def fail_after(event: threading.Event, error: WhenceError) -> None:
    """Wait as a query does that Spark runs, then fail as it does when Spark ends it."""
    event.wait()
    raise error


def test_jobs_of_a_late_question_are_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{MODULE}.LIMIT", 0.0)
    process = StandInProcess()
    with pytest.raises(UserError, match=STOPPED), TimedQuestion(cast(SparkProcess, process)).running():
        fail_after(process.cancelled, BadQuery("Job 3 was cancelled."))
    assert not process.restarted.is_set()


def test_spark_is_restarted_if_a_late_question_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{MODULE}.LIMIT", 0.0)
    monkeypatch.setattr(f"{MODULE}.PATIENCE", 0.0)
    process = StandInProcess()
    with pytest.raises(UserError, match=STOPPED), TimedQuestion(cast(SparkProcess, process)).running():
        fail_after(process.restarted, EngineLost("Spark ended."))
    assert process.cancelled.is_set()


def test_a_question_that_is_stopped_ends_and_one_that_fails_in_time_says_why() -> None:
    process = StandInProcess()
    question = TimedQuestion(cast(SparkProcess, process))
    question.stop()
    with pytest.raises(UserError, match="was stopped"), question.running():
        fail_after(process.cancelled, BadQuery("Job 3 was cancelled."))
    with pytest.raises(BadQuery, match="no column"), TimedQuestion(cast(SparkProcess, process)).running():
        raise BadQuery("There is no column y.")
