"""Translates Spark's errors into errors of whence: one sentence with a place and a hint."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark.errors import AnalysisException, ParseException, PySparkException

from whence.engine.cluster_watch import FORGOTTEN
from whence.engine.restart import gateway, is_gone
from whence.model.errors import BadQuery, EngineLost, NotRowByRow, OutOfMemory, UserError, WhenceError
from whence.model.suggestion import suggest_dataset

_RETRY_HINT = "Nothing saved is lost; try again, and it starts anew."
_SHUT_DOWN = re.compile(r"SparkContext was shut down|stopped SparkContext")
"""What a query hears that still ran as Spark ended, and one that came after."""
_PLANNING_TIME = re.compile(r"\[WHENCE_PLANNING\] more than (\d+)")
"""How `PlanningStops.java` says that planning took more than so many seconds."""
_OUT_OF_MEMORY = re.compile(r"\bOutOfMemoryError\b|UNABLE_TO_ACQUIRE_MEMORY")
_SPARK_MESSAGE = re.compile(r"\[[A-Z0-9_.]+\] (.+?)(?: SQLSTATE|$)", re.MULTILINE)
_JAVA_CAUSE = re.compile(r"^(?:Caused by)?: (?:[\w$]+\.)*([\w$]+)(?:: (.+))?$", re.MULTILINE)
_PYTHON_ERROR = re.compile(r"^((?:\w+\.)*\w+): (.+)$", re.MULTILINE)


@contextmanager
def translate_errors(known_names: tuple[str, ...] = ()) -> Iterator[None]:
    """Raise errors of Spark and py4j from this block as errors of whence. `known_names` serve for suggestions."""
    try:
        yield
    except PySparkException as error:
        raise _sentence(error, known_names) from error
    except Py4JNetworkError as error:
        raise EngineLost("The Spark process has stopped.", _RETRY_HINT) from error
    # A closed socket is an OSError, too. Only if the Java process has ended does it mean a lost engine.
    except OSError as error:
        if is_gone(gateway()) or (gateway() is None and isinstance(error, ConnectionError)):
            raise EngineLost("The Spark process has stopped.", _RETRY_HINT) from error
        raise
    except Py4JError as error:
        if (failed := _loss(str(error)) or _limit_error(str(error))) is not None:
            raise failed from error
        if is_gone(gateway()):
            raise EngineLost("The Spark process has stopped.", _RETRY_HINT) from error
        raise BadQuery(f"Spark refused the query: {_reason(str(error))}") from error


def is_loss(error: BaseException | None) -> bool:
    """Return whether an error, or one of its causes, means that the Java process no longer answers."""
    while error is not None:
        if isinstance(error, EngineLost | Py4JNetworkError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _sentence(error: PySparkException, known_names: tuple[str, ...]) -> WhenceError:
    if (failed := _loss(str(error)) or _limit_error(str(error))) is not None:
        return failed
    condition, facts = error.getCondition() or "", error.getMessageParameters() or {}
    place = _place(error)
    if condition.startswith("TABLE_OR_VIEW_NOT_FOUND"):
        name = facts.get("relationName", "").replace("`", "")
        return BadQuery(f"There is no dataset {name}{place}.", suggest_dataset(name, known_names))
    if condition.startswith("UNRESOLVED_COLUMN"):
        name = facts.get("objectName", "").replace("`", "")
        proposal = facts.get("proposal", "").replace("`", "")
        return BadQuery(f"There is no column {name}{place}.", f"Did you mean {proposal}?" if proposal else "")
    if isinstance(error, ParseException):
        return BadQuery(f"The query cannot be read{place}: {_first_line(_message(error))}")
    if isinstance(error, AnalysisException):
        return BadQuery(f"Spark refused the query{place}: {_first_line(_message(error))}")
    return _runtime_error(_message(error))


def lost_application(reason: str) -> EngineLost:
    """Return the error for a query whose application has ended on its cluster."""
    return EngineLost(f"{reason or 'The application has ended on its cluster'}.", _RETRY_HINT)


def _loss(message: str) -> EngineLost | None:
    """Return the error for a query whose Spark has ended; None for any other."""
    if (forgotten := FORGOTTEN.search(message)) is not None:
        return lost_application(forgotten[0])
    if _SHUT_DOWN.search(message) is not None:
        return EngineLost("The Spark process has stopped.", _RETRY_HINT)
    return None


def _limit_error(message: str) -> UserError | None:
    """Return the error for a query that needs too much time to plan, or too much memory; None for any other."""
    if (late := _PLANNING_TIME.search(message)) is not None:
        return UserError(
            f"Spark planned the query for more than {late[1]} seconds and was stopped.",
            "Make a part of it a dataset of its own, or allow more with WHENCE_PLANNING_SECONDS.",
        )
    if _OUT_OF_MEMORY.search(message) is not None:
        return OutOfMemory(
            "The query needs more memory than Spark has.",
            "Make its values or groups smaller, or give Spark more with WHENCE_SPARK_MEMORY.",
        )
    return None


def _runtime_error(message: str) -> WhenceError:
    """Return the error for a query that failed while it ran; for Python code, from the last line of its traceback."""
    raised = _PYTHON_ERROR.findall(message.partition("Traceback (most recent call last)")[2])
    if raised:
        kind, text = raised[-1]
        if kind == f"{NotRowByRow.__module__}.{NotRowByRow.__name__}":
            return NotRowByRow(text)
        # An error of ours that a worker raised already is a sentence for the user.
        if kind.startswith("whence."):
            return UserError(text)
        return BadQuery(f"Python code of the query failed: {kind}: {text}")
    if "No space left on device" in message:
        return UserError("Spark found no room for its scratch files.", "Free some space and try again.")
    return BadQuery(f"The query failed: {_first_line(message)}")


def _reason(text: str) -> str:
    """Return Spark's sentence from the text of a Java error, else its last cause: the first line only names a call."""
    stated = _SPARK_MESSAGE.search(text)
    if stated:
        return stated[1]
    causes = _JAVA_CAUSE.findall(text)
    if causes and causes[-1][0] == "StackOverflowError":
        return "it is nested too deeply."
    return ": ".join(filter(None, causes[-1])) if causes else _first_line(text)


def _place(error: PySparkException) -> str:
    found = re.search(r"line (\d+),? pos(?:ition)? (\d+)", str(error))
    return f" (line {found[1]}, position {found[2]})" if found else ""


def _message(error: PySparkException) -> str:
    return re.sub(r"^\[[A-Z0-9_.]+\]\s*", "", error.getMessage() or str(error))


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "no reason given").split(" SQLSTATE")[0]
