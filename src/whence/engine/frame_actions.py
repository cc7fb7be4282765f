"""Tells observers of every frame that a program collects, shows, writes or makes of rows that it holds itself."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from pathlib import Path
from types import FrameType
from typing import Any, Literal, TypeVar
from unittest.mock import patch

import pyspark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.classic.dataframe import DataFrame as ClassicFrame
from pyspark.sql.readwriter import DataFrameWriter, DataFrameWriterV2

from whence.engine.program_place import ProgramPlace, find_place
from whence.engine.sql_writes import WritingStatement, filled_in, inserted_rows, may_write, read_statement
from whence.engine.written_rows import WrittenRows

Found = TypeVar("Found")
Kind = Literal["collected", "shown", "counted", "written", "taken"]
"""What a call does with the rows of a frame. They are taken by `df.rdd`, whose rows whence does not see."""

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
_OF_WRITE_TO = ("create", "replace", "createOrReplace", "append", "overwrite", "overwritePartitions")
_NO_PLACE = (None, None, None)
_PYSPARK = Path(pyspark.__file__).parent
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
    held: Mapping[str, DataFrame] = field(default_factory=dict, compare=False)
    """The frames that the program holds, by variable."""
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
    is_written: bool = False
    """Whether the rows are written in the program itself, as constants."""


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
        patches.enter_context(patch.object(SparkSession, "sql", hooks.on_sql(SparkSession.sql)))
        for name, kind in _ON_FRAMES.items():
            patches.enter_context(patch.object(ClassicFrame, name, hooks.on_frame(getattr(ClassicFrame, name), kind)))
        for name in _TO_FILES:
            patches.enter_context(patch.object(DataFrameWriter, name, hooks.on_files(getattr(DataFrameWriter, name))))
        patches.enter_context(patch.object(ClassicFrame, "rdd", property(hooks.on_rdd(ClassicFrame.rdd))))
        save, insert = DataFrameWriter.saveAsTable, DataFrameWriter.insertInto
        patches.enter_context(patch.object(DataFrameWriter, "saveAsTable", hooks.on_table(save)))
        patches.enter_context(patch.object(DataFrameWriter, "insertInto", hooks.on_insert(insert)))
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


def _try_to(look: Callable[[], Found]) -> Found | None:
    """Return what is found before the program's own call, which raises the error of a call that cannot work."""
    try:
        return look()
    except Exception:  # Spark's, of any kind
        return None


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

    def on_insert(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def describe(writer: DataFrameWriter, name: str | None = None, *_: object, **others: Any) -> tuple[Any, ...]:  # noqa: ANN401
            table = name or others.get("tableName")
            frame = _try_to(lambda: inserted_rows(writer._df, str(table))) or writer._df
            return "written", frame, None, table, None

        return self._wrapped(method, describe)

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
                place = self._place(sys._getframe(1), data)
                is_written = self._written_rows.are_constants(place.line, place.variable)
                self._receive(MadeFrame(data, frame, place.line, place.variable, is_written))
                return frame
            finally:
                self._thread.is_inside = False

        return call

    def on_rdd(self, attribute: Any) -> Callable[[DataFrame], Any]:  # noqa: ANN401 - a descriptor
        taken = self._wrapped(
            lambda frame: attribute.__get__(frame, type(frame)), lambda frame: ("taken", frame, *_NO_PLACE)
        )

        def look(frame: DataFrame) -> Any:  # noqa: ANN401 - an RDD
            # PySpark reads the attribute itself, in `foreach` for one, and then gives no rows to the program.
            is_own = Path(sys._getframe(1).f_code.co_filename).is_relative_to(_PYSPARK)
            return attribute.__get__(frame, type(frame)) if is_own else taken(frame)

        return look

    @cached_property
    def _written_rows(self) -> WrittenRows:
        return WrittenRows(self._program)

    def on_sql(self, method: Callable[..., DataFrame]) -> Callable[..., DataFrame]:
        @wraps(method)
        def call(session: SparkSession, sqlQuery: str, args: Any = None, **values: Any) -> DataFrame:  # noqa: ANN401, N803
            if getattr(self._thread, "is_inside", False) or not may_write(sqlQuery):
                return method(session, sqlQuery, args, **values)
            self._thread.is_inside = True
            try:
                with filled_in(session, sqlQuery, values) as text:
                    explain = (lambda asked: method(session, asked, args)) if args else None
                    statement = _try_to(lambda: read_statement(session, text, explain))
                    if statement is None:
                        return method(session, text, args)
                    return self._run_observed(statement, sys._getframe(1))
            finally:
                self._thread.is_inside = False

        return call

    def _run_observed(self, statement: WritingStatement, caller: FrameType) -> DataFrame:
        place = self._place(caller, statement)
        with ExitStack() as observed:
            for write in reversed(statement.writes):  # what is entered last ends first
                made = FrameAction("written", write.frame, place.line, None, held=place.frames)
                action = replace(made, path=write.path, table=write.table)
                observed.enter_context(self._observe(action))
            return statement.run()

    def _wrapped(self, method: Callable[..., Any], describe: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the method
            if getattr(self._thread, "is_inside", False):
                return method(*args, **kwargs)
            self._thread.is_inside = True
            try:
                kind, frame, path, table, rows = describe(*args, **kwargs)
                place = self._place(sys._getframe(1), frame)
                made = FrameAction(kind, frame, place.line, place.variable, held=place.frames)
                action = replace(made, path=path, table=table, rows=rows)
                with self._observe(action):
                    answer = method(*args, **kwargs)
                    action.answers.append(answer)
                return answer
            finally:
                self._thread.is_inside = False

        return call

    def _place(self, caller: FrameType, held: object) -> ProgramPlace:
        return find_place(self._program, caller, held)
