"""Tells queries from commands: statements that change or show Spark's session and give no rows of data.

Spark runs a command as soon as its text is given to `sql`, so the parsed statement is looked at before.
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
_RUN_WHILE_ANALYSED = ("ExecuteImmediate", "CompoundBody")

_COMMENTS = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_FILLERS = frozenset({"OR", "REPLACE", "TEMP", "TEMPORARY", "GLOBAL", "EXTERNAL", "LOCAL"})
_ONE_WORD = frozenset(
    {"SET", "RESET", "USE", "DESCRIBE", "DESC", "EXPLAIN", "INSERT", "MERGE", "UPDATE", "DELETE", "CALL", "BEGIN"}
)
_WRITES = frozenset({"INSERT", "MERGE", "UPDATE", "DELETE", "TRUNCATE", "LOAD"})
_TELLS = frozenset({"SHOW", "DESCRIBE", "DESC", "EXPLAIN", "LIST"})


def refuse_command(session: SparkSession, text: str) -> None:
    """Raise an error if the statement is not a query; nothing of it has run then."""
    command = _find_command(session, session._jsparkSession.sessionState().sqlParser().parsePlan(text))
    if command is not None:
        raise BadQuery(_sentence(_name(text, command)), "Run it with ws.spark.sql(...).")


def _find_command(session: SparkSession, plan: Any) -> str | None:  # noqa: ANN401 - a JVM object
    """The class of the command, if the statement is one."""
    gateway = session.sparkContext._gateway
    for node in _outermost(plan):
        kind = str(node.getClass().getSimpleName())
        is_command = any(is_instance_of(gateway, node, each) for each in (_COMMAND, _STATEMENT))
        if is_command or any(each in kind for each in _RUN_WHILE_ANALYSED):
            return kind
    return None


def _outermost(plan: Any) -> Iterator[Any]:  # noqa: ANN401
    """The statement, and what stands in it where a command can: after WITH, or first of several INSERTs after FROM.

    A query of a thousand UNIONs is not followed down: where one branch is a command, the first is.
    """
    yield plan
    while str(plan.getClass().getSimpleName()) == "UnresolvedWith":
        plan = plan.child()
        yield plan
    if str(plan.getClass().getSimpleName()) == "Union":
        yield plan.children().apply(0)


def _name(text: str, command: str) -> str:
    """What a user calls the command: its first words, or where WITH or FROM stands before it, its class."""
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
