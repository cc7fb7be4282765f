"""Notes on the shape of results, each with numbers that a reader can check by hand."""

from __future__ import annotations

from typing import Literal

import pytest

import whence
from whence.server.written_positions import written_positions

ORDERS = [(1, "east", "eur", 10.0), (2, "east", "eur", 20.0), (3, "west", "usd", 7.0), (4, "north", "chf", 5.0)]
RATES = [("eur", 1.0), ("eur", 1.1), ("usd", 0.9), ("gbp", 1.2)]

QUERIES: dict[str, tuple[str, list[str]]] = {
    "many to many": (
        "select id, rate from orders join rates using (currency) where id < 3",
        ["The join multiplied rows: each of 2 rows of orders found 2 matches."],  # the filter may have dropped others
    ),
    "rows without a match": (
        "select id, rate from orders join rates using (currency)",
        [
            "The join multiplied rows: 2 rows of orders found 2 matches.",
            "The inner join dropped 1 of 4 rows of orders: they found no match.",
            "The inner join dropped 1 of 4 rows of rates: they found no match.",
        ],
    ),
    "each row finds one": ("select id, name from orders join regions using (region)", []),
    "outer join": (
        "select id, rate from orders left join rates using (currency)",
        ["The join multiplied rows: 2 rows of orders found 2 matches."],
    ),
    "sum over a join that repeats": (
        "select region, sum(amount) as s from orders join rates using (currency) group by region",
        [
            "The join repeated rows before they were summed: 2 rows of orders count 2 times.",
            "The inner join dropped 1 of 4 rows of orders: they found no match.",
            "The inner join dropped 1 of 4 rows of rates: they found no match.",
            "1 of 3 groups vanished: no row is left with region = north.",
        ],
    ),
    "largest over a join that repeats": (
        "select max(amount) as m from orders left join rates using (currency)",
        [],
    ),
    "filter that removes everything": (
        "select * from orders where amount > 1000",
        ["The filter removed every row: nothing is left of 4 rows of orders."],
    ),
    "count of nothing": (
        "select count(*) as n from orders where amount > 1000",
        ["The filter removed every row: nothing is left of 4 rows of orders."],
    ),
    "join that finds nothing": (
        "select o.id from orders o join rates r on o.region = r.currency",
        ["The join found no match: nothing is left of 4 rows of orders and 4 rows of rates."],
    ),
    "groups that vanish": (
        "select region, count(*) as n from orders where amount > 6 group by region",
        ["1 of 3 groups vanished: no row is left with region = north."],
    ),
    "groups that were asked for": (
        "select region, count(*) as n from orders where region = 'east' group by region",
        [],
    ),
    "groups that a condition removes": (
        "select region, count(*) as n from orders group by region having count(*) > 1",
        [],
    ),
    "limit without order": (
        "select * from orders limit 2",
        ["LIMIT 2 without ORDER BY: which rows come out is left to chance."],
    ),
    "limit that cuts nothing": ("select id, amount from orders where amount > 6 limit 10", []),
    "limit below a filter": (
        "select * from (select * from orders limit 2) where amount > 1000",
        [
            "LIMIT 2 without ORDER BY: which rows come out is left to chance.",
            "The filter removed every row: nothing is left of 4 rows of orders.",
        ],
    ),
    "limits of which one cuts": (
        "select id from (select * from orders limit 2) limit 10",
        ["LIMIT 10 without ORDER BY: which rows come out is left to chance."],
    ),
    "limit of chosen rows": (
        "select id from (select * from orders limit 3) order by amount limit 1",
        ["LIMIT 3 without ORDER BY: which rows come out is left to chance."],
    ),
    "many groups that vanish": (
        "select n, count(*) as c from numbers where doubled > 24 group by n",
        ["12 of 13 groups vanished: no row is left with n = 1, 2, 3 and 9 more."],
    ),
    "limit with order": ("select * from orders order by amount limit 2", []),
    "filter": ("select * from orders where amount > 6", []),
    "semi join": ("select * from orders where currency in (select currency from rates)", []),
    "union": ("select id from orders union all select id from orders", []),
    "explode": ("select id, explode(array(1, id)) as n from orders", []),
    "window": ("select id, sum(amount) over (partition by region) as s from orders", []),
    "constants": (
        "select 'US-East' as r, 142050 as s",
        [
            "1 of 1 value of r is written in the query, not data.",
            "1 of 1 value of s is written in the query, not data.",
        ],
    ),
}


def test_notes_tell_what_a_query_did_to_the_rows(ws: whence.Workspace) -> None:
    ws.create("orders", ORDERS, schema="id int, region string, currency string, amount double")
    ws.create("rates", RATES, schema="currency string, rate double")
    ws.create(
        "regions", [(each, each.upper()) for each in ("east", "west", "north")], schema="region string, name string"
    )
    ws.create("numbers", [(n, 2 * n) for n in range(1, 14)], schema="n int, doubled int")
    found = {name: ws.sql(query, name="result").notes for name, (query, _) in QUERIES.items()}
    assert {name: notes for name, notes in found.items() if notes != QUERIES[name][1]} == {}


@pytest.mark.parametrize("lineage", ["defer", "lazy"])
def test_notes_hold_however_lineage_is_captured(ws: whence.Workspace, lineage: Literal["defer", "lazy"]) -> None:
    ws.create("orders", ORDERS, schema="id int, region string, currency string, amount double")
    query = "select region, sum(amount) as s from orders where amount > 6 group by region"
    assert ws.sql(query, name="result", lineage=lineage).notes == [
        "1 of 3 groups vanished: no row is left with region = north."
    ]


def test_a_result_that_is_only_shown_does_not_run_its_query_for_notes(ws: whence.Workspace) -> None:
    ws.create("orders", ORDERS, schema="id int, region string, currency string, amount double")
    made = ws.sql(
        "select region, 1234.5 as n, sum(amount) as s from orders where amount > 6 group by region",
        name="result",
        lineage="lazy",
    )
    reader = made.context.readers
    assert (made.notes_at_hand, written_positions(made, range(made.count))) == ([], [])
    assert not reader.edges.is_at_hand(made.record)
    made.lineage.wait()
    assert reader.edges.is_at_hand(made.record)
    assert made.notes_at_hand == made.notes != []
    assert written_positions(made, range(made.count)) == [[1], [1]]


def test_notes_without_lineage_tell_what_the_plan_shows(ws: whence.Workspace) -> None:
    ws.create("orders", ORDERS, schema="id int, region string, currency string, amount double")
    made = ws.sql("select * from orders limit 2", name="result", lineage=False)
    assert made.notes == ["LIMIT 2 without ORDER BY: which rows come out is left to chance."]
