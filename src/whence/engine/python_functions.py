"""Registers functions that Python cells export, so that SQL queries can call them."""

from __future__ import annotations

from typing import Any, Protocol

from pyspark.sql import SparkSession

from whence.engine.sql_allowed import ALLOWED, ALLOWED_TABLE_FUNCTIONS, OURS, REFUSED
from whence.engine.worker.exported_function import exported_function
from whence.model.errors import UserError

_FUNCTION, _PYTHON = 1, 3
"""Positions of fields in Spark's classes: the function of a UserDefinedPythonFunction, its Python program."""
_RESERVED_NAMES = ALLOWED | ALLOWED_TABLE_FUNCTIONS | OURS | REFUSED.keys()


class PythonFunction(Protocol):
    """An exported Python function."""

    @property
    def name(self) -> str:
        """The name that SQL calls it by."""

    @property
    def source(self) -> str:
        """The Python source that defines it."""

    @property
    def returns(self) -> str:
        """The SQL type of its result."""


def register(session: SparkSession, function: PythonFunction) -> None:
    """Let queries of this session call the function by its name."""
    if function.name.lower() in _RESERVED_NAMES:
        raise UserError(f"SQL has a function {function.name} of its own.", "Export yours under another name.")
    udf: Any = session.udf.register(function.name, exported_function(function.name, function.source), function.returns)
    java: Any = session._jsparkSession
    java.udf().registerPython(function.name, _in_sandbox(session, udf._unwrapped._judf))


def _in_sandbox(session: SparkSession, udf: Any) -> Any:  # noqa: ANN401 - JVM objects
    """Return the function so that it runs in the Python which a confined Java names for functions of cells.

    PySpark takes the Python of this process, which whence's own functions run in, as they write to the workspace.
    """
    java: Any = session._jvm
    python = java.java.lang.System.getenv("PYSPARK_PYTHON")
    if python is None or udf.func().pythonExec() == python:
        return udf
    return _copy(udf, _FUNCTION, _copy(udf.func(), _PYTHON, python))


def _copy(product: Any, position: int, value: object) -> Any:  # noqa: ANN401
    """Return a copy of an object of a Scala case class, with one other field."""
    fields = [product.productElement(number) for number in range(product.productArity())]
    return product.copy(*fields[:position], value, *fields[position + 1 :])
