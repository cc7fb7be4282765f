"""Events of real runs: each meets the specification, and what it counts is what plain Python counts."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import whence
from tests.openlineage.specification import check_event

ORDERS = [(1, "a", 10), (2, "a", None), (3, "b", 5), (4, "c", 7), (5, None, 9)]
SHOPS = [("a", "Ulm"), ("b", "Bonn"), ("z", "Kiel")]

Event = dict[str, Any]


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    return tmp_path / "events.jsonl"


@pytest.fixture
def ws(tmp_path: Path, spark_home: whence.Workspace, sent: Path) -> Iterator[whence.Workspace]:
    """A workspace that sends its events to a file."""
    assert spark_home.spark is not None
    with whence.open(tmp_path / "shop.whence", openlineage=str(sent)) as workspace:
        workspace.create("orders", ORDERS, schema="id int, shop string, amount int")
        workspace.create("shops", SHOPS, schema="shop string, town string")
        yield workspace


def events(ws: whence.Workspace, sent: Path) -> list[Event]:
    """Every event so far. Each is checked against the specification."""
    assert ws.openlineage is not None
    assert ws.openlineage.flush(10), ws.openlineage.last_error
    found = [json.loads(line) for line in sent.read_text().splitlines()]
    for event in found:
        check_event(event)
    return found


def completed(ws: whence.Workspace, sent: Path, name: str) -> Event:
    """The event about the end of the run that made a dataset."""
    return next(
        each
        for each in events(ws, sent)
        if each["eventType"] == "COMPLETE" and [output["name"] for output in each["outputs"]] == [name]
    )


def output_facet(event: Event, name: str) -> Event:
    """One facet of the one output."""
    (output,) = event["outputs"]
    facet: Event = output["facets"][name]
    return facet


def counted(event: Event) -> dict[str, tuple[int, int, int]]:
    """By input: input rows and output rows that row lineage verified, and derivations."""
    edges = output_facet(event, "whence_rowLineage")["edges"]
    assert {each["precision"] for each in edges} == {"exact"}
    return {
        each["name"]: (each["verifiedInputRows"], each["verifiedOutputRows"], each["derivations"]) for each in edges
    }


def test_every_run_begins_once_and_ends_once(ws: whence.Workspace, sent: Path, tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("id,amount\n1,2\n2,many\n")
    ws.load(tmp_path / "more.csv", name="more", types={"amount": "int"})
    ws.sql("select * from more where amount > 0", name="some")
    ws.dataset(ws.spark.range(3), name="three")

    with pytest.raises(whence.WhenceError):
        ws.sql("select raise_error('no such day') as x from orders", name="wrong")
    by_run: dict[str, list[Event]] = {}
    for event in events(ws, sent):
        by_run.setdefault(event["run"]["runId"], []).append(event)
    endings = Counter(tuple(each["eventType"] for each in run) for run in by_run.values())
    assert endings == {("START", "COMPLETE"): 5, ("START", "FAIL"): 1}
    assert all(first["job"]["name"] == last["job"]["name"] for first, last in by_run.values())
    assert all(first["eventTime"] <= last["eventTime"] for first, last in by_run.values())
    (failed,) = (run[-1] for run in by_run.values() if run[-1]["eventType"] == "FAIL")
    assert failed["job"]["name"] == "sql.wrong"
    assert "no such day" in failed["run"]["facets"]["errorMessage"]["message"]


def test_settings_of_spark_are_told_without_those_that_may_be_secret(ws: whence.Workspace, sent: Path) -> None:
    ws.spark.conf.set("spark.sql.shop.password", "abc")
    try:
        ws.sql("select id from orders", name="ids")
        properties = completed(ws, sent, "ids")["run"]["facets"]["spark_properties"]["properties"]
    finally:
        ws.spark.conf.unset("spark.sql.shop.password")
    assert properties["spark.master"] == ws.spark.sparkContext.master
    assert properties["spark.sql.session.timeZone"] == ws.spark.conf.get("spark.sql.session.timeZone")
    assert "abc" not in properties.values()


def test_rows_behind_the_edges_of_a_join(ws: whence.Workspace, sent: Path) -> None:
    ws.sql("select o.id, s.town from orders o left join shops s on o.shop = s.shop", name="placed")
    pairs = [(order, shop) for order in ORDERS for shop in SHOPS if order[1] == shop[0]]
    expected = {
        "orders": (len(ORDERS), len(ORDERS), len(ORDERS)),
        "shops": (len({shop for _, shop in pairs}), len({order for order, _ in pairs}), len(pairs)),
    }
    event = completed(ws, sent, "placed")
    assert counted(event) == expected
    columns = output_facet(event, "whence_rowLineage")["columns"]
    assert [(each["column"], each["name"], each["field"], each["verifiedRows"]) for each in columns] == [
        ("id", "orders", "id", len(ORDERS)),
        ("town", "shops", "town", len(pairs)),
    ]


def test_rows_behind_the_edges_of_groups_and_of_filtered_sums(ws: whence.Workspace, sent: Path) -> None:
    query = "select shop, sum(amount) filter (where amount > 8) as big, count(*) as n from orders group by shop"
    ws.sql(query, name="totals", lineage="inject")
    event = completed(ws, sent, "totals")
    shops = {order[1] for order in ORDERS}
    assert counted(event) == {"orders": (len(ORDERS), len(shops), len(ORDERS))}
    of_big = {order[1] for order in ORDERS if order[2] is not None and order[2] > 8}
    rows = {
        (each["column"], each["field"]): each["verifiedRows"]
        for each in output_facet(event, "whence_rowLineage")["columns"]
    }
    assert rows["shop", "shop"] == len(shops)
    assert rows["big", "amount"] == len(of_big)


def test_an_input_that_a_query_reads_twice_is_one_edge(ws: whence.Workspace, sent: Path) -> None:
    ws.sql("select a.id, b.id as other from orders a join orders b on a.shop = b.shop and a.id < b.id", name="pairs")
    pairs = [(a, b) for a in ORDERS for b in ORDERS if a[1] is not None and a[1] == b[1] and a[0] < b[0]]
    rows = {row for pair in pairs for row in pair}
    assert counted(completed(ws, sent, "pairs")) == {"orders": (len(rows), len(pairs), 2 * len(pairs))}


def test_lineage_that_is_not_there_yet_verifies_nothing_and_follows_later(ws: whence.Workspace, sent: Path) -> None:
    grouped = ws.sql("select shop, sum(amount) as total from orders group by shop", name="late", lineage="lazy")
    (edge,) = output_facet(completed(ws, sent, "late"), "whence_rowLineage")["edges"]
    assert edge["precision"] == "pending"
    assert "verifiedInputRows" not in edge
    assert output_facet(completed(ws, sent, "late"), "whence_rowLineage")["columns"] == []
    grouped.lineage.wait()
    until = time.monotonic() + 10
    while (later := events(ws, sent)[-1])["eventType"] != "OTHER" and time.monotonic() < until:
        time.sleep(0.1)
    assert counted(later) == {"orders": (5, 4, 5)}
    assert later["run"]["runId"] == completed(ws, sent, "late")["run"]["runId"]


def test_column_lineage_names_inputs_and_what_decides_which_rows_there_are(ws: whence.Workspace, sent: Path) -> None:
    ws.sql("select shop, amount * 2 as twice from orders where id > 2", name="doubled")
    facet = output_facet(completed(ws, sent, "doubled"), "columnLineage")

    def read(inputs: list[Event]) -> set[tuple[str, str, str, str]]:
        return {
            (each["name"], each["field"], how["type"], how["subtype"])
            for each in inputs
            for how in each["transformations"]
        }

    assert {name: read(field["inputFields"]) for name, field in facet["fields"].items()} == {
        "shop": {("orders", "shop", "DIRECT", "IDENTITY")},
        "twice": {("orders", "amount", "DIRECT", "TRANSFORMATION")},
    }
    assert read(facet["dataset"]) == {("orders", "id", "INDIRECT", "FILTER")}


def test_doubts_and_checks_are_counted(ws: whence.Workspace, sent: Path, tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("id,amount\n1,2\n2,many\n3,7\n4,few\n")
    ws.load(tmp_path / "more.csv", name="more", types={"amount": "int"})
    ws.expect("more", [whence.Check("row", "id < 4"), whence.Check("not_null", "id")])
    loaded, checked = (
        each
        for each in events(ws, sent)
        if each["eventType"] == "COMPLETE" and [output["name"] for output in each["outputs"]] == ["more"]
    )
    doubts = output_facet(loaded, "whence_doubts")
    assert (doubts["cells"], doubts["columns"], doubts["rows"], doubts["caveats"]) == (2, {"amount": 2}, 0, 2)
    assert [(each["namespace"], each["name"]) for each in loaded["inputs"]] == [
        ("whence://shop.whence", "more/more.csv")
    ]
    assert output_facet(checked, "whence_doubts")["rows"] == 1
    (source,) = checked["inputs"]
    outcomes = source["inputFacets"]["dataQualityAssertions"]["assertions"]
    assert [(each["assertion"], each["success"], each["severity"]) for each in outcomes] == [
        ("row", False, "warn"),
        ("not_null", True, "warn"),
    ]


def test_a_cell_has_its_notebook_as_parent_and_its_datasets_as_children(
    ws: whence.Workspace, sent: Path, tmp_path: Path
) -> None:
    notebook = ws.notebook("report")
    notebook.append("sql", "select * from orders where amount > 6", name="big")
    notebook.append("sql", "select nothing from orders", name="bad")
    notebook.run().wait()
    ws.close()
    found = [json.loads(line) for line in sent.read_text().splitlines()]
    for event in found:
        check_event(event)
    good, bad = (cell.id for cell in notebook.cells)
    endings = {
        each["job"]["name"]: each["eventType"]
        for each in found
        if each["eventType"] != "START" and each["job"]["name"].startswith("report")
    }
    assert endings == {
        "report": "FAIL",
        f"report.{good}": "COMPLETE",
        f"report.{good}.sql.big": "COMPLETE",
        f"report.{bad}": "FAIL",
    }
    runs = {each["job"]["name"]: each["run"] for each in found}
    parents = {name: run["facets"].get("parent", {}).get("run", {}).get("runId") for name, run in runs.items()}
    assert parents[f"report.{good}.sql.big"] == runs[f"report.{good}"]["runId"]
    assert parents[f"report.{good}"] == parents[f"report.{bad}"] == runs["report"]["runId"]
    root = runs[f"report.{good}.sql.big"]["facets"]["parent"]["root"]
    assert (root["job"]["name"], root["run"]["runId"]) == ("report", runs["report"]["runId"])
    assert "nothing" in runs[f"report.{bad}"]["facets"]["errorMessage"]["message"]


def failed(ws: whence.Workspace, sent: Path) -> list[tuple[str, str]]:
    """Job and reason of every run that failed."""
    return [
        (each["job"]["name"], each["run"]["facets"]["errorMessage"]["message"])
        for each in events(ws, sent)
        if each["eventType"] == "FAIL"
    ]


def test_a_query_that_spark_cannot_read_and_a_check_that_stops_are_runs_that_fail(
    ws: whence.Workspace, sent: Path
) -> None:
    with pytest.raises(whence.WhenceError, match="nothing"):
        ws.sql("select nothing from orders", name="bad")
    with pytest.raises(whence.WhenceError):
        ws.scratch_sql("selec 1")
    with pytest.raises(whence.CheckFailed):
        ws.expect("orders", [whence.Check("row", "id < 4", severity="error")])
    (query, query_reason), (check, check_reason) = failed(ws, sent)
    assert (query, check) == ("sql.bad", "expect.orders")
    assert "nothing" in query_reason
    assert check_reason.startswith("orders@1 fails 1 check: id < 4 (2 rows).")
    begun = [each["job"]["name"] for each in events(ws, sent) if each["eventType"] == "START"]
    assert begun == ["create.orders", "create.shops", "sql.bad", "expect.orders"]
    assert [each.name for each in ws.datasets()] == ["orders", "shops"]


def test_a_frame_that_spark_cannot_read_is_a_run_that_fails(ws: whence.Workspace, sent: Path) -> None:
    given = object()
    with pytest.raises(whence.WhenceError, match="not from object"):
        ws.dataset(given, name="no_frame")  # type: ignore[arg-type]
    stream = ws.spark.readStream.format("rate").load()
    with pytest.raises(whence.WhenceError):
        ws.dataset(stream, name="endless")
    with pytest.raises(whence.WhenceError):
        ws.dataset(ws["orders"].df.selectExpr("raise_error('no such row') as x"), name="raises")
    assert [job for job, _ in failed(ws, sent)] == ["dataset.no_frame", "dataset.endless", "dataset.raises"]


def test_the_run_of_a_notebook_says_with_which_parameters_it_ran(ws: whence.Workspace, sent: Path) -> None:
    notebook = ws.notebook("report")
    notebook.append("parameters", "least = 6\ntown = Ulm")
    notebook.append("sql", "select * from orders where amount > :least", name="big")
    notebook.set_parameters({"least": 8})
    notebook.run().wait()
    ws.close()
    found = [json.loads(line) for line in sent.read_text().splitlines()]
    for event in found:
        check_event(event)
    given = {
        (each["job"]["name"], each["eventType"]): each["run"]["facets"]["whence_parameters"]["parameters"]
        for each in found
        if "whence_parameters" in each["run"]["facets"]
    }
    values = {"least": 8, "town": "Ulm"}
    assert given == {(f"report.{notebook.cells[0].id}", "COMPLETE"): values, ("report", "COMPLETE"): values}
