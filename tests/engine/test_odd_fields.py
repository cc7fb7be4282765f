"""Structs whose fields have names that need quotes, or other names than a query gives their parts."""

from __future__ import annotations

import pyarrow as pa

import whence


def test_a_struct_with_a_blank_in_a_name_is_read_again(ws: whence.Workspace) -> None:
    ws.create("t", pa.table({"k": [1, 2]}))
    made = ws.sql("select named_struct('a b', k, 'c', array(named_struct('d`e', k))) as s from t", name="made")
    assert made.schema.fields[0].type == "struct<`a b`:bigint,c:array<struct<`d``e`:bigint>>>"
    again = ws.sql("select s.`a b` as x, s.c[0].`d``e` as y from made", name="again")
    assert again.to_arrow().to_pylist() == [{"x": 1, "y": 1}, {"x": 2, "y": 2}]
    created = ws.create("given", pa.table({"s": [{"a b": 1}]}))
    assert created.df.collect()[0].s["a b"] == 1


def test_inlined_parts_may_be_called_otherwise_than_the_fields(ws: whence.Workspace) -> None:
    ws.create("t", pa.table({"k": [1, 2], "xs": [[1, 2], [3]]}))
    made = ws.sql(
        "select b from (select inline_outer(transform(xs, v -> struct(v, v % 2))) as (a, b) from t)", name="made"
    )
    assert made.to_arrow().column("b").to_pylist() == [1, 0, 1]
    assert [made.lineage.backward([row]).ids.tolist() for row in range(3)] == [[0], [0], [1]]
    nested = "inline(transform(xs, v -> named_struct('a b', v, 'n', named_struct('c d', v))))"
    deep = ws.sql(f"select k, {nested} from t", name="deep")
    assert deep.to_arrow().column("n").to_pylist() == [{"c d": 1}, {"c d": 2}, {"c d": 3}]
    assert len(set(deep.row_keys())) == 3
