"""Rewrites a Python function in Spark's plan, so that its output rows carry extra values of their group or row."""

from __future__ import annotations

import json
from typing import Any

from pyspark.serializers import CloudPickleSerializer
from pyspark.sql.types import StructType
from pyspark.util import PythonEvalType

from whence.engine.jvm import Jvm
from whence.engine.worker.carrying_function import CarryingFunction, Form
from whence.engine.worker.observing_function import ObservingFunction
from whence.plan.expr import Column

_FORMS: dict[int, Form] = {
    PythonEvalType.SQL_GROUPED_MAP_PANDAS_UDF: "pandas",
    PythonEvalType.SQL_GROUPED_MAP_PANDAS_ITER_UDF: "pandas batches",
    PythonEvalType.SQL_GROUPED_MAP_ARROW_UDF: "arrow",
    PythonEvalType.SQL_GROUPED_MAP_ARROW_ITER_UDF: "arrow batches",
    PythonEvalType.SQL_COGROUPED_MAP_PANDAS_UDF: "pandas",
    PythonEvalType.SQL_COGROUPED_MAP_ARROW_UDF: "arrow",
}
_OVER_BATCHES = frozenset({PythonEvalType.SQL_MAP_PANDAS_ITER_UDF, PythonEvalType.SQL_MAP_ARROW_ITER_UDF})


def carry_columns(jvm: Jvm, udf: Any, given: list[Any], handed: tuple[tuple[Column, ...], ...]) -> Any:  # noqa: ANN401 - JVM objects
    """Return the Python UDF with more columns: it takes `given` as last columns of each input, and returns `handed`.

    In the task `CarryingFunction` wraps a user's function of groups, and `ObservingFunction` one over batches. The
    names in `handed` are those of the new outputs.
    """
    every = [column for each in handed for column in each]
    returned = udf.dataType()
    for column in every:
        returned = returned.add(column.name, jvm.data_type(column.type), True)
    names = tuple(tuple(column.name for column in each) for each in handed)
    wrapped, kind = command_bytes(jvm, udf.func().command()), udf.evalType()
    function = (
        ObservingFunction(wrapped, _types(udf.children()), names[0])
        if kind in _OVER_BATCHES
        else CarryingFunction(wrapped, _FORMS[kind], names)
    )
    command: bytes = CloudPickleSerializer().dumps(  # type: ignore[no-untyped-call]
        (function, StructType.fromJson(_json(returned)))
    )
    return jvm.make(
        "org.apache.spark.sql.catalyst.expressions.PythonUDF",
        udf.name(),
        python_function(jvm, udf.func(), command),
        returned,
        udf.children().appendedAll(jvm.seq(given)),
        udf.evalType(),
        udf.udfDeterministic(),
        udf.resultId(),
    )


def python_function(jvm: Jvm, old: Any, command: bytes) -> Any:  # noqa: ANN401
    """Return a Python function with a new command. Environment, files, Python version and broadcasts stay the same."""
    return jvm.make(
        "org.apache.spark.api.python.SimplePythonFunction",
        bytearray(command),
        old.envVars(),
        old.pythonIncludes(),
        old.pythonExec(),
        old.pythonVer(),
        old.broadcastVars(),
        old.accumulator(),
    )


def _types(children: Any) -> tuple[str, ...]:  # noqa: ANN401
    return tuple(children.apply(number).dataType().simpleString() for number in range(children.size()))


def command_bytes(jvm: Jvm, seq: Any) -> bytes:  # noqa: ANN401
    """Return a pickled function as bytes."""
    return bytes(seq.toArray(jvm.singleton("scala.reflect.ClassTag").Byte()))


def _json(data_type: Any) -> dict[str, Any]:  # noqa: ANN401
    read: dict[str, Any] = json.loads(data_type.json())
    return read
