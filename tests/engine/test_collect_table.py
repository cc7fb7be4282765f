"""Structs and variants that are NULL, of frames that are given and of queries that are kept."""

from __future__ import annotations

import pytest

import whence

FRAME = """select k, case when k = 1 then parse_json('{"a": 7}') end as v, array(parse_json('2')) as vs,
    case when k = 1 then named_struct('p', 3, 'q', k) end as s from values (1), (2) as t(k)"""
READ = "select k, v:a::int as a, vs[0]::int as b, s.p as p from {} order by k"
EXPECTED = [{"k": 1, "a": 7, "b": 2, "p": 3}, {"k": 2, "a": None, "b": 2, "p": None}]


def test_a_frame_with_absent_structs_and_variants_is_created(ws: whence.Workspace) -> None:
    given = ws.create("given", ws.spark.sql(FRAME))
    types = {field.name: field.type for field in given.schema}
    assert types == {"k": "int", "v": "variant", "vs": "array<variant>", "s": "struct<p:int,q:int>"}
    assert ws.sql(READ.format("given"), name="read").to_arrow().to_pylist() == EXPECTED


@pytest.mark.parametrize("most", [100_000, -1], ids=["collected", "written by Spark"])
def test_absent_structs_and_variants_are_kept(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr("whence.engine.run_here.MOST_ROWS", most)
    ws.create("t", [(1,), (2,)], schema="k int")
    kept = ws.sql(FRAME.replace("values (1), (2) as t(k)", "t"), name="kept")
    assert kept.lineage.exact
    assert ws.sql(READ.format("kept"), name="read").to_arrow().to_pylist() == EXPECTED
