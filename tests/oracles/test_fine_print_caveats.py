"""Which cells and rows are in doubt, rule by rule, on tables small enough to read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tests.oracles.reading import marked

if TYPE_CHECKING:
    from whence import Dataset, Workspace

WHY = "could be anything"


def table(ws: "Workspace", cells: Sequence[tuple[int, str]] = (), rows: Sequence[int] = ()) -> None:
    """t with some cells and rows in doubt."""
    ws.create(
        "t",
        [(0, 1, 10), (1, 1, 20), (2, 2, 30), (3, None, 40)],
        schema="id int, k int, x int",
        cell_caveats=[(row, column, WHY) for row, column in cells],
        row_caveats=[(row, WHY) for row in rows],
    )


def answer(ws: "Workspace", sql: str) -> "Dataset":
    return ws.sql(sql, name="out")


def test_doubt_stays_with_cells_that_read_the_doubtful_one(ws: "Workspace") -> None:
    table(ws, cells=[(1, "x")], rows=[2])
    ds = answer(ws, "select id, k, x + 1 as y from t")
    assert marked(ds) == {(0, 1, 11): set(), (1, 1, 21): {"y"}, (2, 2, 31): {"_row"}, (3, None, 41): set()}
    assert not ds.caveats.row_set


def test_doubtful_filter_marks_kept_rows_and_the_row_set(ws: "Workspace") -> None:
    table(ws, cells=[(1, "x"), (2, "x")])
    ds = answer(ws, "select id from t where x <= 20")
    assert marked(ds) == {(0,): set(), (1,): {"_row"}}
    assert ds.caveats.row_set


def test_filter_on_certain_cells_leaves_the_row_set_alone(ws: "Workspace") -> None:
    table(ws, cells=[(1, "x")], rows=[0])
    ds = answer(ws, "select id, x from t where k = 1")
    assert marked(ds) == {(0, 10): {"_row"}, (1, 20): {"x"}}
    assert not ds.caveats.row_set


def test_certain_false_settles_and_certain_true_settles_or(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x"), (2, "x")])
    ds = answer(ws, "select id, k = 1 and x > 15 as both, k = 1 or x > 15 as one from t")
    assert marked(ds) == {
        (0, False, True): {"both"},
        (1, True, True): set(),
        (2, False, True): {"one"},
        (3, None, True): set(),
    }


def test_certain_null_settles_nothing(ws: "Workspace") -> None:
    table(ws, cells=[(3, "x")])
    ds = answer(ws, "select id, k = 1 and x > 15 as both, k = 1 or x > 15 as one from t where id = 3")
    assert marked(ds) == {(3, None, True): {"both", "one"}}


def test_case_is_settled_by_the_first_certain_branch(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x"), (2, "x")])
    ds = answer(ws, "select id, case when k = 1 then 'one' when x > 5 then 'big' else 'small' end as c from t")
    assert marked(ds) == {(0, "one"): set(), (1, "one"): set(), (2, "big"): {"c"}, (3, "big"): set()}


def test_case_without_else_and_if_follow_the_branch_taken(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x"), (3, "x")])
    ds = answer(ws, "select id, case when k = 1 then x end as c, if(k = 1, 0, x) as i from t where id in (0, 3)")
    assert marked(ds) == {(0, 10, 0): {"c"}, (3, None, 40): {"i"}}


def test_coalesce_stops_at_the_first_certain_value(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x"), (3, "x"), (2, "k")])
    ds = answer(ws, "select id, coalesce(k, x) as c, x is null as n from t")
    assert marked(ds) == {(0, 1, False): {"n"}, (1, 1, False): set(), (2, 2, False): {"c"}, (3, 40, False): {"c", "n"}}


def test_doubtful_join_key_marks_what_it_met_and_the_row_set(ws: "Workspace") -> None:
    table(ws, cells=[(0, "k")])
    ws.create("u", [(1, "a"), (2, "b")], schema="k int, s string")
    ds = answer(ws, "select t.id, u.s from t join u on t.k = u.k")
    assert marked(ds) == {(0, "a"): {"_row"}, (1, "a"): set(), (2, "b"): set()}
    assert ds.caveats.row_set


def test_padded_row_is_in_doubt_if_a_match_could_come(ws: "Workspace") -> None:
    table(ws)
    ws.create("u", [(1, "a"), (7, "b")], schema="k int, s string", cell_caveats=[(1, "k", WHY)])
    ds = answer(ws, "select t.id, u.s from t left join u on t.k = u.k")
    assert marked(ds) == {(0, "a"): set(), (1, "a"): set(), (2, None): {"_row"}, (3, None): set()}
    assert ds.caveats.row_set


def test_row_that_could_lose_its_only_match_could_come_padded(ws: "Workspace") -> None:
    table(ws)
    ws.create("u", [(1, "a")], schema="k int, s string", row_caveats=[(0, WHY)])
    ds = answer(ws, "select t.id, u.s from t left join u on t.k = u.k")
    assert marked(ds) == {(0, "a"): {"_row"}, (1, "a"): {"_row"}, (2, None): set(), (3, None): set()}
    assert ds.caveats.row_set


def test_union_all_keeps_doubt_in_its_branch(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x")], rows=[1])
    ds = answer(ws, "select id, x from t union all select id + 10, k from t")
    assert marked(ds) == {
        (0, 10): {"x"},
        (1, 20): {"_row"},
        (2, 30): set(),
        (3, 40): set(),
        (10, 1): set(),
        (11, 1): {"_row"},
        (12, 2): set(),
        (13, None): set(),
    }
    assert not ds.caveats.row_set


def test_sort_moves_rows_and_no_doubt(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x")])
    ds = answer(ws, "select id, x from t order by x desc")
    assert marked(ds) == {(0, 10): {"x"}, (1, 20): set(), (2, 30): set(), (3, 40): set()}
    assert not ds.caveats.row_set


def test_limit_on_a_doubtful_order_doubts_what_could_fall_out(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x")])
    ds = answer(ws, "select id, x from t order by x desc, id limit 2")
    doubts = marked(ds)
    assert doubts[2, 30] == {"_row"}
    assert ds.caveats.row_set


def test_limit_in_a_certain_order_over_certain_rows_is_certain(ws: "Workspace") -> None:
    table(ws, cells=[(0, "x")])
    ds = answer(ws, "select id, x from t order by id limit 2")
    assert marked(ds) == {(0, 10): {"x"}, (1, 20): set()}
    assert not ds.caveats.row_set


def test_doubt_passes_through_kept_datasets(ws: "Workspace") -> None:
    table(ws, cells=[(1, "x")])
    ws.sql("select id, k, x + 1 as y from t", name="kept")
    ds = answer(ws, "select id, y > 5 as big, k from kept where k = 1")
    assert marked(ds) == {(0, True, 1): set(), (1, True, 1): {"big"}}


def test_aggregate_over_a_kept_dataset_that_could_gain_rows_is_in_doubt(ws: "Workspace") -> None:
    table(ws, cells=[(1, "x")])
    kept = ws.sql("select id, k, x from t where x > 25", name="kept")
    assert kept.caveats.row_set
    ds = answer(ws, "select count(*) as n from kept")
    assert marked(ds) == {(2,): {"n"}}


def test_row_kept_by_exists_is_certain_with_one_certain_match(ws: "Workspace") -> None:
    table(ws)
    ws.create("u", [(1,), (1,), (2,)], schema="k int", row_caveats=[(0, WHY), (2, WHY)])
    ds = answer(ws, "select id from t where exists (select 1 from u where u.k = t.k)")
    assert marked(ds) == {(0,): set(), (1,): set(), (2,): {"_row"}}
    assert not ds.caveats.row_set


def test_row_kept_for_want_of_a_match_is_in_doubt_if_one_could_come(ws: "Workspace") -> None:
    table(ws)
    ws.create("u", [(1,), (7,)], schema="k int", cell_caveats=[(1, "k", WHY)])
    ds = answer(ws, "select id from t left anti join u on t.k = u.k")
    assert marked(ds) == {(2,): {"_row"}, (3,): set()}
    assert not ds.caveats.row_set


def test_row_whose_only_match_could_go_might_come_into_an_anti_join(ws: "Workspace") -> None:
    table(ws)
    ws.create("u", [(1,), (2,)], schema="k int", row_caveats=[(1, WHY)])
    ds = answer(ws, "select id from t left anti join u on t.k = u.k")
    assert marked(ds) == {(3,): set()}
    assert ds.caveats.row_set


def test_except_doubts_what_the_right_side_could_take_away(ws: "Workspace") -> None:
    table(ws)
    ws.create("u", [(7,)], schema="k int", cell_caveats=[(0, "k", WHY)])
    ds = answer(ws, "select k from t except select k from u")
    assert marked(ds) == {(1,): {"_row"}, (2,): {"_row"}, (None,): {"_row"}}
    assert not ds.caveats.row_set
