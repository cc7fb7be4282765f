"""Aggregates of texts under a collation: Spark gives others where row ids are collected, so none are."""

import pytest

import whence

LOWER = "collate utf8_lcase"


@pytest.mark.parametrize(
    ("query", "is_exact"),
    [
        (f"select s from (select upper(s) {LOWER} as s from t) where s in (select s {LOWER} from u)", False),
        (
            f"select k, max(s) as s from (select t.k, upper(t.s) {LOWER} as s from t join u on t.s = u.s) group by k",
            False,
        ),
        (f"select max(k) as k, count(*) as n from t group by s {LOWER}", True),
        ("select s from (select upper(s) as s from t) where s in (select upper(s) from u)", True),
    ],
)
def test_texts_under_a_collation_are_those_that_spark_gives(ws: whence.Workspace, query: str, is_exact: bool) -> None:
    ws.create("t", [(1, "a"), (2, "b"), (3, "a"), (4, None), (5, "ab")], schema="k int, s string")
    ws.create("u", [("a",), ("ab",), (None,), ("b",), ("b",), ("a",), ("b",)], schema="s string")
    ds = ws.sql(query, name="found", lineage="inject")
    plain = ws.sql(query, name="plain", lineage=False).to_arrow()
    assert sorted(ds.to_arrow().to_pylist(), key=repr) == sorted(plain.to_pylist(), key=repr)
    assert ds.lineage.exact is is_exact
