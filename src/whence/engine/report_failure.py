"""Writes the report of an internal error: the place in the code and the form of the plan, and nothing of the data."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from pathlib import Path

from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.store.layout import Layout
from whence.store.manifest import own_version
from whence.store.reports import write_report

_JAVA_FRAME = re.compile(r"^\s+at ([\w.$/]+\([\w.: ]*\))", re.MULTILINE)
_MOST_JAVA_FRAMES = 40


def report_failure(layout: Layout, engine: Engine, stage: str, error: Exception, query: Query | None) -> None:
    """Write what a developer needs to see the error again; messages of errors may quote data, and stay out."""
    errors = list(_chain(error))
    content = {
        "whence": own_version(),
        "spark": engine.session.version,
        "stage": stage,
        "error": type(error).__name__,
        "frames": _frames(error),
        "causes": [{"error": type(each).__name__, "frames": _frames(each)} for each in errors[1:]],
        "java": [frame for each in errors for frame in _JAVA_FRAME.findall(str(each))][:_MOST_JAVA_FRAMES],
        "plan": None if query is None else _plan(engine, query),
    }
    write_report(layout, content)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _frames(error: BaseException) -> list[str]:
    """Files, lines and functions, without the code of the lines, which may be the user's."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{'/'.join(Path(each.filename).parts[-3:])}:{each.lineno} {each.name}" for each in frames]


def _plan(engine: Engine, query: Query) -> object:
    """The plan without data; None if Spark cannot show it, which must not stop the query."""
    try:
        return engine.plan_without_data(query)
    except Exception:
        return None
