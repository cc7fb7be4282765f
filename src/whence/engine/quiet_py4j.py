"""Keeps py4j from logging a stack trace for every call that was open when the Java process stopped."""

from __future__ import annotations

import logging

_MESSAGES = frozenset({"Exception while sending command.", "KeyboardInterrupt while sending command."})


def quiet_py4j() -> None:
    """Filter out what py4j logs before it raises: `translate_errors` turns the error itself into a sentence."""
    root = logging.getLogger()  # py4j does not log these to a logger of its own
    if _is_worth_reading not in root.filters:
        root.addFilter(_is_worth_reading)


def _is_worth_reading(record: logging.LogRecord) -> bool:
    return not (record.module == "java_gateway" and record.msg in _MESSAGES)
