"""Which rows contribute, rule by rule, on tables small enough to read."""

from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import sources, values

if TYPE_CHECKING:
    from whence import Workspace


@pytest.fixture
def ws(ws: "Workspace") -> "Workspace":
    """t and u with duplicates, NULL keys, and keys that meet only on one side."""
    ws.create("t", [(1, 10), (1, 20), (2, 30), (None, 40), (3, 10)], schema="k int, x int")
    ws.create("u", [(1, "a"), (1, "b"), (3, None), (None, "c"), (4, "d")], schema="k int, s string")
    return ws


def test_projection_filter_and_sort_keep_the_row_itself(ws: "Workspace") -> None:
    ds = ws.sql("select x + 1 as y from t where k is not null order by x desc", name="out")
    assert sources(ds, "t") == [((11,), [0]), ((11,), [4]), ((21,), [1]), ((31,), [2])]


def test_limit_keeps_the_rows_chosen(ws: "Workspace") -> None:
    ds = ws.sql("select k, x from t order by x desc, k limit 2", name="out")
    assert sources(ds, "t") == [((2, 30), [2]), ((None, 40), [3])]


def test_inner_join_takes_one_row_of_each_side(ws: "Workspace") -> None:
    ds = ws.sql("select t.x, u.s from t join u on t.k = u.k", name="out")
    assert sources(ds, "t") == [
        ((10, "a"), [0]),
        ((10, "b"), [0]),
        ((10, None), [4]),
        ((20, "a"), [1]),
        ((20, "b"), [1]),
    ]
    assert sources(ds, "u") == [
        ((10, "a"), [0]),
        ((10, "b"), [1]),
        ((10, None), [2]),
        ((20, "a"), [0]),
        ((20, "b"), [1]),
    ]


def test_padded_side_of_a_left_join_contributes_nothing(ws: "Workspace") -> None:
    ds = ws.sql("select t.k, t.x, u.s from t left join u on t.k = u.k and u.s = 'b'", name="out")
    assert sources(ds, "u") == [
        ((1, 10, "b"), [1]),
        ((1, 20, "b"), [1]),
        ((2, 30, None), []),
        ((3, 10, None), []),
        ((None, 40, None), []),
    ]
    assert [ids for _, ids in sources(ds, "t")] == [[0], [1], [2], [4], [3]]


def test_self_join_unites_both_readings(ws: "Workspace") -> None:
    ds = ws.sql("select a.x as ax, b.x as bx from t a join t b on a.k = b.k and a.x < b.x", name="out")
    assert sources(ds, "t") == [((10, 20), [0, 1])]


def test_aggregate_takes_every_row_of_the_group_that_passed_the_filter(ws: "Workspace") -> None:
    ds = ws.sql("select k, sum(x) as s from t where x <> 10 group by k", name="out")
    assert sources(ds, "t") == [((1, 20), [1]), ((2, 30), [2]), ((None, 40), [3])]


def test_null_keys_are_one_group(ws: "Workspace") -> None:
    ds = ws.sql(
        "select k, count(*) as n from (select k from t union all select k from u) as both group by k", name="out"
    )
    assert sources(ds, "t") == [((1, 4), [0, 1]), ((2, 1), [2]), ((3, 2), [4]), ((4, 1), []), ((None, 2), [3])]
    assert sources(ds, "u") == [((1, 4), [0, 1]), ((2, 1), []), ((3, 2), [2]), ((4, 1), [4]), ((None, 2), [3])]


def test_min_and_max_take_the_whole_group(ws: "Workspace") -> None:
    ds = ws.sql("select k, min(x) as low, max(x) as high from t group by k having count(*) > 1", name="out")
    assert sources(ds, "t") == [((1, 10, 20), [0, 1])]


def test_rows_whose_argument_is_null_still_contribute(ws: "Workspace") -> None:
    ds = ws.sql("select k, count(s) as n from u group by k", name="out")
    assert sources(ds, "u") == [((1, 2), [0, 1]), ((3, 0), [2]), ((4, 1), [4]), ((None, 1), [3])]


def test_padded_rows_inside_an_aggregate_contribute_their_left_side_alone(ws: "Workspace") -> None:
    ds = ws.sql(
        "select count(*) as n, count(u.s) as m from t left join u on t.k = u.k group by t.k is null", name="out"
    )
    assert sources(ds, "t") == [((1, 0), [3]), ((6, 4), [0, 1, 2, 4])]
    assert sources(ds, "u") == [((1, 0), []), ((6, 4), [0, 1, 2])]


def test_distinct_takes_all_equal_rows(ws: "Workspace") -> None:
    ds = ws.sql("select distinct x from t", name="out")
    assert sources(ds, "t") == [((10,), [0, 4]), ((20,), [1]), ((30,), [2]), ((40,), [3])]


def test_union_takes_all_equal_rows_of_both_sides(ws: "Workspace") -> None:
    ds = ws.sql("select k from t union select k from u", name="out")
    assert sources(ds, "t") == [((1,), [0, 1]), ((2,), [2]), ((3,), [4]), ((4,), []), ((None,), [3])]
    assert sources(ds, "u") == [((1,), [0, 1]), ((2,), []), ((3,), [2]), ((4,), [4]), ((None,), [3])]


def test_union_all_takes_the_row_of_its_branch(ws: "Workspace") -> None:
    ds = ws.sql("select k from t where k = 3 union all select k from u where k = 3", name="out")
    both = [[ds.lineage.backward([n], to=table).ids.tolist() for table in ("t", "u")] for n in range(ds.count)]
    assert sorted(both) == [[[], [2]], [[4], []]]


def test_aggregate_without_rows_comes_from_nowhere(ws: "Workspace") -> None:
    ds = ws.sql("select count(*) as n, sum(x) as s from t where x > 1000", name="out")
    assert sources(ds, "t") == [((0, None), [])]


def test_lineage_passes_through_kept_datasets(ws: "Workspace") -> None:
    ws.sql("select k, sum(x) as s from t group by k", name="sums")
    ds = ws.sql("select distinct s > 25 as big from sums", name="out")
    assert sources(ds, "t") == [((False,), [4]), ((True,), [0, 1, 2, 3])]
    assert ws["t"].lineage.forward([4], to="out").ids.tolist() == [values(ds).index((False,))]


def test_forward_reaches_every_row_a_source_row_took_part_in(ws: "Workspace") -> None:
    ds = ws.sql("select u.s, t.x from u join t on u.k = t.k", name="out")
    reached = ws["u"].lineage.forward([1], to="out").ids.tolist()
    assert sorted(values(ds)[n] for n in reached) == [("b", 10), ("b", 20)]
    assert ws["u"].lineage.forward([4], to="out").ids.tolist() == []


def test_semi_join_takes_the_left_row_and_every_match(ws: "Workspace") -> None:
    ds = ws.sql("select x from t where exists (select 1 from u where u.k = t.k)", name="out")
    assert sources(ds, "t") == [((10,), [0]), ((10,), [4]), ((20,), [1])]
    assert sources(ds, "u") == [((10,), [0, 1]), ((10,), [2]), ((20,), [0, 1])]


def test_anti_join_takes_the_left_row_alone(ws: "Workspace") -> None:
    ds = ws.sql("select t.x from t left anti join u on t.k = u.k", name="out")
    assert sources(ds, "t") == [((30,), [2]), ((40,), [3])]
    assert sources(ds, "u") == [((30,), []), ((40,), [])]


def test_full_join_pads_either_side_with_nothing(ws: "Workspace") -> None:
    ds = ws.sql("select t.x, u.s from t full join u on t.k = u.k and t.k = 3", name="out")
    assert [row for row in sources(ds, "t") if row[1] == []] == [
        ((None, "a"), []),
        ((None, "b"), []),
        ((None, "c"), []),
        ((None, "d"), []),
    ]
    assert [row for row in sources(ds, "u") if row[1] != []] == [
        ((10, None), [2]),
        ((None, "a"), [0]),
        ((None, "b"), [1]),
        ((None, "c"), [3]),
        ((None, "d"), [4]),
    ]


def test_intersect_takes_equal_rows_of_both_sides_and_except_those_of_the_left(ws: "Workspace") -> None:
    both = ws.sql("select k from t intersect select k from u", name="both")
    assert sources(both, "t") == [((1,), [0, 1]), ((3,), [4]), ((None,), [3])]
    assert sources(both, "u") == [((1,), [0, 1]), ((3,), [2]), ((None,), [3])]
    left = ws.sql("select x from t except select 20 + u.k from u", name="left_only")
    assert sources(left, "t") == [((10,), [0, 4]), ((20,), [1]), ((30,), [2]), ((40,), [3])]


def test_filter_clause_limits_the_cell_and_not_the_row(ws: "Workspace") -> None:
    ds = ws.sql("select count(*) as n, sum(x) filter (where x > 15) as big from t where k = 1", name="out")
    assert sources(ds, "t") == [((2, 20), [0, 1])]
    gave = [(ref.row, ref.column) for ref in ds.lineage.cell(0, "big") if ref.role == "aggregated"]
    assert gave == [(1, "x")]


def test_having_a_scalar_subquery_shows_no_column_of_it(ws: "Workspace") -> None:
    rich = "select k, sum(x) as n from t group by k having sum(x) > (select avg(x) from t)"
    ds = ws.sql(f"{rich} order by n", name="out")
    assert ds.lineage.exact
    assert sources(ds, "t") == [((1, 30), [0, 1]), ((2, 30), [2]), ((None, 40), [3])]
    both = ws.sql(f"({rich}) union all select k, x from t where x > (select 30)", name="both")
    assert sources(both, "t") == [((1, 30), [0, 1]), ((2, 30), [2]), ((None, 40), [3]), ((None, 40), [3])]


def test_what_a_subquery_was_found_by_decides_and_does_not_contribute(ws: "Workspace") -> None:
    lower = "select k, x, (select min(a.k) from t a where a.x < t.x) as m from t"
    found = f"select k, x, m, (select max(s) from u where u.k = m) as s from ({lower})"
    ds = ws.sql(f"select x, max(s) over (partition by k) as top from ({found})", name="out")
    assert sources(ds, "t") == [
        ((10, "b"), [0, 1]),
        ((10, None), [4]),
        ((20, "b"), [0, 1]),
        ((30, "b"), [2]),
        ((40, "b"), [3]),
    ]
    assert [ids for _, ids in sources(ds, "u")] == [[0, 1], [], [0, 1], [0, 1], [0, 1]]
    both = ws.sql(f"select x, m, max(s) over (partition by k) as top from ({found})", name="both")
    assert [ids for _, ids in sources(both, "t")] == [[0, 1], [4], [0, 1, 4], [0, 1, 2, 4], [0, 1, 2, 3, 4]]
