"""What a dataset would hold if doubtful values were others, against plain Python and against real data."""

from typing import TYPE_CHECKING

import pytest

from whence.model.errors import NotRelated, NotSupported, UserError

if TYPE_CHECKING:
    import pyarrow as pa

    from whence import Dataset, Workspace
    from whence.model.caveat import CaveatGroup, CaveatRef

ROWS = [("a", 100), ("a", 36), ("b", 5), ("c", None)]
JOINED = """
    select k, count(*) as n, sum(y) as s from doubled join keys using (k) where y < 300 group by k order by k
"""


def given(ws: "Workspace", rows: list[tuple[str, int | None]], name: str = "payments") -> "Dataset":
    doubts = [(1, "x", "36 or 86", (36, 86)), (3, "x", "not filled in", (1, 2))]
    return ws.create(name, rows, schema="k string, x int", cell_caveats=doubts)


def in_python(rows: list[tuple[str, int | None]]) -> list[dict[str, object]]:
    kept: dict[str, list[int]] = {}
    for k, x in rows:
        if x is not None and 2 * x < 300:
            kept.setdefault(k, []).append(2 * x)
    return [{"k": k, "n": len(values), "s": sum(values)} for k, values in sorted(kept.items())]


def test_values_go_through_several_queries(ws: "Workspace") -> None:
    source = given(ws, ROWS)
    ws.create("keys", [("a",), ("b",), ("c",)], schema="k string")
    ws.sql("select k, x * 2 as y from payments", name="doubled")
    made = ws.sql(JOINED, name="made")
    (group,) = source.caveats.list()
    smudged, blank = group.references
    cases: list[dict[int, int | None]] = [{1: 86}, {3: 2}, {1: 200, 3: 7}, {1: None}]
    for values in cases:
        told = [(k, values.get(row, x)) for row, (k, x) in enumerate(ROWS)]
        supposed = made.caveats.what_if({{1: smudged, 3: blank}[row]: value for row, value in values.items()})
        assert supposed.after.to_pylist() == in_python(told)
        assert supposed.before.to_pylist() == in_python(ROWS) == made.to_arrow().to_pylist()
    everywhere = made.caveats.what_if({group: 1})
    assert everywhere.after.to_pylist() == in_python([("a", 100), ("a", 1), ("b", 5), ("c", 1)])
    assert [row["k"] for row in everywhere.gone.to_pylist()] == ["a"]
    assert [row["k"] for row in everywhere.new.to_pylist()] == ["a", "c"]
    assert not list((ws.path / "tmp" / "ranges").glob("supposed-*"))


def test_values_of_stated_and_raised_caveats(ws: "Workspace") -> None:
    plain = ws.create("plain", [(1,), (5,), (8,)], schema="x bigint")
    stated = plain.caveat("x > 4", "x", "why")
    made = ws.sql("select caveat_if(x, x > 7, 'large') + 1 as y from plain", name="made")
    total = ws.sql("select sum(y) as total from made", name="total")

    def totals(table: "pa.Table") -> list[object]:
        return list(table.column("total").to_pylist())

    (large,) = made.caveats.list(row=2)[:1]
    assert large.message == "large"
    assert totals(total.caveats.what_if({large: 3}).after) == [2 + 6 + 4]
    first, second = stated.caveats.list()[0].references
    assert totals(total.caveats.what_if({first: 7}).after) == [2 + 8 + 9]
    both: dict[CaveatGroup | CaveatRef, object] = {first: 9, large: 0}
    assert totals(total.caveats.what_if(both).after) == [2 + 1 + 1]
    assert totals(total.caveats.what_if({second: 0}).after) == [2 + 6 + 1]


def test_what_cannot_be_supposed_says_why(ws: "Workspace") -> None:
    source = given(ws, ROWS)
    other = given(ws, ROWS, "others")
    rows = ws.create("rows", [(1,), (2,)], schema="x int", row_caveats=[(0, "maybe")])
    raised = ws.sql("select caveat_if(x, x > 10, 'large') as x from payments", name="raised")
    (group,) = source.caveats.list()
    with pytest.raises(UserError, match="'many' is no value of column x of payments@1, which holds int32"):
        source.caveats.what_if({group: "many"})
    with pytest.raises(NotRelated, match="payments@1 was not made from others@1"):
        source.caveats.what_if({other.caveats.list()[0]: 3})
    with pytest.raises(UserError, match="'maybe' of rows@1 doubts no value of a cell"):
        rows.caveats.what_if({rows.caveats.list()[0]: 3})
    with pytest.raises(NotSupported, match="together with 1 others"):
        raised.caveats.what_if({raised.caveats.list(row=0)[0]: 3})
    with pytest.raises(UserError, match="'large' is no group of caveats"):
        raised.caveats.what_if({"large": 3})  # type: ignore[arg-type]
