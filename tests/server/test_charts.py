"""Charts, linked charts and questions about marks through the API, against sums in plain Python."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.conftest import HOST, TOKEN
from whence.explain import fetch
from whence.server.app import create_app

HEADERS = {"host": HOST.decode(), "authorization": f"Bearer {TOKEN}"}
Sale = tuple[int, str, int, float]
BY_DAY = {"aes": {"x": "day", "y": "amount"}, "stat": "sum", "geom": "bar"}
BY_SHOP = {"aes": {"x": "shop", "y": "amount", "color": "shop"}, "stat": "sum", "geom": "bar"}


def _sales() -> list[Sale]:
    """Ten days of sales; from day 6 on the afternoons of shop b are far too high."""
    chance = random.Random(3)
    return [
        (day, shop, hour, round(chance.uniform(5, 15) * (8 if day >= 6 and shop == "b" and hour >= 13 else 1), 2))
        for day in range(10)
        for shop in "abcd"
        for hour in range(9, 18)
        for _ in range(3)
    ]


SALES = _sales()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[TestClient]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("charts") / "w.whence") as ws:
        ws.create("sales", SALES, schema="day int, shop string, hour int, amount double")
        ws.create("pets", [("cat",), ("dog",)], schema="kind string")
        with TestClient(create_app(ws, TOKEN), headers=HEADERS) as client:
            yield client


def drawn(client: TestClient, spec: Mapping[str, object], dataset: str = "sales") -> Any:  # noqa: ANN401 - JSON
    answer = client.post(f"/api/datasets/{dataset}/charts", json={"spec": spec})
    assert answer.status_code == 200, answer.text
    return answer.json()


def totals(rows: Iterable[Sale], key: Callable[[Sale], object]) -> dict[object, object]:
    found: dict[object, float] = defaultdict(float)
    for row in rows:
        found[key(row)] += row[3]
    return {name: pytest.approx(value) for name, value in found.items()}


def test_a_chart_is_suggested_drawn_read_again_and_leads_to_its_rows(client: TestClient) -> None:
    suggested = client.get("/api/datasets/sales/charts").json()
    assert len(suggested) == 3
    assert all(each["why"].endswith(".") for each in suggested)
    cost = client.post("/api/datasets/sales/charts/cost", json={"spec": BY_DAY}).json()
    assert cost == {"text": "Reads 2 columns of 1,080 rows; up to 1,080 marks.", "is_large": False}
    chart = drawn(client, BY_DAY)
    assert (chart["source"], chart["value"], chart["marks"]["rows"]) == ({"name": "sales", "version": 1}, "y", 10)
    rows = {row["_x"]: row["y"] for row in chart["vega"]["datasets"]["rows"]}
    assert rows == totals(SALES, lambda row: row[0])
    assert drawn(client, BY_DAY)["chart"] == chart["chart"]
    assert [each["name"] for each in client.get("/api/datasets").json()] == ["sales", "pets"]
    kept = client.post("/api/datasets/sales/charts", json={"spec": BY_DAY, "name": "by_day"}).json()
    assert kept["chart"] == "by_day@1"
    assert [each["name"] for each in client.get("/api/datasets").json()] == ["sales", "pets", "by_day"]
    again = client.get(f"/api/charts/{chart['chart']}/picture").json()
    assert again["vega"] == chart["vega"]
    kept = client.post(f"/api/charts/{chart['chart']}/rows", json={"marks": [2, 3]}).json()
    assert (kept["name"], kept["rows"]) == ("sales_rows", sum(row[0] in (2, 3) for row in SALES))
    page = client.get("/api/datasets/sales_rows/page", params={"limit": 1000}).json()
    assert sorted(map(tuple, page["rows"])) == sorted(row for row in SALES if row[0] in (2, 3))
    refused = client.post("/api/datasets/sales/charts", json={"spec": {"aes": {"x": "dya"}}})
    assert refused.status_code == 400
    assert "Did you mean day?" in refused.json()["error"]["hint"]
    assert client.get("/api/charts/sales/picture").json()["error"]["message"] == (
        "sales@1 does not hold the marks of a chart."
    )


def test_brushes_combine_and_equal_sums_over_the_selected_rows(client: TestClient) -> None:
    charts = [drawn(client, BY_DAY), drawn(client, BY_SHOP), drawn(client, {"aes": {"x": "kind"}}, "pets")]
    asked = {"charts": [each["chart"] for each in charts], "tables": ["sales"]}
    linked = client.post("/api/links", json=asked).json()
    assert linked["charts"][1]["colors"] == ["a", "b", "c", "d"]
    where = f"/api/links/{linked['link']}"
    told = client.post(f"{where}/prepare", json={"chart": 0}).json()
    assert [said.split(" share no source rows")[0] for said in told] == ["sales_chart and pets_chart"]
    first = client.post(f"{where}/brush", json={"chart": 0, "x": [1.6, 4.4]}).json()
    assert first["marks"] == [2, 3, 4]
    by_shop = next(each for each in first["charts"] if each["chart"] == 1)
    assert {row["x"]: row["y"] for row in by_shop["rows"]["rows"]} == totals(
        (row for row in SALES if 2 <= row[0] <= 4), lambda row: row[1]
    )
    second = client.post(f"{where}/brush", json={"chart": 1, "color": ["b", "c"]}).json()
    by_day = next(each for each in second["charts"] if each["chart"] == 0)
    chosen = [row for row in SALES if row[1] in "bc"]
    assert dict(enumerate(by_day["values"])) == totals(chosen, lambda row: row[0])
    pets = next(each for each in second["charts"] if each["chart"] == 2)
    assert (pets["values"], pets["rows"]) == ([None, None], {"rows": []})
    assert len(second["notes"]) == 2
    both = [place for place, row in enumerate(SALES) if 2 <= row[0] <= 4 and row[1] in "bc"]
    rows = client.post(f"{where}/rows", json={"table": 0, "limit": 2}).json()
    assert rows == {"count": len(both), "rids": both[:2]}
    assert client.post(f"{where}/rows", json={"table": 1}).status_code == 404
    third = client.post(f"{where}/brush", json={"chart": 0, "marks": [9]}).json()
    by_shop = next(each for each in third["charts"] if each["chart"] == 1)
    over = totals((row for row in SALES if row[0] == 9), lambda row: row[1])
    assert dict(zip("abcd", by_shop["values"], strict=True)) == over
    cleared = client.post(f"{where}/clear", json={}).json()
    assert dict(zip("abcd", cleared["charts"][1]["values"], strict=True)) == totals(SALES, lambda row: row[1])
    assert client.post(f"{where}/brush", json={"chart": 7, "marks": [0]}).status_code == 404
    assert client.post("/api/links/none/clear", json={}).status_code == 404


def test_a_question_is_searched_previewed_and_made_to_last(client: TestClient) -> None:
    chart = drawn(client, BY_DAY)
    asked = client.post("/api/questions", json={"chart": chart["chart"]}).json()
    assert (asked["column"], asked["input"], asked["rows"]) == ("y", {"name": "sales", "version": 1}, len(SALES))
    facets = {facet["column"]: facet for facet in asked["facets"]}
    assert {bar["value"]: bar["count"] for bar in facets["shop"]["bars"]} == dict.fromkeys("abcd", 270)
    assert set(asked["left_out"]) == {"amount", "day"}
    where = f"/api/questions/{asked['question']}"
    client.post(f"{where}/search", json={"outliers": [6, 7, 8, 9], "attributes": ["shop", "hour"]})
    while (found := client.get(where).json())["state"] == "running":
        time.sleep(0.1)
    assert found["state"] == "done", found
    answers = {answer["sql"]: answer for answer in found["answers"]}
    assert any("shop = 'b'" in sql and "hour" in sql for sql in answers), answers.keys()
    best = next(answer for sql, answer in answers.items() if "hour" in sql)
    assert "sum of amount goes from" in best["sentence"]
    assert [each["mark"] for each in best["effect"] if each["role"] == "outlier"] == [6, 7, 8, 9]

    clauses = [{"column": "shop", "values": ["b"]}, {"column": "hour", "values": [13, 14, 15, 16, 17]}]
    odd = [row for row in SALES if row[1] == "b" and row[2] >= 13]
    preview = client.post(f"{where}/preview", json={"clauses": clauses}).json()
    left = [row for row in SALES if row not in odd]
    assert dict(enumerate(preview["values"])) == totals(left, lambda row: row[0])
    assert preview["count"] == len(odd)
    assert {row["_x"]: row["y"] for row in preview["rows"]["rows"]} == totals(left, lambda row: row[0])
    alone = client.post(f"{where}/preview", json={"clauses": clauses, "keep": True}).json()
    assert dict(enumerate(alone["values"])) == totals(odd, lambda row: row[0])
    early = [{"column": "hour", "values": list(range(9, 15))}]
    compared = client.post(f"{where}/compare", json={"one": clauses, "other": early}).json()
    taken = [row for row in SALES if row[2] <= 14]
    assert compared == {"one": len(odd), "other": len(taken), "both": sum(row[2] <= 14 for row in odd)}
    refused = client.post(f"{where}/preview", json={"clauses": [{"column": "shop", "low": 1}]})
    assert refused.json()["error"]["message"] == "shop has values but no order."

    client.post("/api/notebooks", json={"name": "clean"})
    for cell in preview["cells"].values():
        assert client.post("/api/notebooks/clean/cells", json=cell).status_code == 200
    cells = _finished_cells(client)
    made = {cell["kind"]: cell["datasets"][0]["name"] for cell in cells}
    assert made == {"filter": "sales_filtered", "sql": "sales_labelled", "caveat": "sales_doubted"}
    rows = client.get("/api/datasets/sales_filtered/page", params={"limit": 1000}).json()
    assert rows["count"] == len(left)
    labelled = client.get("/api/datasets/sales_labelled/page", params={"limit": 1000}).json()["rows"]
    assert [row[4] for row in labelled] == [row in odd for row in SALES][:1000]
    doubted = client.get("/api/datasets/sales_doubted/page", params={"limit": 1000}).json()
    assert [marks == [3] for marks in doubted["marks"]] == [row in odd for row in SALES][:1000]


def test_of_very_many_rows_only_what_is_looked_at_is_read(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "IN_MEMORY", 100)
    chart = drawn(client, {**BY_DAY, "stat": "max"})
    asked = client.post("/api/questions", json={"chart": chart["chart"]}).json()
    assert asked["rows"] == len(SALES)
    facets = {facet["column"]: facet for facet in asked["facets"]}
    assert {bar["value"]: bar["count"] for bar in facets["shop"]["bars"]} == dict.fromkeys("abcd", 270)
    assert sum(bar["count"] for bar in facets["hour"]["bars"]) == len(SALES)
    where = f"/api/questions/{asked['question']}"
    clauses = [{"column": "shop", "values": ["b"]}, {"column": "hour", "low": 13, "high": 17}]
    clauses = clauses if facets["hour"]["bars"][0]["low"] is not None else clauses[:1]
    met = [row[1] == "b" and (len(clauses) == 1 or row[2] >= 13) for row in SALES]
    for keep in (False, True):
        preview = client.post(f"{where}/preview", json={"clauses": clauses, "keep": keep}).json()
        kept = [row for row, is_met in zip(SALES, met, strict=True) if is_met == keep]
        assert preview["values"] == [max(row[3] for row in kept if row[0] == day) for day in range(10)]
        assert preview["count"] == sum(met)
    compared = client.post(f"{where}/compare", json={"one": clauses, "other": clauses[:1]}).json()
    assert compared == {"one": sum(met), "other": 270, "both": sum(met)}


def _finished_cells(client: TestClient) -> list[Any]:
    for _ in range(600):
        cells = client.get("/api/notebooks/clean").json()["cells"]
        if all(cell["status"] in ("ready", "error") for cell in cells):
            assert [cell["error"] for cell in cells] == [None] * len(cells)
            return list(cells)
        time.sleep(0.1)
    raise AssertionError(cells)


def test_a_search_can_be_stopped_and_says_what_went_wrong(client: TestClient) -> None:
    chart = drawn(client, BY_DAY)
    asked = client.post("/api/questions", json={"chart": chart["chart"]}).json()
    where = f"/api/questions/{asked['question']}"
    client.post(f"{where}/search", json={"outliers": [99]})
    while (found := client.get(where).json())["state"] == "running":
        time.sleep(0.05)
    assert (found["state"], found["answers"]) == ("failed", [])
    assert "has no row 99" in found["reason"]
    client.post(f"{where}/search", json={"outliers": [6, 7, 8, 9], "expected": {"6": 1000.0}})
    client.post(f"{where}/stop")
    while (found := client.get(where).json())["state"] == "running":
        time.sleep(0.05)
    assert found["state"] in ("stopped", "done")
    points = drawn(client, {"aes": {"x": "hour", "y": "amount"}, "geom": "point"})
    refused = client.post("/api/questions", json={"chart": points["chart"]})
    assert refused.status_code == 400
    assert client.get("/api/questions/none").status_code == 404


def test_the_page_is_told_the_grammar(client: TestClient) -> None:
    grammar = client.get("/api/chart-grammar").json()
    assert {family: len(each) for family, each in grammar.items()} == {
        "channels": 11, "geoms": 25, "stats": 29, "positions": 7, "scales": 15, "toggles": 3, "reference": 3,
        "overlay": 5,
    }  # fmt: skip
    jitter = next(each for each in grammar["positions"] if each["name"] == "jitter")
    assert jitter["options"][1] == {
        "name": "seed", "kind": "whole", "label": "which way", "default": 0, "is_required": False, "choices": [],
        "least": 0, "fields": [],
    }  # fmt: skip


def test_charts_of_one_query_have_pictures_of_their_own(client: TestClient) -> None:
    bars = drawn(client, BY_DAY)
    lines = drawn(client, {**BY_DAY, "geom": "line"})
    narrow = drawn(client, {**BY_DAY, "width": 200})
    assert [each["spec"] for each in (bars, lines, narrow)] == [
        BY_DAY,
        {**BY_DAY, "geom": "line"},
        {**BY_DAY, "width": 200},
    ]
    assert bars["vega"]["mark"]["type"] == "bar"
    assert lines["vega"]["layer"][0]["mark"]["type"] == "line"
    assert narrow["vega"]["width"] == 200
    assert drawn(client, {"geom": "bar", "stat": "sum", "aes": {"y": "amount", "x": "day"}}) == bars
    assert client.get(f"/api/charts/{lines['chart']}/picture").json() == lines


def test_a_chart_is_read_as_sql_and_as_altair(client: TestClient) -> None:
    chart = drawn(client, BY_SHOP)["chart"]
    code = client.get(f"/api/charts/{chart}/code").json()
    assert code["sql"].startswith("select x, y, color\nfrom (")
    assert 'ws["sales"].to_pandas()' in code["altair"]
    assert 'y=alt.Y("sum(amount):Q"' in code["altair"]
