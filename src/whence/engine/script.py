"""Batches calls to Java: a script records them in Python, and the Java process then runs all of them in one call.

One call between the processes costs more than what it does. A script replaces `Jvm` while a plan is written. Its
methods return promises of objects, and calls of a promise's methods are recorded, too. `value` runs the recorded calls.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.errors.exceptions.captured import unwrap_spark_exception
from pyspark.sql import DataFrame
from pyspark.sql.pandas.serializers import ArrowCollectSerializer
from pyspark.sql.types import StructField, StructType
from pyspark.util import _load_from_socket

from whence.engine.java_class import java_constructor, new_java_object
from whence.engine.jvm import Jvm
from whence.model.schema import Schema


@dataclass(frozen=True)
class Level:
    """A SELECT: SQL expressions over the rows that meet a condition."""

    columns: tuple[str, ...]
    where: str | None = None


@dataclass(frozen=True)
class PlanText:
    """A plan, its JSON form, the folders that each file relation in it reads, from the left, and its columns."""

    plan: Any
    text: str
    roots: tuple[tuple[str, ...], ...]
    fields: tuple[StructField, ...]


class Runner:
    """The Python side of `Script.java`, which is compiled once for each Java process."""

    def __init__(self, jvm: Jvm) -> None:
        self._jvm = jvm
        self._hands = new_java_object(jvm.session, java_constructor(jvm.session, "Script"), jvm.spark)

    def script(self) -> Script:
        """Return an empty script."""
        return Script(self._jvm, self._hands.empty())

    def stack_selections(self, frame: DataFrame, levels: Sequence[Level]) -> DataFrame:
        """Put selections over a frame, each over the one before, in one call and one analysis."""
        said = [{"columns": list(level.columns), "where": level.where} for level in levels]
        return DataFrame(self._hands.stacked(frame._jdf, json.dumps(said)), frame.sparkSession)

    def interpreted(self, frame: DataFrame) -> DataFrame:
        """Return the same frame in a session that has its settings, but compiles no code for a query.

        For a few thousand rows, writing Java code for a query and compiling it costs more than all else in Spark.
        """
        return DataFrame(self._hands.interpreted(frame._jdf), frame.sparkSession)

    def reads(self, given: DataFrame | Schema, columns: Sequence[str]) -> dict[str, Any] | None:
        """Return the schema of a selection, its expression trees, and whether a plain projection is all that it adds.

        Return None if a type of the given schema has no DDL name that Spark can parse, such as an ML vector.
        """
        told = [[field.name, field.type] for field in given] if isinstance(given, Schema) else []
        frame = None if isinstance(given, Schema) else given._jdf
        answer = self._hands.reads(frame, json.dumps({"given": told, "columns": list(columns)}))
        found: dict[str, Any] | None = None if answer is None else json.loads(_unpack_text(answer))
        return found

    def describe_plan(self, frame: DataFrame, *, is_collapsed: bool = False) -> PlanText | None:
        """Return the plan of a frame in one call; None if it has subqueries or WITH clauses, which need `unfold` first.

        If `is_collapsed`, Spark merges projections over projections first, as its optimizer would do anyway.
        """
        plan = self.flatten(self._hands.collapsed(frame._jdf) if is_collapsed else self._hands.analyzed(frame._jdf))
        roots, is_flat, schema, text = _unpack_text(self._hands.told(plan)).split("\n", 3)
        if is_flat != "true" or "CTE" in text:
            return None
        fields = StructType.fromJson(json.loads(schema)).fields
        return PlanText(plan, text, tuple(tuple(each) for each in json.loads(roots)), tuple(fields))

    def flatten(self, plan: Any) -> Any:  # noqa: ANN401 - a JVM object
        """Return a plan in which long chains of UNIONs and of projections are one of each."""
        return self._hands.flattened(plan)

    def query(self, text: str) -> DataFrame | str:
        """Return the frame of a query; the class name of a command, of which none has run."""
        found = self._hands.query(text)
        return found if isinstance(found, str) else DataFrame(found, self._jvm.session)

    def command(self, text: str) -> str | None:
        """Return the class name of the command that a text is; None for a query."""
        found: str | None = self._hands.command(text)
        return found

    def is_deterministic(self, frame: DataFrame) -> bool:
        """Return whether another run of the analysed plan gives the same."""
        return bool(self._hands.isDeterministic(frame._jdf))

    def settings(self) -> dict[str, str]:
        """Return the settings of the session."""
        found: dict[str, str] = json.loads(_unpack_text(self._hands.settings()))
        return found

    def collect(self, frame: DataFrame) -> list[pa.RecordBatch]:
        """Run a frame and return its rows in order, as PySpark's `toArrow` does with a dozen calls more."""
        place, secret = self._hands.served(frame._jdf).split("\n")
        try:
            served = int(place) if place.isdecimal() else place, secret
            with _load_from_socket(served, ArrowCollectSerializer()) as batches:
                found = list(batches)
        except Exception:
            self._finish(place)  # raises what went wrong in Spark, which the broken stream does not tell
            raise
        except BaseException:
            with suppress(Exception):  # an interrupt counts more than what it did to the query
                self._finish(place)
            raise
        self._finish(place)
        return found

    def _finish(self, place: str) -> None:
        with unwrap_spark_exception():
            self._hands.finish(place)

    def json(self, plan: Any) -> str:  # noqa: ANN401 - a JVM object
        """Return a plan in its JSON form."""
        return _unpack_text(self._hands.json(plan))


def _unpack_text(sent: bytes) -> str:
    """Return a text that Java sent compressed.

    A long text goes in pieces, and between two pieces the system waits 40 ms for an acknowledgement (Nagle's algorithm
    against delayed acknowledgements). Bytes also need no escaping.
    """
    return zlib.decompress(sent).decode()


class Script(Jvm):
    """A list of recorded calls. It has the methods of `Jvm`, but they return promises."""

    def __init__(self, jvm: Jvm, runner: Any) -> None:  # noqa: ANN401 - a JVM object
        self.direct = jvm
        """The real `Jvm`, for calls that must not be delayed."""
        self._runner = runner
        self._count = 0
        self._waiting: list[list[object]] = []
        self._known = {}
        # Java keeps these four objects in every new script: see `empty` there.
        self._parser, self._functions, self._empty, self._none = (self._next() for _ in range(4))

    def promise(self, given: Any) -> Promise:  # noqa: ANN401 - a JVM object
        """Return a promise of an object that already exists in the Java process."""
        promise = self._next()
        self._runner.keep(promise.number, given)
        return promise

    def value(self, promise: Promise) -> Any:  # noqa: ANN401
        """Run all recorded calls, and return the object that was promised."""
        program, self._waiting = json.dumps(self._waiting), []
        return self._runner.run(program, promise.number)

    def singleton(self, name: str) -> Promise:
        """Return a promise of a Scala singleton object."""
        if name not in self._known:
            self._known[name] = self.note("module", name)
        found: Promise = self._known[name]
        return found

    def opened(self, option: Promise) -> Promise:
        """Return the value inside a Scala Some; anything else unchanged."""
        return self.note("opened", option)

    def resolved(self, plan: Any) -> Any:  # noqa: ANN401
        """Return the plan. Spark's analyzer completes it if it is unresolved."""
        return self.note("resolved", plan)

    def joined(self, seqs: list[Any]) -> Any:  # noqa: ANN401
        """Return the concatenation of several Scala Seqs."""
        all_of_them = self._empty
        for seq in seqs:
            all_of_them = all_of_them.appendedAll(seq)
        return all_of_them

    def frame(self, plan: Any) -> DataFrame:  # noqa: ANN401
        """Return a DataFrame over a logical plan, after running the recorded calls that make the plan."""
        if not isinstance(plan, Promise):
            return self.direct.frame(plan)
        return DataFrame(self.value(self.note("rows", plan)), self.direct.session)

    def note(self, kind: str, *args: object) -> Promise:
        """Record a call and return a promise of its result."""
        promise = self._next()
        self._waiting.append([promise.number, kind, *map(self._encode, args)])
        return promise

    def _encode(self, arg: object) -> object:
        if arg is None or isinstance(arg, bool | int | str):
            return arg
        return [(arg if isinstance(arg, Promise) else self.promise(arg)).number]

    def _next(self) -> Promise:
        self._count += 1
        return Promise(self, self._count - 1)

    def _seq(self, items: list[Any]) -> Any:  # noqa: ANN401
        return self.note("seq", *items)

    def _class(self, name: str) -> Any:  # noqa: ANN401
        return _Class(self, name)


class Promise:
    """A reference to an object that will exist when the script has run. Calls of its methods are recorded."""

    def __init__(self, script: Script, number: int) -> None:
        self.script = script
        self.number = number

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        if name.startswith("__"):  # Python's own protocols, such as copying, must not become calls to Java
            raise AttributeError(name)
        return lambda *args: self.script.note("call", self, name, *args)


class _Class:
    """A Scala class by its name: calling it makes an object, and its methods are those of its companion object."""

    def __init__(self, script: Script, name: str) -> None:
        self._script = script
        self._name = name

    def __call__(self, *args: object) -> Promise:
        return self._script.note("new", self._name, *args)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return lambda *args: self._script.note("static", self._name, name, *args)
