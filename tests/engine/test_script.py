"""Gestures written down and done at once give the objects that single calls give, and fail with the same words."""

from __future__ import annotations

import pytest
from pyspark.errors import AnalysisException

import whence
from whence.engine.jvm import Jvm
from whence.engine.script import Runner

_EXPRESSIONS = "org.apache.spark.sql.catalyst.expressions"


def test_a_script_makes_what_single_calls_make(ws: whence.Workspace) -> None:
    direct = Jvm(ws.spark)
    script = Runner(direct).script()
    made = []
    for jvm in (direct, script):
        one, words = jvm.literal(1, "int"), jvm.literal('a "quoted"\n\\ 漢', "string")
        total = jvm.function("+", [one, jvm.literal(2**40, "bigint")])
        both = jvm.function("named_struct", [jvm.literal("f", "string"), total, jvm.literal("g", "string"), words])
        field = jvm.make(f"{_EXPRESSIONS}.GetStructField", both, 1, jvm.none())
        some = jvm.some(jvm.alias(field, "x", jvm.expr_id(77)))
        attribute = jvm.attribute("y", "decimal(10,2)", True, jvm.expr_id(78))
        null = jvm.null(attribute.dataType())
        made.append(jvm.seq([some, attribute, null, jvm.singleton(f"{_EXPRESSIONS}.RowFrame")]))
    assert script.value(made[1]).toString() == made[0].toString()
    joined = script.joined([made[1], script.promise(made[0])])
    assert script.value(joined.size()) == 8
    assert script.value(script.opened(made[1].apply(0)).name()) == "x"
    assert script.value(script.opened(made[1].apply(1)).name()) == "y"


def test_what_spark_refuses_in_a_script_is_said_as_by_a_call(ws: whence.Workspace) -> None:
    script = Runner(Jvm(ws.spark)).script()
    with pytest.raises(AnalysisException, match="no_such_function"):
        script.value(script.function("no_such_function", [script.literal(True, "boolean")]))
