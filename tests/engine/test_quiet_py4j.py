from __future__ import annotations

import logging

import pytest

from whence.engine.quiet_py4j import quiet_py4j


def record(module: str, message: str) -> logging.LogRecord:
    return logging.LogRecord("root", logging.ERROR, f"/site-packages/py4j/{module}.py", 1, message, (), None)


def test_traces_of_calls_that_java_left_open_are_dropped_and_others_kept(caplog: pytest.LogCaptureFixture) -> None:
    quiet_py4j()
    quiet_py4j()
    root = logging.getLogger()
    for each in (
        record("java_gateway", "Exception while sending command."),
        record("java_gateway", "KeyboardInterrupt while sending command."),
        record("java_gateway", "another"),
        record("elsewhere", "Exception while sending command."),
    ):
        root.handle(each)
    assert [each.getMessage() for each in caplog.records] == ["another", "Exception while sending command."]
    assert len([each for each in root.filters if getattr(each, "__name__", "") == "_is_worth_reading"]) == 1
