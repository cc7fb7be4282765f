"""Refuses commands: statements that change or show Spark's session and give no rows of data.

Spark runs a command as soon as `sql` gets its text, so `Script.java` parses the statement and looks at it first.
"""

from __future__ import annotations

import re

from whence.model.errors import BadQuery

_COMMENTS = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_FILLERS = frozenset({"OR", "REPLACE", "TEMP", "TEMPORARY", "GLOBAL", "EXTERNAL", "LOCAL"})
_ONE_WORD = frozenset(
    {"SET", "RESET", "USE", "DESCRIBE", "DESC", "EXPLAIN", "INSERT", "MERGE", "UPDATE", "DELETE", "CALL", "BEGIN"}
)
_WRITES = frozenset({"INSERT", "MERGE", "UPDATE", "DELETE", "TRUNCATE", "LOAD"})
_TELLS = frozenset({"SHOW", "DESCRIBE", "DESC", "EXPLAIN", "LIST"})


def refuse_command(text: str, command: str | None) -> None:
    """Raise an error if the statement is a command, of which Spark knows the class, and not a query."""
    if command is not None:
        raise BadQuery(_sentence(_name(text, command)), "Run it with ws.spark.sql(...).")


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
