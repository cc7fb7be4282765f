"""Tells observers of every frame that a program collects, shows, writes or makes of rows that it holds itself."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from types import FrameType
from typing import Any, Literal
from unittest.mock import patch

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.classic.dataframe import DataFrame as ClassicFrame
from pyspark.sql.readwriter import DataFrameWriter, DataFrameWriterV2

Kind = Literal["collected", "shown", "counted", "written"]

_ON_FRAMES: dict[str, Kind] = {
    "collect": "collected",
    "toPandas": "collected",
    "toArrow": "collected",
    "toLocalIterator": "collected",
    "show": "shown",
    "take": "shown",
    "head": "shown",
    "first": "shown",
    "tail": "shown",
    "count": "counted",
}
_TO_FILES = ("save", "parquet", "csv", "json", "orc", "text", "xml")
_TO_TABLES = ("saveAsTable", "insertInto")
_OF_WRITE_TO = ("create", "replace", "createOrReplace", "append", "overwrite", "overwritePartitions")
_TABLE = "_whence_table"
"""Where a writer that `df.writeTo(table)` gave holds the name of its table: PySpark passes that on to Java alone."""


@dataclass(frozen=True)
class FrameAction:
    """One call of a program that evaluates a frame."""

    kind: Kind
    frame: DataFrame
    line: int
    """The line of the program that made the call."""
    variable: str | None
    """The variable of the program that holds the frame, if there is one."""
    path: str | None = None
    """Where files are written."""
    table: str | None = None
    """The table of the catalog that is written."""
    rows: int | None = None
    """How many rows `show` prints, if the program says so."""
    answers: list[object] = field(default_factory=list, compare=False)
    """What the call returned, once it has."""


@dataclass(frozen=True)
class MadeFrame:
    """A frame that a program made of rows it holds itself."""

    data: object
    """The rows: a pandas frame, a table of Arrow, a list."""
    frame: DataFrame
    line: int
    """The line of the program that made it."""
    variable: str | None
    """The variable of the program that holds the rows, if there is one."""


Observe = Callable[[FrameAction], AbstractContextManager[None]]
"""Called around each action: the block is the program's own call."""
Receive = Callable[[MadeFrame], None]
"""Called with each frame that the program made of rows it holds itself."""


@contextmanager
def observe_actions(program: str, observe: Observe, receive: Receive) -> Iterator[None]:
    """Call `observe` for actions in the block, and `receive` for frames that are made there of rows.

    `program` is the file whose lines and variables name them.
    """
    hooks = _Hooks(program, observe, receive)
    with ExitStack() as patches:
        create = hooks.on_create(SparkSession.createDataFrame)
        patches.enter_context(patch.object(SparkSession, "createDataFrame", create))
        for name, kind in _ON_FRAMES.items():
            patches.enter_context(patch.object(ClassicFrame, name, hooks.on_frame(getattr(ClassicFrame, name), kind)))
        for name in _TO_FILES:
            patches.enter_context(patch.object(DataFrameWriter, name, hooks.on_files(getattr(DataFrameWriter, name))))
        for name in _TO_TABLES:
            patches.enter_context(patch.object(DataFrameWriter, name, hooks.on_table(getattr(DataFrameWriter, name))))
        patches.enter_context(patch.object(DataFrameWriterV2, "__init__", _keep_table_name(DataFrameWriterV2.__init__)))
        for name in _OF_WRITE_TO:
            method = hooks.on_write_to(getattr(DataFrameWriterV2, name))
            patches.enter_context(patch.object(DataFrameWriterV2, name, method))
        yield


def _keep_table_name(initialise: Callable[..., None]) -> Callable[..., None]:
    @wraps(initialise)
    def call(writer: DataFrameWriterV2, df: DataFrame, table: str) -> None:
        initialise(writer, df, table)
        setattr(writer, _TABLE, table)

    return call


class _Hooks:
    """Wraps methods of PySpark. They call each other, and only the outermost call is one of the program."""

    def __init__(self, program: str, observe: Observe, receive: Receive) -> None:
        self._program = program
        self._observe = observe
        self._receive = receive
        self._thread = threading.local()

    def on_frame(self, method: Callable[..., Any], kind: Kind) -> Callable[..., Any]:
        return self._wrapped(
            method,
            lambda frame, n=None, *_, **__: (kind, frame, None, None, n if isinstance(n, int) else None),
        )

    def on_files(self, method: Callable[..., Any]) -> Callable[..., Any]:
        return self._wrapped(
            method,
            lambda writer, path=None, *_, **__: (
                "written",
                writer._df,
                None if path is None else str(path),
                None,
                None,
            ),
        )

    def on_table(self, method: Callable[..., Any]) -> Callable[..., Any]:
        # Python passes the name as the first argument, or by the name that the method gives to it.
        return self._wrapped(
            method,
            lambda writer, name=None, *_, tableName=None, **__: ("written", writer._df, None, name or tableName, None),  # noqa: N803
        )

    def on_write_to(self, method: Callable[..., Any]) -> Callable[..., Any]:
        return self._wrapped(
            method, lambda writer, *_, **__: ("written", writer._df, None, getattr(writer, _TABLE, None), None)
        )

    def on_create(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def call(session: SparkSession, data: object, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the method
            if getattr(self._thread, "is_inside", False):
                return method(session, data, *args, **kwargs)
            self._thread.is_inside = True
            try:
                frame = method(session, data, *args, **kwargs)
                self._receive(MadeFrame(data, frame, *self._place(sys._getframe(1), data)))
                return frame
            finally:
                self._thread.is_inside = False

        return call

    def _wrapped(self, method: Callable[..., Any], describe: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the method
            if getattr(self._thread, "is_inside", False):
                return method(*args, **kwargs)
            self._thread.is_inside = True
            try:
                kind, frame, path, table, rows = describe(*args, **kwargs)
                line, variable = self._place(sys._getframe(1), frame)
                action = FrameAction(kind, frame, line, variable, path=path, table=table, rows=rows)
                with self._observe(action):
                    answer = method(*args, **kwargs)
                    action.answers.append(answer)
                return answer
            finally:
                self._thread.is_inside = False

        return call

    def _place(self, caller: FrameType | None, held: object) -> tuple[int, str | None]:
        """Return the line of the program that is running, and the name under which it holds a frame or rows."""
        while caller is not None and caller.f_code.co_filename != self._program:
            caller = caller.f_back
        if caller is None:
            return 0, None
        for names in (caller.f_locals, caller.f_globals):
            # The newest name is the one that says most: `df = result` before `df.show()`.
            found = [name for name, value in names.items() if value is held and not name.startswith("_")]
            if found:
                return caller.f_lineno, found[-1]
        return caller.f_lineno, None
