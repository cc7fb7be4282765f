"""Small queries run without compiled code, under the settings that the user's session has at that moment."""

from __future__ import annotations

import pytest

import whence

WHOLE_STAGE = "spark.sql.codegen.wholeStage"


def plan_of(ws: whence.Workspace, text: str) -> str:
    engine = ws._context.engine
    frame = engine._runner.interpreted(ws.spark.sql(text))
    return str(frame._jdf.queryExecution().executedPlan().toString())


def test_no_code_is_compiled_for_an_interpreted_frame(ws: whence.Workspace) -> None:
    text = "select id + 1 as n from range(3) where id > 0"
    compiled = ws.spark.sql(text)._jdf.queryExecution().executedPlan().toString()
    assert "*(1)" in compiled
    assert "*(1)" not in plan_of(ws, text)
    assert ws.spark.conf.get(WHOLE_STAGE) == "true"


def test_settings_of_the_session_hold(ws: whence.Workspace) -> None:
    ws.create("t", [(1, 0)], schema="a int, b int")
    ws.spark.conf.set("spark.sql.ansi.enabled", "false")
    try:
        assert ws.sql("select a / b as q from t", name="lenient").to_arrow().to_pylist() == [{"q": None}]
    finally:
        ws.spark.conf.unset("spark.sql.ansi.enabled")
    with pytest.raises(whence.WhenceError, match=r"(?i)division by zero"):
        ws.sql("select a / b as q, 1 as n from t", name="strict")
