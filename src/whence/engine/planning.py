"""Stops Spark while it plans a query, when there are no jobs yet that could be cancelled, and limits planning in time.

Spark's planner looks at no interrupt. But it asks for the settings of its session again and again, by a function that
can be replaced: while a query is to be stopped, an object of whence's stands in for that function, and raises an error
in the thread that plans it. A single step of the planner that asks for no setting goes on.
"""

from __future__ import annotations

import os
from typing import Any

from pyspark.sql import SparkSession

from whence.engine.java_class import java_constructor, new_java_object
from whence.model.errors import BadInput

LIMIT_VARIABLE = "WHENCE_PLANNING_SECONDS"
_LIMIT = 600
"""Seconds that Spark may plan one query without a pause, unless the environment says otherwise."""

_SHELF_KEY = "whence.planning"


def planning_limit() -> int:
    """Return how many seconds Spark may plan one query."""
    text = os.environ.get(LIMIT_VARIABLE, str(_LIMIT))
    if not text.isdecimal() or int(text) == 0:
        raise BadInput(f"{LIMIT_VARIABLE} is {text!r}, which is no number of seconds.", "Write 600, for example.")
    return int(text)


def watch_planning(session: SparkSession) -> None:
    """Start the watch over planning in the Java process, once. It holds for all sessions there."""
    java: Any = session._jvm
    stops = new_java_object(session, java_constructor(session, "PlanningStops"), planning_limit())
    if java.java.lang.System.getProperties().putIfAbsent(_SHELF_KEY, stops) is None:
        thread = java.java.lang.Thread(stops, "whence-planning-watch")
        thread.setDaemon(True)
        thread.start()


def planning_stops(session: SparkSession) -> Any:  # noqa: ANN401 - a JVM object
    """Return the object that stops planning in this Java process; None where whence did not start Java."""
    java: Any = session._jvm
    return java.java.lang.System.getProperties().get(_SHELF_KEY)


def stop_planning(session: SparkSession, name: str) -> None:
    """Stop what Spark plans, now and in the next minute, in threads of this job group or with this tag."""
    stops = planning_stops(session)
    if stops is not None:
        stops.stop(name)
