"""Registers functions that Python cells export, so that SQL queries can call them."""

from __future__ import annotations

from typing import Protocol

from pyspark.sql import SparkSession

from whence.engine.sql_allowed import ALLOWED, ALLOWED_TABLE_FUNCTIONS, OURS, REFUSED
from whence.engine.worker.exported_function import exported_function
from whence.model.errors import UserError

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
    session.udf.register(function.name, exported_function(function.name, function.source), function.returns)
