"""The examples of the Vizier paper about caveats (Sections 1.2 and 4): Alice's prices, and Bob who uses them again."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whence import Dataset, Workspace

STRIPPED = "regexp_replace(cost, '[^0-9.\\\\-]', '')"
WHY = "concat(cost, ' is taken for US dollars')"
SCRIPT = f"""
select id, cast(caveat_if({STRIPPED}, cost rlike '[^0-9.\\\\-]', {WHY}) as double) cost from {{prices}}
"""


def marks(ds: "Dataset", column: str) -> list[bool]:
    flags: list[bool] = ds.caveats.marks().column(column).to_pylist()
    return flags


def messages(ds: "Dataset", row: int | None = None, column: str | None = None) -> list[str]:
    return sorted(message for group in ds.caveats.list(row=row, column=column) for message in group.messages)


def test_examples_2_to_5_alices_assumption_travels_with_her_script(ws: "Workspace", tmp_path: Path) -> None:
    ws.create("suppliers", [(1, "21 USD"), (2, "$19.00"), (3, "7")], schema="id int, cost string")
    hers = ws.sql(SCRIPT, name="hers", prices=ws["suppliers"])
    assert hers.rows().column("cost").to_pylist() == [21.0, 19.0, 7.0]
    assert marks(hers, "cost") == [True, True, False]
    assert messages(hers) == ["$19.00 is taken for US dollars", "21 USD is taken for US dollars"]

    ws.create("world", [(1, "21 Euro"), (2, "5"), (3, "8"), (3, "9 USD")], schema="id int, cost string")
    his = ws.sql(SCRIPT, name="his", prices=ws["world"])
    assert marks(his, "cost") == [True, False, False, True]
    total = ws.sql("select id, sum(cost) total from his group by id order by id", name="totals")
    assert marks(total, "total") == [True, False, True]
    assert messages(total, row=0, column="total") == ["21 Euro is taken for US dollars"]
    refined = ws.sql("select * from totals where id = 2", name="refined")
    assert refined.caveats.list() == [], "what does not reach the refined data is not shown"
    total.caveats.report(tmp_path / "totals.html")
    assert "21 Euro is taken for US dollars" in (tmp_path / "totals.html").read_text()


def test_example_6_edits_as_queries_leave_the_rest_certain(ws: "Workspace") -> None:
    ws.create(
        "emp",
        [("Ann", 10.0, 1), ("Ben", 20.0, 2)],
        schema="name string, pay double, type int",
        cell_caveats=[(0, "pay", "from memory")],
    )
    ds = ws.sql(
        "select name, case when type = 1 then pay * 1.1 else pay end pay, type from emp"
        " union all select 'Bob', 30.0, 1",
        name="after",
    )
    assert marks(ds, "pay") == [True, False, False]


def parsed(ws: "Workspace") -> None:
    """Parts as the paper's parser reads them: what is no number becomes NULL, with a caveat."""
    ws.create(
        "parts_uncast",
        [("12345", "4"), ("12345", "4 or 5"), ("777", "9"), ("888", "many")],
        schema="id string, cost string",
    )
    number = "try_cast(cost as int)"
    ws.sql(
        f"select id, case when {number} is null then caveat(cast(null as int), cost || ' is not an int')"
        f" else {number} end as cost from parts_uncast",
        name="parts",
    )


def test_examples_7_9_and_10_a_parser_that_gives_null_and_says_so(ws: "Workspace") -> None:
    parsed(ws)
    assert marks(ws["parts"], "cost") == [False, True, False, True]
    average = ws.sql("select id, avg(cost) as a from parts group by id order by id", name="average")
    assert average.rows().column("a").to_pylist() == [4.0, 9.0, None]
    assert (marks(average, "a"), marks(average, "id")) == ([True, False, True], [False, False, False])
    assert messages(average, row=0, column="a") == ["4 or 5 is not an int"], "one set, cut down to the part asked about"
    in_one = ws.sql(
        "with parts as (select id, case when try_cast(cost as int) is null"
        " then caveat(cast(null as int), cost || ' is not an int') else try_cast(cost as int) end cost"
        " from parts_uncast) select id, avg(cost) a from parts group by id order by id",
        name="in_one",
    )
    assert (marks(in_one, "a"), messages(in_one, row=0, column="a")) == (marks(average, "a"), ["4 or 5 is not an int"])


def test_example_8_a_certain_side_settles_an_or(ws: "Workspace") -> None:
    ws.create(
        "ab",
        [(1, 2), (1, 0), (0, 2), (1, 2)],
        schema="A int, B int",
        cell_caveats=[(row, "B", "unsure") for row in range(4)] + [(3, "A", "unsure")],
    )
    assert marks(ws.sql("select A = 1 or B = 2 as c from ab"), "c") == [False, False, True, True]


def test_section_4_1_a_row_the_parser_stumbled_over_is_in_doubt(ws: "Workspace") -> None:
    ws.create("parts_raw", [(1, None), (2, "unquoted comma")], schema="id int, error string")
    ds = ws.sql("select id from parts_raw where case when error is not null then caveat(true, error) else true end")
    assert (marks(ds, "_row"), messages(ds)) == ([False, True], ["unquoted comma"])


def test_section_4_3_2_more_than_three_caveats_are_one_example_and_a_count(ws: "Workspace") -> None:
    ws.create("many", [(n,) for n in range(5)], schema="n int")
    (group,) = ws.sql("select caveat(n, concat('doubt ', n)) n from many").caveats.list()
    assert (group.count, len(group.messages), group.message in group.messages) == (5, 1, True)
    (group,) = ws.sql("select caveat(n, concat('doubt ', n)) n from many where n < 3").caveats.list()
    assert (group.count, sorted(group.messages)) == (3, ["doubt 0", "doubt 1", "doubt 2"])
