"""Doubt in groups and distinct rows: support, moving keys, removed rows, rows over everything."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import marked

if TYPE_CHECKING:
    from whence import Dataset, Workspace

WHY = "could be anything"


def table(ws: "Workspace", cells: Sequence[tuple[int, str]] = (), rows: Sequence[int] = ()) -> None:
    """t with some cells and rows in doubt: two rows of group 1, one each of groups 2 and NULL."""
    ws.create(
        "t",
        [(0, 1, 10), (1, 1, 20), (2, 2, 30), (3, None, None)],
        schema="id int, k int, x int",
        cell_caveats=[(row, column, WHY) for row, column in cells],
        row_caveats=[(row, WHY) for row in rows],
    )


def answer(ws: "Workspace", sql: str) -> "Dataset":
    return ws.sql(sql, name="out")


def test_certain_row_supports_its_group(ws: "Workspace") -> None:
    table(ws, rows=[0, 2])
    ds = answer(ws, "select k, count(*) as n from t group by k")
    doubts = marked(ds)
    assert "_row" in doubts.pop((2, 1))
    assert doubts == {(1, 2): {"n"}, (None, 1): set()}
    assert not ds.caveats.row_set


def test_certain_row_supports_a_distinct_value(ws: "Workspace") -> None:
    table(ws, rows=[0, 2])
    ds = answer(ws, "select distinct k from t")
    assert marked(ds) == {(1,): set(), (2,): {"_row"}, (None,): set()}
    assert not ds.caveats.row_set


def test_doubtful_key_marks_every_group_and_the_row_set(ws: "Workspace") -> None:
    table(ws, cells=[(0, "k")])
    ds = answer(ws, "select k, count(*) as n, sum(x) as s from t group by k")
    assert marked(ds) == {(1, 2, 30): {"n", "s"}, (2, 1, 30): {"n", "s"}, (None, 1, None): {"n", "s"}}
    assert ds.caveats.row_set


def test_doubtful_distinct_value_is_a_doubtful_row_and_never_a_doubtful_cell(ws: "Workspace") -> None:
    table(ws, cells=[(0, "k"), (2, "k")])
    ds = answer(ws, "select distinct k from t")
    assert marked(ds) == {(1,): set(), (2,): {"_row"}, (None,): set()}
    assert ds.caveats.row_set


def test_doubtful_argument_marks_its_group_alone(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x")])
    ds = answer(
        ws, "select k, count(*) as n, count(x) as c, sum(x) as s, min(x) as low, max(x) as high from t group by k"
    )
    assert marked(ds) == {
        (1, 2, 2, 30, 10, 20): {"c", "s", "low", "high"},
        (2, 1, 1, 30, 30, 30): set(),
        (None, 1, 0, None, None, None): set(),
    }
    assert not ds.caveats.row_set


def test_doubtful_row_changes_every_count_of_its_group(ws: "Workspace") -> None:
    table(ws, rows=[0])
    ds = answer(ws, "select k, count(*) as n, count(x) as c, sum(x) as s from t group by k")
    assert marked(ds)[1, 2, 2, 30] == {"n", "c", "s"}


def test_row_a_doubtful_filter_removed_makes_its_group_suspect(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x")])
    ds = answer(ws, "select k, count(*) as n from t where x > 15 group by k")
    assert marked(ds) == {(1, 1): {"n"}, (2, 1): set()}
    assert ds.lineage.backward([0, 1], to="t").ids.tolist() == [1, 2]


def test_group_that_a_removed_row_could_open_is_a_doubt_about_the_row_set(ws: "Workspace") -> None:
    table(ws, cells=[(2, "x")])
    ds = answer(ws, "select k, count(*) as n from t where x < 25 group by k")
    assert marked(ds) == {(1, 2): set()}
    assert ds.caveats.row_set


def test_doubtful_having_marks_the_groups_it_could_drop(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x")])
    ds = answer(ws, "select k, count(*) as n from t group by k having sum(x) >= 30")
    assert marked(ds) == {(1, 2): {"_row"}, (2, 1): set()}
    assert not ds.caveats.row_set


def test_row_over_everything_is_certain(ws: "Workspace") -> None:
    table(ws, rows=[0, 1, 2, 3])
    ds = answer(ws, "select count(*) as n, count(x) as c, sum(x) as s from t")
    assert marked(ds) == {(4, 3, 60): {"n", "c", "s"}}
    assert not ds.caveats.row_set


def test_count_of_rows_ignores_doubtful_cells_and_count_of_values_does_not(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x")])
    ds = answer(ws, "select count(*) as n, count(x) as c, count(k) as k from t")
    assert marked(ds) == {(4, 3, 3): {"c"}}


def test_count_of_zero_may_be_wrong(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x")])
    ds = answer(ws, "select count(*) as n, sum(x) as s from t where x > 1000")
    assert marked(ds) == {(0, None): {"n", "s"}}
    assert not ds.caveats.row_set


def test_empty_input_without_doubt_is_certain(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x")])
    ds = answer(ws, "select count(*) as n, sum(x) as s from t where id > 1000")
    assert marked(ds) == {(0, None): set()}


def test_supporting_row_with_a_doubtful_join_partner_supports_nothing(ws: "Workspace") -> None:
    table(ws)
    ws.create("u", [(1, "a"), (2, "b")], schema="k int, s string", row_caveats=[(1, WHY)])
    ds = answer(ws, "select t.k, count(*) as n from t join u on t.k = u.k group by t.k")
    doubts = marked(ds)
    assert "_row" in doubts.pop((2, 1))
    assert doubts == {(1, 2): set()}


def test_minimum_is_certain_while_no_doubtful_row_goes_beyond_the_certain_ones(ws: "Workspace") -> None:
    rows = [("a", 1), ("a", 5), ("b", 2), ("b", 7), ("c", 3), ("c", 3), ("d", 4), ("d", None)]
    ws.create(
        "m",
        rows,
        schema="g string, v int",
        row_caveats=[(1, "may go"), (2, "may go"), (4, "may go"), (7, "may go")],
    )
    ds = ws.sql("select g, min(v) lo, max(v) hi, min(v) filter (where v > 2) some from m group by g", name="out")
    assert marked(ds) == {
        ("a", 1, 5, 5): {"hi", "some"},
        ("b", 2, 7, 7): {"lo"},
        ("c", 3, 3, 3): set(),
        ("d", 4, 4, 4): set(),
    }


@pytest.mark.parametrize(
    "stays",
    [
        "case when id < 2 then 'a' else 'b' end",
        "array(id < 2)",  # no number stands for it
        "case when id in (0, 2) then upper('a') else 'a' end collate utf8_lcase",
    ],
)
def test_a_row_moves_only_to_groups_that_agree_on_the_keys_that_stay(ws: "Workspace", stays: str) -> None:
    table(ws, cells=[(0, "k")])
    ds = answer(ws, f"select min(id) as first, k, count(*) as n from (select *, {stays} as g from t) group by g, k")
    within = {0, 2, 3} if "collate" in stays else {0}
    assert {first for (first, _, _), columns in marked(ds).items() if "n" in columns} == within
    assert ds.caveats.row_set


def two_keys(ws: "Workspace") -> None:
    """w with keys a, b, c: b in doubt in rows 0 and 4, c in rows 1 and 4; NULL and NaN are keys too."""
    nan = float("nan")
    ws.create(
        "w",
        [(0, "p", 1, nan), (1, "p", 1, 2.0), (2, "p", None, nan), (3, "p", 3, 4.0), (4, "q", 5, 6.0), (5, "r", 5, 6.0)],
        schema="id int, a string, b int, c double",
        cell_caveats=[(0, "b", WHY), (1, "c", WHY), (4, "b", WHY), (4, "c", WHY)],
    )


GROUPED = "select a, b, c, min(id) as id, count(distinct id) as n from w group by a, b, c"


def doubted(ds: "Dataset", column: str = "n") -> dict[int, bool]:
    return dict(zip(ds.rows(0, ds.count)["id"].to_pylist(), ds.caveats.marks()[column].to_pylist(), strict=True))


def test_rows_with_two_doubtful_keys_move_where_the_others_agree(ws: "Workspace") -> None:
    two_keys(ws)
    ds = answer(ws, GROUPED)
    # Row 0 might join the group of row 2, which shows the same c; row 1 that of row 0, which shows the same b. Nobody
    # can come to row 3, and row 4 is alone in `q`: it can only leave.
    assert doubted(ds) == {0: True, 1: False, 2: True, 3: False, 4: False, 5: False}
    assert doubted(ds, "_row") == {0: True, 1: True, 2: False, 3: False, 4: True, 5: False}
    assert ds.caveats.row_set
    assert [ds.lineage.backward([row], to="w").ids.tolist() for row in range(6)] == [[id] for id in doubted(ds)]


@pytest.mark.parametrize("above", ["limit 6", "having count(*) > 0 limit 6", "order by n desc limit 6"])
def test_a_limit_over_moving_groups_keeps_real_ones_alone(ws: "Workspace", above: str) -> None:
    two_keys(ws)
    ds = answer(ws, f"{GROUPED} {above}")
    assert sorted(doubted(ds)) == [0, 1, 2, 3, 4, 5]
    assert all(mark for row, mark in doubted(ds).items() if row in (0, 2))
    assert doubted(ds)[5] is False
    assert all(doubted(ds, "_row").values())
    assert ds.caveats.row_set
    assert sorted(ds.lineage.backward(range(6), to="w").ids.tolist()) == [0, 1, 2, 3, 4, 5]


def test_a_group_of_absent_rows_alone_can_be_where_others_move_to(ws: "Workspace") -> None:
    two_keys(ws)
    ds = answer(ws, "select b, count(*) as n, min(id) as id from w where caveat_if(id > 3, id = 3, 'why') group by b")
    # What is left are rows 4 and 5 of group 5, and row 3 as a ghost: row 4 might leave, and row 3 open a group.
    assert doubted(ds) == {4: True}
    assert ds.caveats.row_set


def test_a_group_under_a_collation_shows_the_text_of_some_row(ws: "Workspace") -> None:
    """Without row 0 the group of `A` and `a` shows another text, though its key is the same."""
    ws.create("c", [("A",), ("a",), ("b",)], schema="s string", row_caveats=[(0, WHY)])
    ds = answer(ws, "select s collate utf8_lcase as k, count(*) as n from c group by 1")
    assert ds.count == 2
    assert all("k" in columns for columns in marked(ds).values())
    certain = answer(ws, "select s as k, count(*) as n from c group by 1")
    assert not any("k" in columns for columns in marked(certain).values())


def test_a_group_under_a_collation_never_shows_the_text_of_an_absent_row(ws: "Workspace") -> None:
    ws.create("c", [("A", 0), ("a", 1), ("b", 1)], schema="s string, v int", cell_caveats=[(0, "v", WHY)])
    ds = answer(ws, "select s collate utf8_lcase as k, count(*) as n from c where v > 0 group by 1")
    assert marked(ds) == {("a", 1): {"k", "n"}, ("b", 1): {"k", "n"}}
    assert ds.caveats.row_set
