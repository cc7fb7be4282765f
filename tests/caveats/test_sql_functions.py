"""`caveat`, `caveat_if` and `has_caveat` in SQL, in expressions and as Python functions."""

from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

import whence

if TYPE_CHECKING:
    from pathlib import Path

    from whence import Dataset, Workspace

ROWS = [(0, "a", 1.5), (1, "b", None), (2, "b", 7.0)]


@pytest.fixture(autouse=True)
def _table(ws: "Workspace") -> None:
    ws.create("t", ROWS, schema="id int, s string, x double")


def marks(ds: "Dataset", column: str) -> list[bool]:
    flags: list[bool] = ds.caveats.marks().column(column).to_pylist()
    return flags


def counted_messages(ds: "Dataset", row: int | None = None, column: str | None = None) -> list[tuple[str, int]]:
    return sorted((group.message, group.count) for group in ds.caveats.list(row=row, column=column))


def test_a_caveat_marks_its_value_and_says_why(ws: "Workspace") -> None:
    ds = ws.sql("select id, caveat_if(x, x is null, concat('row ', id, ' is empty')) as x from t order by id")
    assert marks(ds, "x") == [False, True, False]
    assert ds.rows().column("x").to_pylist() == [1.5, None, 7.0]
    (group,) = ds.caveats.list(row=1, column="x")
    assert (group.message, group.family, group.references[0].row) == ("row 1 is empty", "user", 1)
    assert ds.caveats.list(row=0) == []


def test_an_unnamed_caveat_keeps_the_name_of_its_value(ws: "Workspace") -> None:
    assert ws.sql("select caveat(x, 'why'), sum(caveat(x, 'why')) over () from t").columns[0] == "x"
    assert ws.sql("select sum(caveat_if(x, id > 1, 'why')), has_caveat(max(x)) from t").columns == [
        "sum(x)",
        "has_caveat(max(x))",
    ]


VALUES = [
    "id",
    "s",
    "cast(x as decimal(10,2))",
    "date '2020-01-01'",
    "timestamp '2020-01-01 00:00:00'",
    "binary(s)",
    "array(id, 1)",
    "map(s, id)",
    "named_struct('a', id)",
    "id > 0",
    "cast(null as int)",
]


def test_a_value_of_any_type_can_be_in_doubt(ws: "Workspace") -> None:
    columns = ", ".join(f"caveat_if({value}, id = 1, 'odd') as c{n}" for n, value in enumerate(VALUES))
    ds = ws.sql(f"select {columns} from t order by id")
    for number in range(len(VALUES)):
        assert marks(ds, f"c{number}") == [False, True, False], VALUES[number]
    plain = ws.sql(f"select {', '.join(f'{value} as c{n}' for n, value in enumerate(VALUES))} from t order by id")
    assert ds.to_arrow() == plain.to_arrow()


def test_a_caveat_below_a_group_by_reaches_the_groups_that_read_it(ws: "Workspace") -> None:
    ds = ws.sql("select s, sum(caveat_if(x, id = 2, concat('odd ', id))) n from t group by s order by s")
    assert marks(ds, "n") == [False, True]
    assert counted_messages(ds, row=1, column="n") == [("odd 2", 1)]
    assert counted_messages(ds, row=0) == []


def test_a_row_is_in_doubt_where_a_caveat_decides_on_it(ws: "Workspace") -> None:
    ds = ws.sql("select id from t where case when s = 'b' then caveat(true, s) else true end order by id")
    assert marks(ds, "_row") == [False, True, True]
    assert not ds.caveats.row_set
    assert counted_messages(ds, row=2) == [("b", 1)]


def test_rows_that_a_doubtful_condition_removed_are_remembered(ws: "Workspace") -> None:
    ds = ws.sql("select id from t where caveat_if(x, id < 2, 'guess') > 5")
    assert (ds.rows().to_pylist(), marks(ds, "_row"), ds.caveats.row_set) == ([{"id": 2}], [False], True)
    assert counted_messages(ds) == [("guess", 2)]


def test_a_caveat_on_a_whole_group_sits_on_its_row(ws: "Workspace") -> None:
    ds = ws.sql("select s, caveat_if(sum(x), count(*) > 1, 'mixed') as n from t group by s order by s")
    assert marks(ds, "n") == [False, True]
    assert counted_messages(ds, row=1) == [("mixed", 1)]


def test_a_caveat_on_a_join_key_marks_the_pairs_it_makes(ws: "Workspace") -> None:
    ds = ws.sql("select a.id from t a join t b on caveat_if(a.id, a.id = 1, 'key') = b.id order by a.id")
    assert marks(ds, "_row") == [False, True, False]
    assert counted_messages(ds, row=1) == [("key", 1)]


def test_a_condition_that_could_come_to_hold_puts_the_value_in_doubt(ws: "Workspace") -> None:
    ws.create("u", [(1, 1), (2, 2)], schema="k int, v int", cell_caveats=[(0, "k", "smudged")])
    ds = ws.sql("select caveat_if(v, k > 10, 'large') v from u order by v")
    assert marks(ds, "v") == [True, False]
    assert counted_messages(ds, row=0) == [("smudged", 1)]


def test_a_caveat_in_a_branch_that_is_not_taken_is_not_raised(ws: "Workspace") -> None:
    ds = ws.sql("select id, if(id = 1, caveat(0, 'guessed'), 100 div (id - 1)) as n from t order by id")
    assert marks(ds, "n") == [False, True, False]
    assert counted_messages(ds) == [("guessed", 1)]


def test_has_caveat_tells_marks_and_is_certain_itself(ws: "Workspace") -> None:
    ws.create("u", [(1,), (2,)], schema="v int", cell_caveats=[(1, "v", "smudged")])
    ds = ws.sql("select v, has_caveat(v) h, has_caveat(v + 1) and true g from u order by v")
    assert ds.rows().select(["h", "g"]).to_pylist() == [{"h": False, "g": False}, {"h": True, "g": True}]
    assert (marks(ds, "h"), marks(ds, "v")) == ([False, False], [False, True])
    assert ws.sql("select v from u where not has_caveat(v)").rows().to_pylist() == [{"v": 1}]
    assert ws.sql("select count(*) filter (where has_caveat(v)) n from u").rows().to_pylist() == [{"n": 1}]
    assert ws.sql("select has_caveat(sum(v)) h from u").rows().to_pylist() == [{"h": True}]


def test_has_caveat_keeps_the_answer_it_gave(ws: "Workspace") -> None:
    ws.create("u", [(1,)], schema="v int", cell_caveats=[(0, "v", "smudged")])
    ds = ws.sql("select has_caveat(v) h from u")
    ws.create("u", [(1,)], schema="v int")
    assert ds.rows().to_pylist() == [{"h": True}]


def test_expressions_and_python_functions_say_the_same(ws: "Workspace") -> None:
    frame = ws["t"].df
    by_text = ws.dataset(frame.select(F.expr("caveat_if(x, id = 1, s) as x")), name="text")
    by_call = ws.dataset(frame.select(whence.caveat_if("x", F.col("id") == 1, F.col("s"))), name="call")
    assert by_text.caveats.marks() == by_call.caveats.marks()
    assert counted_messages(by_text) == counted_messages(by_call) == [("b", 1)]


def test_a_message_that_is_null_still_is_a_caveat(ws: "Workspace") -> None:
    assert counted_messages(ws.sql("select caveat_if(x, id = 0, cast(null as string)) x from t")) == [
        ("No reason was given.", 1)
    ]


def test_a_condition_that_answers_anew_each_time_is_asked_once(ws: "Workspace") -> None:
    ds = ws.sql("select id, caveat_if(id, rand() < 0.5, 'by chance') c from range(200)")
    marked = [row for row, is_marked in enumerate(marks(ds, "c")) if is_marked]
    (group,) = ds.caveats.list()
    assert 0 < group.count < 200
    assert [place.row for place in group.references] == marked


def test_doubts_of_a_scalar_subquery_are_listed_where_it_decides(ws: "Workspace") -> None:
    ws.create("u", [(1, 5), (2, 9)], schema="z int, y int", cell_caveats=[(0, "z", "smudged")])
    shown = ws.sql("select id, (select max(y) from u where z < 2) m from t", name="shown")
    kept = ws.sql("select id from t where id < (select max(y) from u where z < 2)", name="kept")
    assert (marks(shown, "m"), marks(kept, "_row")) == ([True] * 3, [True] * 3)
    assert counted_messages(shown, row=0, column="m") == counted_messages(kept, row=0) == [("smudged", 1)]


def test_doubts_of_what_an_anti_join_looked_for_are_listed(ws: "Workspace") -> None:
    ws.create("u", [(0, 1), (9, 1)], schema="k int, z int", cell_caveats=[(0, "z", "smudged")])
    ds = ws.sql("select id from t left anti join (select k from u where z > 5) v on t.id = v.k order by id", name="out")
    assert marks(ds, "_row") == [True, False, False]
    assert counted_messages(ds, row=0) == [("smudged", 1)]


def test_the_callers_own_session_gets_the_functions_too(ws: "Workspace", tmp_path: "Path") -> None:
    before = ws.spark.newSession()
    with whence.open(tmp_path / "own.whence", spark=before) as own:
        own.create("t", ROWS, schema="id int, s string, x double")
        assert marks(own.sql("select caveat_if(x, id = 1, 'odd') x from t order by id"), "x") == [False, True, False]


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("select caveat_if(x, 1, 'why') from t", "INT"),
        ("select caveat(x) from t", "caveat takes 2 values, or 4 with a range, not 1"),
        ("select has_caveat(x, 1) from t", "has_caveat takes 1 values, not 2"),
    ],
)
def test_a_wrong_call_is_one_sentence(ws: "Workspace", query: str, says: str) -> None:
    with pytest.raises(whence.WhenceError, match=says):
        ws.sql(query)


NUMBERS = [([1, -2, -3],), ([4],), ([],), (None,), ([-5, None],)]


@pytest.mark.parametrize(
    ("value", "doubted", "why"),
    [
        ("transform(v, e -> caveat_if(e, e < 0, 'below zero'))", [0, 4], "below zero"),
        ("transform(v, e -> caveat_if(e, e < 0, concat('odd: ', e)))", [0, 4], "odd: -2; odd: -3"),
        ("transform(v, (e, i) -> caveat_if(e + i, i > 1, concat('at ', i)))", [0], "at 2"),
        ("filter(v, e -> caveat_if(e > 1, e = 4, 'four'))", [1], "four"),
        ("exists(v, e -> caveat_if(e > 1, e < 0, 'low'))", [0, 4], "low"),
        ("forall(v, e -> caveat_if(e > 1, e is null, 'none'))", [4], "none"),
        ("zip_with(v, v, (a, b) -> caveat_if(a + b, a = 4, 'four'))", [1], "four"),
        ("map_filter(map_from_arrays(v, v), (k, n) -> caveat_if(k > 0, n = 4, 'four'))", [1], "four"),
        ("transform_values(map_from_arrays(v, v), (k, n) -> caveat_if(n, k = 4, 'four'))", [1], "four"),
        ("transform_keys(map_from_arrays(v, v), (k, n) -> caveat_if(k, n = 4, 'four'))", [1], "four"),
        (
            "map_zip_with(map_from_arrays(v, v), map_from_arrays(v, v), (k, a, b) -> caveat_if(a, b = 4, 'four'))",
            [1],
            "four",
        ),
        ("transform(v, e -> transform(v, f -> caveat_if(f, e + f = -5, concat(e, f))))", [0], "-2-3; -3-2"),
        ("transform(v, e -> if(e > 0, e, caveat_if(-e, e < -2, 'deep')))", [0, 4], "deep"),
        ("size(transform(v, e -> caveat_if(e, id in (1, 2), 'not for none')))", [1], "not for none"),
    ],
)
def test_a_caveat_in_a_lambda_asks_about_the_elements(
    ws: "Workspace", value: str, doubted: list[int], why: str
) -> None:
    ws.create(
        "a",
        [(number, *row) for number, row in enumerate(NUMBERS) if row != ([-5, None],) or "map" not in value],
        schema="id int, v array<int>",
    )
    ds = ws.sql(f"select {value} as y from a order by id")
    assert [row for row, flag in enumerate(marks(ds, "y")) if flag] == doubted
    assert counted_messages(ds, doubted[0], "y") == [(why, 1)]
    assert ds.lineage.exact


def test_a_caveat_that_only_a_fold_knows_is_raised_on_every_row(ws: "Workspace") -> None:
    ws.create("a", [([1, -2],), ([4],)], schema="v array<int>")
    ds = ws.sql("select aggregate(v, 0, (s, e) -> caveat_if(s + e, s < 0, concat('sum ', s))) as y from a")
    assert marks(ds, "y") == [True, True]
    assert counted_messages(ds) == [("No reason was given.", 2)]


def test_elements_of_a_doubtful_array_are_in_doubt(ws: "Workspace") -> None:
    ws.create("a", [([1, 2],), ([3],)], schema="v array<int>", cell_caveats=[(1, "v", "smudged")])
    ds = ws.sql("select transform(v, e -> has_caveat(e)) as y, transform(v, e -> has_caveat(1)) as z from a")
    assert ds.rows().to_pylist() == [{"y": [False, False], "z": [False, False]}, {"y": [True], "z": [False]}]
