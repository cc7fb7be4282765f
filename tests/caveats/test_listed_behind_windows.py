"""Behind a value that a window or a subquery read stand the caveats of what it read, and of what decided about that."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from whence import Dataset, Workspace

CAVEATS = [(0, "x"), (1, "y"), (3, "x"), (5, "g")]


@pytest.fixture
def ws(ws: "Workspace") -> "Workspace":
    rows = [(n, n // 3, 10 * n, n) for n in range(6)]
    told = [(row, column, f"{column}{row}") for row, column in CAVEATS]
    ws.create("t", rows, schema="id int, g int, x int, y int", cell_caveats=told, row_caveats=[(4, "row4")])
    ws.create(
        "u",
        [(n, n % 2, n) for n in range(4)],
        schema="id int, k int, z int",
        cell_caveats=[(2, "z", "z2"), (3, "k", "k3")],
    )
    return ws


def messages(ds: "Dataset", row: int, column: str) -> set[str]:
    groups = ds.caveats.list(row=row, column=column)
    return {reference.message for group in groups for reference in group.references}


def test_a_window_value_has_the_caveats_of_its_frame_and_of_the_keys(ws: "Workspace") -> None:
    frame = "rows between 1 preceding and current row"
    ds = ws.sql(f"select id, x, y, sum(x) over (partition by g order by id {frame}) s from t order by id", name="out")
    # Which rows are in a partition hangs on the one doubtful key, and on the row that might be absent.
    assert messages(ds, 1, "s") == {"x0", "g5", "row4"}
    assert messages(ds, 2, "s") == {"g5", "row4"}
    assert messages(ds, 3, "s") == {"x3", "g5", "row4"}
    assert messages(ds, 1, "y") == {"y1"}
    assert messages(ds, 0, "x") == {"x0"}


def test_a_window_over_certain_keys_has_the_caveats_of_its_frame_alone(ws: "Workspace") -> None:
    ws.create(
        "v", [(n, 10 * n) for n in range(6)], schema="id int, x int", cell_caveats=[(n, "x", f"x{n}") for n in (0, 3)]
    )
    ds = ws.sql(
        "select id, lag(x) over (order by id) as before, first_value(x) over (order by id) as first from v order by id"
    )
    assert [messages(ds, row, "before") for row in range(6)] == [set(), {"x0"}, set(), set(), {"x3"}, set()]
    assert messages(ds, 2, "first") >= {"x0"}


def test_a_subquery_value_has_the_caveats_of_its_rows_and_of_its_conditions(ws: "Workspace") -> None:
    ds = ws.sql("select id, y, (select sum(z) from u where u.k = t.g and u.id > 0) s from t order by id", name="out")
    assert messages(ds, 0, "s") == {"z2", "k3", "g5"}
    assert messages(ds, 3, "s") == {"k3", "g5"}
    assert messages(ds, 1, "y") == {"y1"}


def test_a_filter_by_a_window_lists_what_may_decide(ws: "Workspace") -> None:
    ranked = "select id, y, row_number() over (partition by g order by x) as n from t"
    ds = ws.sql(f"select id, y from ({ranked}) where n <= 2 order by id", name="out")
    assert {message for group in ds.caveats.list() for message in group.messages} == {"x0", "x3", "y1", "g5", "row4"}


def test_what_a_query_raises_below_a_window_is_found_behind_its_values(ws: "Workspace") -> None:
    raised = "select id, caveat_if(x, id = 2, 'odd') as x, g from u2"
    ws.create("u2", [(n, 10 * n, n // 3) for n in range(6)], schema="id int, x int, g int")
    ds = ws.sql(f"select id, sum(x) over (partition by g) s from ({raised}) order by id", name="out")
    assert ds.caveats.marks().column("s").to_pylist() == [True] * 3 + [False] * 3
    assert [messages(ds, row, "s") for row in (0, 4)] == [{"odd"}, set()]
