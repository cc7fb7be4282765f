"""The questions about data: each answer says what the library says, in the same words where it has words."""

from __future__ import annotations

import pytest

import whence
from tests.mcp.conversation import Conversation, content_of, talk_about
from whence.caveats.report_words import describe_origin
from whence.loading.caveat_sentence import caveat_sentence
from whence.mcp.conditions import find_rows, plain_clauses


def test_list_and_description_say_what_there_is(ws: whence.Workspace, orders: Conversation) -> None:
    listed = orders.ask("list_datasets").splitlines()
    assert listed[0] == "test.whence has 2 datasets."
    assert [f"<Dataset {line}>" for line in listed[1:]] == [repr(each) for each in ws.datasets()]
    described = orders.ask("describe_dataset", dataset="totals")
    assert "Made by sql from orders@1: select town, sum(amount)" in described
    assert ws["totals"].lineage.strategy in described
    assert "total double: 2 distinct, 7.0 to 36.0, mean 21.5, some values are in doubt" in described


def test_rows_come_in_order_sorted_and_filtered_with_their_doubts(ws: whence.Workspace, orders: Conversation) -> None:
    assert orders.ask("read_rows", dataset="totals").splitlines()[1:] == [
        "row | town | total | n",
        "0 | Bonn | 7.0 | 1",
        "1 | Ulm | 36.0? | 10",
    ]
    found = orders.ask("read_rows", dataset="orders", where={"town": "Bonn"}, sort=["amount desc"], columns=["amount"])
    assert found.splitlines() == [
        "orders@1: 12 rows x 3 columns, 1 doubtful column 2 of them match.",
        "row | amount (and 2 more columns: name them in `columns`)",
        "10 | 7.0",
        "11 | 2.5",
    ]
    by_spark = orders.ask("read_rows", dataset="orders", where="amount * 2 between 4 and 5", columns=["town", "amount"])
    assert by_spark.splitlines()[2:] == ["2 | Ulm | 2.0", "11 | Bonn | 2.5"]
    assert "cannot be sorted here" in orders.refused(
        "read_rows", dataset="orders", where="amount * 2 = 4", sort=["town"]
    )


CONDITIONS = [
    "town = 'Ulm'",
    "town <> 'Ulm' and amount >= 3",
    "AMOUNT > 2.25 and `year` = 2024",
    "amount is null",
    "town is not null and amount < 2",
    "year != 2024",
    "town = 'it''s'",
    "town = 'Ulm' or year = 2023",
    "year = 2024.0",
    "year = '2024'",
    "town > 'Bonn and more'",
    "amount = 99999999999999999999",
    "year < 99999999999999999999",
    "not town = 'Ulm'",
]


@pytest.mark.usefixtures("orders")
def test_plain_conditions_mean_what_spark_means(ws: whence.Workspace) -> None:
    dataset = ws["orders"]
    for text in CONDITIONS:
        rids = dataset.context.engine.rids_where(dataset.record, text)
        assert find_rows(dataset, text).tolist() == rids, text
    plain = [text for text in CONDITIONS if plain_clauses(dataset, text) is not None]
    assert plain == [*CONDITIONS[:6], "town > 'Bonn and more'", "amount = 99999999999999999999"]


def test_a_query_answers_with_lineage_and_is_kept_only_under_a_name(ws: whence.Workspace, orders: Conversation) -> None:
    query = "select max(amount) as top from orders"
    assert (
        orders.ask("run_sql", query=query) == "sql_answer@1: 1 row x 1 column, 1 doubtful column\nrow | top\n0 | 8.0?"
    )
    assert "orders@1 (loaded): 12 rows" in orders.ask("where_from", dataset="sql_answer@1", row=0, column="top")
    assert [each.name for each in ws.datasets()] == ["orders", "totals"]
    assert orders.ask("run_sql", query=query, name="top").startswith("top@1: 1 row")
    assert ws["top"].to_arrow().to_pylist() == [{"top": 8.0}]
    assert orders.refused("run_sql", query=query, name="Orders") == (
        "orders is the name of other data, made by load. Choose another."
    )


def test_where_from_names_the_cells_that_the_library_names(ws: whence.Workspace, orders: Conversation) -> None:
    text = orders.ask("where_from", dataset="totals", where="town = 'Ulm'", column="total")
    refs = ws["totals"].lineage.cell(1, "total", to="orders")
    aggregated = [ref for ref in refs if ref.column == "amount"]
    assert text.splitlines()[0] == "totals@1 row 1, total = 36.0."
    assert "Lineage is exact." in text
    assert "orders@1 (loaded): 10 rows (0 = line 2, 1 = line 3, 2 = line 4, ...) behind it" in text
    assert f"  amount (aggregated, {len(aggregated)} cells): row 0 = 0.0, row 1 = 1.0, row 2 = 2.0, ..." in text
    for column in {ref.column for ref in refs}:
        assert f"  {column} (" in text
    row = orders.ask("where_from", dataset="totals", row=0)
    (behind,) = ws["totals"].lineage.backward([0], to="orders").ids.tolist()
    assert row.splitlines()[-1] == f"orders@1 (loaded): 1 row ({behind} = line 12) behind it"


def test_trust_is_what_marks_and_caveats_say(ws: whence.Workspace, orders: Conversation) -> None:
    assert orders.ask("can_i_trust", dataset="totals", row=0, column="total") == "Not in doubt: totals@1 row 0, total."
    (group,) = ws["totals"].caveats.list(row=1, column="total")
    doubted = orders.ask("can_i_trust", dataset="totals", row=1, column="total")
    assert doubted.splitlines() == [
        "In doubt: totals@1 row 1, total.",
        f"- {caveat_sentence(group)} (found while loading, by {describe_origin(group)})",
    ]
    ws["totals"].caveats.acknowledge(group, "checked with the town")
    accepted = orders.ask("can_i_trust", dataset="totals")
    assert accepted.startswith("Not in doubt: totals@1: 2 rows x 3 columns. Its caveats are acknowledged.")
    assert "acknowledged: checked with the town" in accepted


def test_why_not_and_what_if_say_what_the_library_says(ws: whence.Workspace, orders: Conversation) -> None:
    lost = orders.ask("why_not", dataset="totals", source="orders", where="amount = 2.5").splitlines()
    assert lost == ["1 row of orders@1 looked for in totals@1.", str(ws["totals"].lineage.why_not("orders", 11))]
    there = orders.ask("why_not", dataset="totals", source="orders", row=0).splitlines()
    assert there[1] == str(ws["totals"].lineage.why_not("orders", 0))
    without = ws["totals"].lineage.without([8, 10], of="orders")
    assert orders.ask("what_if", dataset="totals", source="orders", where="amount >= 7 and amount <> 7.5") != ""
    assert orders.ask("what_if", dataset="totals", source="orders", rows=[8, 10]).splitlines() == [
        f"Without 2 rows of orders@1, 2 rows of totals@1 would change ({without.how}).",
        "row 0 would not be there: town = Bonn, total = 7.0, n = 1",
        "row 1: town = Ulm, total = 36.0 -> 28.0, n = 10 -> 9",
    ]


def test_why_odd_gives_the_explanations_of_the_library(ws: whence.Workspace) -> None:
    rows = [(hour, sensor, 100.0 if (hour, sensor) == (2, 3) else 20.0) for hour in range(4) for sensor in range(4)] * 9
    ws.create("readings", rows, schema="hour int, sensor int, temp double")
    ws.sql("select hour, avg(temp) as t from readings group by hour order by hour", name="hourly")
    found = ws["hourly"].explain("t", [2], holdouts="others", direction="high")
    text = talk_about(ws).ask("why_odd", dataset="hourly", column="t", where="hour = 2")
    assert text.splitlines()[1] == f"1. {found[0].predicate.sql}: {found[0].sentence}"
    assert "sensor = 3" in text


def test_a_claim_is_confirmed_rounded_contradicted_or_about_nothing(orders: Conversation) -> None:
    def verdict(where: object, value: object, column: str = "total") -> str:
        return str(
            content_of(orders.call("verify_claim", dataset="totals", where=where, column=column, value=value))[
                "verdict"
            ]
        )

    assert verdict("town = 'Ulm'", 36) == "confirmed"
    assert verdict({"town": "Ulm"}, "36.0") == "confirmed"
    assert verdict("upper(town) = 'ULM'", 36.3) == "contradicted"
    assert verdict("total > 0", 7) == "mixed"
    assert verdict("town = 'Köln'", 7) == "no such row"
    assert verdict("n = 1", "Bonn", "town") == "confirmed"


def test_an_answer_to_a_claim_says_what_it_rests_on(ws: whence.Workspace, orders: Conversation) -> None:
    answer = orders.call("verify_claim", dataset="totals", where="town = 'Ulm'", column="total", value=40)
    (group,) = ws["totals"].caveats.list(row=1, column="total")
    assert content_of(answer) == {
        "verdict": "contradicted",
        "sentence": "Contradicted: total in row 1 of totals@1 is 36.0, not 40. The value is in doubt.",
        "row": 1,
        "value": "36.0",
        "is_doubtful": True,
        "lineage": "It was made from 10 rows (0 = line 2, 1 = line 3, 2 = line 4, ...) of orders@1.",
        "caveats": [f"- {caveat_sentence(group)} (found while loading, by {describe_origin(group)})"],
        "link": f"whence trace {ws.path} totals 1 total",
    }
    source = orders.ask("verify_claim", dataset="orders", where="amount = 2.5", column="town", value="Bonn")
    assert "It was not computed: orders@1 was loaded from line 13." in source
    assert source.startswith("Confirmed: town in row 11 of orders@1 is Bonn. Nothing about the value is in doubt.")
