"""One small table per operator: its rows, where each came from, and what is in doubt, as the rules say in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

import whence


@dataclass(frozen=True)
class Case:
    """A query over t(k, x) and u(k, y); each expected row with the rows of t and u behind it."""

    name: str
    sql: str
    expected: list[tuple[tuple[object, ...], list[int], list[int]]]


T = [("a", 1), ("b", 2), ("a", None), ("c", 5)]
U = [("a", 1), ("d", 2), ("a", 7), (None, 5)]

CASES = [
    Case(
        "right join pads the left side with nothing",
        "select t.x, u.y from t right join u on t.k = u.k and t.x = u.y",
        [((1, 1), [0], [0]), ((None, 2), [], [1]), ((None, 7), [], [2]), ((None, 5), [], [3])],
    ),
    Case(
        "full join keeps the unmatched rows of both sides",
        "select t.k, u.k from t full join u on t.x = u.y",
        [
            (("a", "a"), [0], [0]),
            (("b", "d"), [1], [1]),
            (("a", None), [2], []),
            (("c", None), [3], [3]),
            ((None, "a"), [], [2]),
        ],
    ),
    Case(
        "semi join gives the left row and all its matches",
        "select t.k, t.x from t left semi join u on t.k = u.k",
        [(("a", 1), [0], [0, 2]), (("a", None), [2], [0, 2])],
    ),
    Case(
        "anti join gives the left row alone",
        "select t.k from t left anti join u on t.k = u.k",
        [(("b",), [1], []), (("c",), [3], [])],
    ),
    Case(
        "IN is a semi join",
        "select x from t where k in (select k from u where y > 1)",
        [((1,), [0], [2]), ((None,), [2], [2])],
    ),
    Case(
        "NOT IN with a NULL in the list keeps nothing",
        "select x from t where k not in (select k from u)",
        [],
    ),
    Case(
        "NOT EXISTS is an anti join",
        "select x from t where not exists (select 1 from u where u.k = t.k)",
        [((2,), [1], []), ((5,), [3], [])],
    ),
    Case(
        "EXISTS inside a larger condition still names its matches",
        "select x from t where x = 5 or exists (select 1 from u where u.k = t.k and u.y > 1)",
        [((1,), [0], [2]), ((None,), [2], [2]), ((5,), [3], [])],
    ),
    Case(
        "a scalar subquery that is shown contributes its rows",
        "select x, (select max(y) from u where k = 'a') m from t where x > 1",
        [((2, 7), [1], [0, 2]), ((5, 7), [3], [0, 2])],
    ),
    Case(
        "a scalar subquery in a filter only influences",
        "select x from t where x > (select min(y) from u)",
        [((2,), [1], []), ((5,), [3], [])],
    ),
    Case(
        "a correlated scalar subquery contributes the rows that agree",
        "select x, (select max(y) from u where u.k = t.k) m from t",
        [((1, 7), [0], [0, 2]), ((2, None), [1], []), ((None, 7), [2], [0, 2]), ((5, None), [3], [])],
    ),
    Case(
        "a correlated count of nothing is 0 and comes from the row alone",
        "select x, (select count(*) from u where u.k = t.k) n from t where x > 0",
        [((1, 2), [0], [0, 2]), ((2, 0), [1], []), ((5, 0), [3], [])],
    ),
    Case(
        "a correlated scalar subquery by comparison contributes the rows it compares",
        "select x, (select count(*) from u where u.y < t.x) n from t",
        [((1, 0), [0], []), ((2, 1), [1], [0]), ((None, 0), [2], []), ((5, 2), [3], [0, 1])],
    ),
    Case(
        "a correlated scalar subquery in a filter only influences",
        "select x from t where x < (select max(y) from u where u.k = t.k)",
        [((1,), [0], [])],
    ),
    Case(
        "a scalar subquery that only a filter around it uses influences",
        "select x from (select x, (select max(y) from u where u.k = t.k) m from t) where m > x",
        [((1,), [0], [])],
    ),
    Case(
        "subqueries inside subqueries are followed",
        "select x from t where k in (select k from u where y >= (select max(x) from t t2 where t2.k = u.k))",
        [((1,), [0], [0, 2]), ((None,), [2], [0, 2])],
    ),
    Case(
        "a lateral join gives the row of each side",
        "select x, y from t, lateral (select y from u where u.k = t.k and u.y > 1) v",
        [((1, 7), [0], [2]), ((None, 7), [2], [2])],
    ),
    Case(
        "a lateral aggregate gives the row and what it gathered",
        "select x, n from t, lateral (select count(*) n from u where u.k = t.k) v where x > 0",
        [((1, 2), [0], [0, 2]), ((2, 0), [1], []), ((5, 0), [3], [])],
    ),
    Case(
        "a running total comes from the rows up to it",
        "select x, sum(x) over (order by x) s from t where x > 0",
        [((1, 1), [0], []), ((2, 3), [0, 1], []), ((5, 8), [0, 1, 3], [])],
    ),
    Case(
        "count(*) over everything comes from everything",
        "select x, count(*) over () n from t where x > 1",
        [((2, 2), [1, 3], []), ((5, 2), [1, 3], [])],
    ),
    Case(
        "ranks come from the rows before, peers left out",
        "select k, rank() over (order by k) r from t",
        [(("a", 1), [0], []), (("a", 1), [2], []), (("b", 3), [0, 1, 2], []), (("c", 4), [0, 1, 2, 3], [])],
    ),
    Case(
        "percent_rank divides by the size of the partition and reads all of it",
        "select x, percent_rank() over (order by x) r from t where x > 1",
        [((2, 0.0), [1, 3], []), ((5, 1.0), [1, 3], [])],
    ),
    Case(
        "lag comes from the row it reads",
        "select x, lag(x, 2) over (order by x) p from t where x > 0",
        [((1, None), [0], []), ((2, None), [1], []), ((5, 1), [0, 3], [])],
    ),
    Case(
        "last_value that skips NULLs comes from the row it found",
        "select x, last_value(x) ignore nulls over (partition by k order by x nulls last rows unbounded preceding) v "
        "from t where k = 'a'",
        [((1, 1), [0], []), ((None, 1), [0, 2], [])],
    ),
    Case(
        "a range of sort keys gives the rows within it",
        "select y, count(*) over (order by y range between 1 preceding and 3 following) n from u",
        [((1, 2), [], [0, 1]), ((2, 3), [], [0, 1, 3]), ((5, 2), [], [2, 3]), ((7, 1), [], [2])],
    ),
    Case(
        "a window that only a filter uses influences",
        "select k, x from (select *, row_number() over (partition by k order by x nulls last) n from t) where n = 2",
        [(("a", None), [2], [])],
    ),
    Case(
        "a window that is shown contributes rows that a filter drops",
        "select k, n from (select *, row_number() over (partition by k order by x nulls last) n from t) where n = 2",
        [(("a", 2), [0, 2], [])],
    ),
    Case(
        "windows under a group-by contribute to the group",
        "select k, max(s) m from (select k, sum(x) over (order by x) s, x from t where x > 0) where x > 1 group by k",
        [(("b", 3), [0, 1], []), (("c", 8), [0, 1, 3], [])],
    ),
    Case(
        "windows over a join read both sides",
        "select x, y, lag(y) over (order by y, x nulls last) p from t join u on t.k = u.k where y > 1",
        [((1, 7, None), [0], [2]), ((None, 7, 7), [0, 2], [2])],
    ),
    Case(
        "two windows of one query read rows, not each other",
        "select x, lag(x) over (order by x) a, lead(x) over (order by -x) b from t where x > 0",
        [((1, None, None), [0], []), ((2, 1, 1), [0, 1], []), ((5, 2, 2), [1, 3], [])],
    ),
    Case(
        "a window over a window follows it down",
        "select x, lag(a) over (order by x) b from (select x, lag(x) over (order by x) a from t where x > 0)",
        [((1, None), [0], []), ((2, None), [0, 1], []), ((5, 1), [0, 1, 3], [])],
    ),
    Case(
        "INTERSECT ALL gives one left row each and every equal right row",
        "select k from t where k = 'a' intersect all select k from u",
        [(("a",), [0], [0, 2]), (("a",), [2], [0, 2])],
    ),
    Case(
        "EXCEPT ALL gives one left row each",
        "select k from t where k <> 'a' except all select k from u",
        [(("b",), [1], []), (("c",), [3], [])],
    ),
    Case(
        "INTERSECT gives every equal row of both sides",
        "select k from t intersect select k from u",
        [(("a",), [0, 2], [0, 2])],
    ),
    Case(
        "EXCEPT gives every equal row of the left side",
        "select k from t except select k from u where k <> 'a'",
        [(("a",), [0, 2], []), (("b",), [1], []), (("c",), [3], [])],
    ),
    Case(
        "explode gives the row that was taken apart",
        "select k, z from t lateral view explode(array(x, 9)) v as z where x < 5",
        [(("a", 1), [0], []), (("a", 9), [0], []), (("b", 2), [1], []), (("b", 9), [1], [])],
    ),
    Case(
        "rows that stand in the query come from nowhere",
        "select t.x, v.n from t join values (1, 'one'), (5, 'five') as v(x, n) on t.x = v.x",
        [((1, "one"), [0], []), ((5, "five"), [3], [])],
    ),
    Case(
        "numbers made by the query come from nowhere",
        "select id, k from range(6) join t on id = x",
        [((1, "a"), [0], []), ((2, "b"), [1], []), ((5, "c"), [3], [])],
    ),
    Case(
        "ROLLUP gives each group the rows of its own set",
        "select k, sum(x) s from t where x > 0 group by rollup(k)",
        [(("a", 1), [0], []), (("b", 2), [1], []), (("c", 5), [3], []), ((None, 8), [0, 1, 3], [])],
    ),
    Case(
        "UNPIVOT gives the row each value stood in",
        "select c, v from (select x, x + 1 y from t where x > 1) unpivot (v for c in (x, y))",
        [(("x", 2), [1], []), (("y", 3), [1], []), (("x", 5), [3], []), (("y", 6), [3], [])],
    ),
    Case(
        "PIVOT gives every row of the group",
        "select * from (select k, x from t) pivot (sum(x) for k in ('a', 'c'))",
        [((1, 5), [0, 1, 2, 3], [])],
    ),
    Case(
        "OFFSET leaves the first rows out",
        "select x from t order by x limit 2 offset 2",
        [((2,), [1], []), ((5,), [3], [])],
    ),
]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("operators") / "cases.whence") as workspace:
        workspace.create("t", T, schema="k string, x int")
        workspace.create("u", U, schema="k string, y int")
        yield workspace


def behind(dataset: whence.Dataset, row: int, source: str) -> list[int]:
    if source not in {parent.name for parent in dataset.parents()}:
        return []
    rows: list[int] = dataset.lineage.backward([row], to=source).ids.tolist()
    return rows


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rows_and_their_lineage(tables: whence.Workspace, case: Case) -> None:
    made = tables.sql(case.sql, name="made")
    assert made.lineage.exact, made.lineage.strategy
    found = [
        (tuple(row.values()), behind(made, number, "t"), behind(made, number, "u"))
        for number, row in enumerate(made.to_arrow().to_pylist())
    ]
    assert sorted(found, key=repr) == sorted(case.expected, key=repr)
    assert made.record.doubt.is_certain


def test_drop_duplicates_gives_the_row_that_was_chosen(tables: whence.Workspace) -> None:
    chosen = tables.dataset(tables["t"].df.dropDuplicates(["k"]), name="chosen")
    assert sorted(row["k"] for row in chosen.to_arrow().to_pylist()) == ["a", "b", "c"]
    for number, row in enumerate(chosen.to_arrow().to_pylist()):
        (source,) = chosen.lineage.backward([number], to="t").ids.tolist()
        assert T[source] == (row["k"], row["x"])


def test_a_sample_keeps_its_lineage(tables: whence.Workspace) -> None:
    sample = tables.dataset(tables["t"].df.sample(fraction=0.5, seed=3), name="sample")
    rows = [(row["k"], row["x"]) for row in sample.to_arrow().to_pylist()]
    assert [T[sample.lineage.backward([n], to="t").ids[0]] for n in range(sample.count)] == rows


def test_a_form_without_a_rule_is_coarse_never_guessed(tables: whence.Workspace) -> None:
    frame = tables["t"].df.mapInPandas(lambda batches: batches, "k string, x int", barrier=True)
    made = tables.dataset(frame, name="coarse")
    assert not made.lineage.exact
    assert made.lineage.backward([0], to="t").ids.tolist() == [0, 1, 2, 3]


def test_multiset_operations_say_which_row_they_chose(tables: whence.Workspace) -> None:
    made = tables.sql("select k from t except all select k from u where y = 7", name="made")
    found = [(row["k"], behind(made, n, "t")) for n, row in enumerate(made.to_arrow().to_pylist())]
    assert [key for key, _ in sorted(found)] == ["a", "b", "c"]
    assert all(len(ids) == 1 and T[ids[0]][0] == key for key, ids in found)
    assert "as Spark numbered them" in made.lineage.strategy


def test_cells_of_a_window_have_the_roles_in_which_they_were_read(tables: whence.Workspace) -> None:
    made = tables.sql("select x, sum(x) over (partition by k order by x) s from t where k = 'a'", name="made")
    found = {(ref.row, ref.column, ref.role) for ref in made.lineage.cell(1, "s")}
    summed = {(0, "x", "aggregated"), (2, "x", "aggregated")}
    assert found == {*summed, (0, "k", "grouped"), (2, "k", "grouped")}
    own = [(ref.row, ref.column, ref.role) for ref in made.lineage.cell(0, "x")]
    assert own == [(2, "x", "copied"), (2, "k", "filtered")]


def test_rows_handed_on_as_they_are_keep_their_lineage(tables: whence.Workspace) -> None:
    rows = tables["t"].df
    frames = {
        "by key": rows.repartition("k"),
        "rebalanced": rows.hint("rebalance"),
        "sorted in parts": rows.sortWithinPartitions("x"),
        "drawn twice": rows.sample(withReplacement=True, fraction=2.0, seed=1),
        "cached": rows.where("x > 0").cache(),
    }
    for name, frame in frames.items():
        made = tables.dataset(frame, name=name)
        assert made.lineage.exact, made.lineage.strategy
        for number, row in enumerate(made.to_arrow().to_pylist()):
            assert [T[rid] for rid in behind(made, number, "t")] == [(row["k"], row["x"])]


def marks(dataset: whence.Dataset) -> dict[tuple[object, ...], tuple[bool, ...]]:
    rows = (tuple(row.values()) for row in dataset.to_arrow().to_pylist())
    return dict(zip(rows, (tuple(mark.values()) for mark in dataset.caveats.marks().to_pylist()), strict=True))


@pytest.fixture(scope="module")
def doubtful(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    """u's second key could be anything, its third row could be absent."""
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("operators") / "doubts.whence") as workspace:
        workspace.create("t", T, schema="k string, x int")
        smudged, maybe = (1, "k", "smudged"), (2, "maybe")
        workspace.create("u", U, schema="k string, y int", cell_caveats=[smudged], row_caveats=[maybe])
        yield workspace


def test_a_semi_joined_row_with_one_certain_match_is_certain(doubtful: whence.Workspace) -> None:
    made = doubtful.sql("select k, x from t left semi join u on t.k = u.k", name="made")
    assert marks(made) == {("a", 1): (False, False, False), ("a", None): (False, False, False)}
    assert made.caveats.row_set is True  # b or c might match the smudged key


def test_an_anti_joined_row_is_in_doubt_if_a_match_might_appear(doubtful: whence.Workspace) -> None:
    made = doubtful.sql("select k from t left anti join u on t.k = u.k", name="made")
    assert marks(made) == {("b",): (False, True), ("c",): (False, True)}
    assert made.caveats.row_set is False  # a has a certain match


def test_intersection_is_certain_where_both_sides_support_it(doubtful: whence.Workspace) -> None:
    made = doubtful.sql("select k from t intersect select k from u", name="made")
    assert marks(made) == {("a",): (False, False)}
    assert made.caveats.row_set is True


def test_difference_is_in_doubt_where_the_right_side_might_catch_up(doubtful: whence.Workspace) -> None:
    made = doubtful.sql("select k from t except select k from u", name="made")
    assert marks(made) == {("b",): (False, True), ("c",): (False, True)}
    assert made.caveats.row_set is False


def test_rows_of_a_full_join_are_certain_only_where_no_match_might_come_or_go(doubtful: whence.Workspace) -> None:
    made = doubtful.sql("select t.x, u.y from t full join u on t.k = u.k", name="made")
    found = {row: mark[-1] for row, mark in marks(made).items()}
    assert found == {
        (1, 1): False, (None, 1): False,  # a with the certain row of u
        (1, 7): True, (None, 7): True,  # with the row that may be absent
        (2, None): True, (5, None): True,  # the smudged key might match them
        (None, 2): True,  # and then it would not stand alone
        (None, 5): False,  # NULL matches nothing, ever
    }  # fmt: skip


def test_a_scalar_subquery_in_doubt_marks_the_cells_that_show_it(doubtful: whence.Workspace) -> None:
    made = doubtful.sql("select x, (select max(y) from u) m from t where x = 5", name="made")
    assert marks(made) == {(5, 7): (False, True, False)}


def test_what_a_doubtful_array_is_taken_apart_to_is_in_doubt(doubtful: whence.Workspace) -> None:
    made = doubtful.sql("select y, z from u lateral view explode(array(k)) v as z where y < 7", name="made")
    found = marks(made)
    assert found[1, "a"] == (False, False, False)
    assert found[2, "d"] == (False, True, True)
    assert made.caveats.row_set is True


def test_a_row_alone_in_its_group_takes_the_group_along(ws: whence.Workspace) -> None:
    ws.create("t", [(1, 10), (2, 20), (2, 5)], schema="k int, x int", row_caveats=[(0, "maybe"), (1, "maybe")])
    made = ws.sql("select k, sum(x) s from t group by k", name="made")
    assert marks(made) == {(1, 10): (False, False, True), (2, 25): (False, True, False)}


def test_a_group_that_might_appear_has_values_only_where_it_does(ws: whence.Workspace) -> None:
    ws.create("t", [(1, 10, 0), (2, 20, 1)], schema="k int, x int, y int", cell_caveats=[(0, "y", "smudged")])
    made = ws.sql("select k, sum(x) s from t where y > 0 group by k having sum(x) > 5", name="made")
    assert marks(made) == {(2, 20): (False, False, False)}
    assert made.caveats.row_set is True


def test_a_ghost_group_keeps_its_values_through_a_semi_join(ws: whence.Workspace) -> None:
    """In the world where row 3 is absent and s of row 1 is another, a new inner group takes its place with m = -1."""
    ws.create(
        "t",
        [(0, 2, -1, None), (1, 0, -1, None), (2, 2, 2, None), (3, 0, 0, "b")],
        schema="id bigint, k bigint, x bigint, s string",
        cell_caveats=[(1, "s", "smudged")],
        row_caveats=[(3, "maybe")],
    )
    inner = "select x, s, sum(case when x <> k then x else 0 end) c, max(k) k, sum(x * k) p from t group by x, s"
    made = ws.sql(f"select q.k, p, max(c) m from ({inner}) q semi join t b on b.id = q.p group by q.k, p", name="made")
    assert marks(made) == {(0, 0, 0): (False, False, True, True)}


def test_a_row_that_only_the_left_side_might_have_might_belong_to_the_difference(ws: whence.Workspace) -> None:
    ws.create("t", [(None, "ab")], schema="k int, s string")
    ws.create("u", [(1, "ab"), (0, "a")], schema="k int, s string", row_caveats=[(0, "maybe")])
    kept = "select k from t where s not in (select s from u)"
    made = ws.sql(f"{kept} except select 3 from u", name="made")
    assert made.count == 0
    assert made.caveats.row_set is True


def test_window_values_are_in_doubt_where_what_they_read_might_be_other(doubtful: whence.Workspace) -> None:
    made = doubtful.sql(
        "select y, sum(y) over (order by y) s, row_number() over (order by y desc) n from u", name="made"
    )
    found = {row[0]: mark for row, mark in marks(made).items()}
    # The third row, 7, could be absent: it comes last in one order and first in the other.
    assert found == {
        1: (False, False, True, False), 2: (False, False, True, False),
        5: (False, False, True, False), 7: (False, False, False, True),
    }  # fmt: skip


def test_a_doubtful_partition_key_puts_every_partition_in_doubt(doubtful: whence.Workspace) -> None:
    made = doubtful.sql("select y, count(*) over (partition by k) n from u", name="made")
    assert all(mark[1] for mark in marks(made).values())


def test_a_correlated_subquery_puts_its_value_in_doubt_and_not_the_row(doubtful: whence.Workspace) -> None:
    made = doubtful.sql("select k, x, (select max(y) from u where u.k = t.k) m from t", name="made")
    assert set(marks(made).values()) == {(False, False, True, False)}
    assert made.caveats.row_set is False


def test_multiset_difference_is_in_doubt_where_the_right_side_might_catch_up(doubtful: whence.Workspace) -> None:
    made = doubtful.sql("select k from t except all select k from u where y <> 2", name="made")
    assert marks(made) == {("b",): (False, False), ("c",): (False, False)}
    assert made.caveats.row_set is True  # without the third row of u one a would be left


def test_where_a_row_went_is_followed_through_windows(tables: whence.Workspace) -> None:
    numbered = "select k, x, row_number() over (partition by k order by x nulls last) n from t"
    made = tables.sql(f"select k, x, n from ({numbered}) where n = 1", name="firsts")
    assert "condition does not hold" in str(made.lineage.why_not("t", 2))
    assert made.lineage.refresh([0]).to_pylist() == made.rows(0, 1).to_pylist()
    shown = tables.sql("select x, (select max(y) from u where u.k = t.k) m from t where x > 0", name="shown")
    assert shown.lineage.refresh([0]).to_pylist() == [{"x": 1, "m": 7}]
