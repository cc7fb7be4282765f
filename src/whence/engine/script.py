"""Gestures written down in Python and done in the Java process all at once: a call across costs more than what it does.

A script stands in for `Jvm` while a plan is written. What it gives back are promises of objects; calling a method of a
promise is written down as well. `value` has everything done that was written down so far.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame

from whence.engine.java_class import java_constructor, new_java_object
from whence.engine.jvm import Jvm
from whence.model.schema import Schema


@dataclass(frozen=True)
class Level:
    """A selection: SQL expressions over the rows that meet a condition."""

    columns: tuple[str, ...]
    where: str | None = None


@dataclass(frozen=True)
class PlanText:
    """A plan, its JSON form, and the folders that each file relation in it reads, from the left."""

    plan: Any
    text: str
    roots: tuple[tuple[str, ...], ...]


class Runner:
    """The class in `Script.java`, compiled once for a Java process: py4j knows methods by the name of a class."""

    def __init__(self, jvm: Jvm) -> None:
        self._jvm = jvm
        self._constructor = java_constructor(jvm.session, "Script")
        self._hands = self._new()

    def script(self) -> Script:
        """An empty script."""
        return Script(self._jvm, self._new())

    def stack_selections(self, frame: DataFrame, levels: Sequence[Level]) -> DataFrame:
        """Selections put over a frame one after the other: one call and one analysis for all of them."""
        said = [{"columns": list(level.columns), "where": level.where} for level in levels]
        return DataFrame(self._hands.stacked(frame._jdf, json.dumps(said)), frame.sparkSession)

    def reads(self, given: DataFrame | Schema, columns: Sequence[str]) -> dict[str, Any] | None:
        """The schema of a selection, its expressions, and whether a plain projection is all it puts on top.

        None where the types of a schema are not all to be told in words.
        """
        told = [[field.name, field.type] for field in given] if isinstance(given, Schema) else []
        frame = None if isinstance(given, Schema) else given._jdf
        answer = self._hands.reads(frame, json.dumps({"given": told, "columns": list(columns)}))
        found: dict[str, Any] | None = None if answer is None else json.loads(_unpack_text(answer))
        return found

    def describe_plan(self, frame: DataFrame, *, is_collapsed: bool = False) -> PlanText | None:
        """A plan without subqueries, told in one call; None for one with, which has to be rewritten first.

        Collapsed, projections on projections are one, as Spark's optimizer would make them anyway.
        """
        plan = self._hands.collapsed(frame._jdf) if is_collapsed else self._hands.analyzed(frame._jdf)
        roots, is_flat, text = _unpack_text(self._hands.told(plan)).split("\n", 2)
        if is_flat != "true" or "CTE" in text:
            return None
        return PlanText(plan, text, tuple(tuple(each) for each in json.loads(roots)))

    def json(self, plan: Any) -> str:  # noqa: ANN401 - a JVM object
        """A plan in its JSON form."""
        return _unpack_text(self._hands.json(plan))

    def _new(self) -> Any:  # noqa: ANN401 - a JVM object
        return new_java_object(self._jvm.session, self._constructor, self._jvm.spark)


def _unpack_text(sent: bytes) -> str:
    """A text that is sent packed: a long one is sent in pieces, and between two pieces the system waits 40 ms for a
    sign of life of the receiver (Nagle's algorithm against delayed acknowledgements). Nor is anything to be escaped."""
    return zlib.decompress(sent).decode()


class Script(Jvm):
    """One script."""

    def __init__(self, jvm: Jvm, runner: Any) -> None:  # noqa: ANN401 - a JVM object
        self.direct = jvm
        """For what must be done at once."""
        self._runner = runner
        self._count = 0
        self._waiting: list[list[object]] = []
        self._known = {}
        self._parser, self._functions = self.promise(jvm._parser), self.promise(jvm._functions)
        self._empty = self._seq([])
        self._none = self._class("scala.Option").empty()

    def promise(self, given: Any) -> Promise:  # noqa: ANN401 - a JVM object
        """An object that is there already."""
        self._flush()
        self._runner.keep(given)
        return self._next()

    def value(self, promise: Promise) -> Any:  # noqa: ANN401
        """Do what is written down, and give the object that was promised."""
        program, self._waiting = json.dumps(self._waiting), []
        return self._runner.run(program, promise.number)

    def singleton(self, name: str) -> Promise:
        """A Scala object."""
        if name not in self._known:
            self._known[name] = self.note("module", name)
        found: Promise = self._known[name]
        return found

    def opened(self, option: Promise) -> Promise:
        """What is in a Some; anything else as it is."""
        return self.note("opened", option)

    def resolved(self, plan: Any) -> Any:  # noqa: ANN401
        """The plan, completed by Spark's analyzer if need be."""
        return self.note("resolved", plan)

    def joined(self, seqs: list[Any]) -> Any:  # noqa: ANN401
        """Several Seqs one after the other."""
        all_of_them = self._empty
        for seq in seqs:
            all_of_them = all_of_them.appendedAll(seq)
        return all_of_them

    def frame(self, plan: Any) -> DataFrame:  # noqa: ANN401
        """A DataFrame over a logical plan."""
        return self.direct.frame(self.value(plan) if isinstance(plan, Promise) else plan)

    def note(self, kind: str, *args: object) -> Promise:
        """Write a gesture down."""
        said = [kind, *map(self._encode, args)]  # an object that is there already is kept first
        self._waiting.append(said)
        return self._next()

    def _encode(self, arg: object) -> object:
        if arg is None or isinstance(arg, bool | int | str):
            return arg
        return [(arg if isinstance(arg, Promise) else self.promise(arg)).number]

    def _next(self) -> Promise:
        self._count += 1
        return Promise(self, self._count - 1)

    def _flush(self) -> None:
        if self._waiting:
            self.value(Promise(self, 0))

    def _seq(self, items: list[Any]) -> Any:  # noqa: ANN401
        return self.note("seq", *items)

    def _class(self, name: str) -> Any:  # noqa: ANN401
        return _Class(self, name)


class Promise:
    """An object that will be there when the script has run; its methods are written down."""

    def __init__(self, script: Script, number: int) -> None:
        self.script = script
        self.number = number

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args: self.script.note("call", self, name, *args)


class _Class:
    """A class of Scala's by its name: called, it makes an object; its methods are those of its companion."""

    def __init__(self, script: Script, name: str) -> None:
        self._script = script
        self._name = name

    def __call__(self, *args: object) -> Promise:
        return self._script.note("new", self._name, *args)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return lambda *args: self._script.note("static", self._name, name, *args)
