"""Tells queries from commands: statements that change or show Spark's session and give no rows of data.

Spark runs a command as soon as `sql` gets its text, so whence parses the statement and checks it first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from py4j.java_gateway import is_instance_of
from pyspark.sql import SparkSession

from whence.model.errors import BadQuery

_COMMAND = "org.apache.spark.sql.catalyst.plans.logical.Command"
_STATEMENT = "org.apache.spark.sql.catalyst.plans.logical.ParsedStatement"
# No commands by their class, but Spark runs the statements inside them while it analyses.
_RUN_WHILE_ANALYSED = ("ExecuteImmediate", "CompoundBody")

_COMMENTS = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_FILLERS = frozenset({"OR", "REPLACE", "TEMP", "TEMPORARY", "GLOBAL", "EXTERNAL", "LOCAL"})
_ONE_WORD = frozenset(
    {"SET", "RESET", "USE", "DESCRIBE", "DESC", "EXPLAIN", "INSERT", "MERGE", "UPDATE", "DELETE", "CALL", "BEGIN"}
)
_WRITES = frozenset({"INSERT", "MERGE", "UPDATE", "DELETE", "TRUNCATE", "LOAD"})
_TELLS = frozenset({"SHOW", "DESCRIBE", "DESC", "EXPLAIN", "LIST"})


def refuse_command(session: SparkSession, text: str) -> None:
    """Raise an error if the statement is a command and not a query. None of it has run by then."""
    command = _find_command(session, session._jsparkSession.sessionState().sqlParser().parsePlan(text))
    if command is not None:
        raise BadQuery(_sentence(_name(text, command)), "Run it with ws.spark.sql(...).")


def _find_command(session: SparkSession, plan: Any) -> str | None:  # noqa: ANN401 - a JVM object
    """Return the class name of the command, or None if the statement is a query."""
    gateway = session.sparkContext._gateway
    for node in _outermost(plan):
        kind = str(node.getClass().getSimpleName())
        is_command = any(is_instance_of(gateway, node, each) for each in (_COMMAND, _STATEMENT))
        if is_command or any(each in kind for each in _RUN_WHILE_ANALYSED):
            return kind
    return None


def _outermost(plan: Any) -> Iterator[Any]:  # noqa: ANN401
    """Yield the statement and the places in it where a command can be: after WITH, or as the first branch of a union.

    `FROM t INSERT ... INSERT ...` parses to a union whose branches are all commands, so the first one tells. The
    branches of a query with a thousand UNIONs need not be visited.
    """
    yield plan
    while str(plan.getClass().getSimpleName()) == "UnresolvedWith":
        plan = plan.child()
        yield plan
    if str(plan.getClass().getSimpleName()) == "Union":
        yield plan.children().apply(0)


def _name(text: str, command: str) -> str:
    """Return what a user calls the command: its first words, or its class if the text begins with WITH or FROM."""
    words = [word for word in re.findall(r"\w+", _COMMENTS.sub(" ", text).upper()) if word not in _FILLERS]
    if words[0] in ("WITH", "FROM"):
        words = re.findall(r"[A-Z][a-z]*", command)[:1]
    return " ".join(words[: 1 if words[0].upper() in _ONE_WORD else 2]).upper()


def _sentence(name: str) -> str:
    verb = name.split()[0]
    if verb in _TELLS:
        return f"{name} tells about Spark's session and gives no rows of a dataset."
    changed = "tables" if verb in _WRITES else "Spark's session"
    return f"{name} changes {changed} and gives no rows."
