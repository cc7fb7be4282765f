"""What the grid asks of a sheet beside its pages: filters, doubts, sums, searches, what was done to a cell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.test_sheets import do, opened, serving

ROWS = [("bolt", 10.0), ("nut", 4.0), ("wire", 7.0), ("nut", 4.0), ("nut", 9.0), ("Bolt end", None)]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[whence.Workspace]:
    with whence.open(tmp_path / "w.whence") as ws:
        ws.create(
            "prices", ROWS, schema="part string, price double", cell_caveats=[(2, "price", "?")], row_caveats=[(4, "?")]
        )
        yield ws


@pytest.fixture
def client(workspace: whence.Workspace) -> TestClient:
    return serving(workspace)


def get(client: TestClient, sheet: str, path: str, **query: Any) -> Any:  # noqa: ANN401 - JSON
    answer = client.get(f"/api/sheets/{sheet}/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_filter_is_a_way_of_looking_and_drops_nothing(client: TestClient) -> None:
    sheet = opened(client)
    page = get(client, sheet, "page", where="[@price] < 9")
    assert (page["count"], page["total"], page["positions"]) == (3, 6, [1, 2, 3])
    do(client, sheet, "set", row=page["keys"][0], column="price", value="=B1*2")
    page = get(client, sheet, "page", where="[@price] < 9")
    assert page["positions"] == [2, 3], "a row that the condition no longer fits leaves the view"
    page = get(client, sheet, "page", where="[@price] > 15", limit=1)
    assert (page["rows"], page["formulas"]) == ([["nut", 20]], [{"row": 1, "column": "price", "text": "=B1*2"}])
    assert get(client, sheet, "page")["count"] == 6
    refused = client.get(f"/api/sheets/{sheet}/page", params={"where": "[@cost] > 1"})
    assert refused.status_code == 400
    assert "price" in refused.json()["error"]["hint"]


def test_columns_say_what_they_show_and_what_they_were(client: TestClient) -> None:
    sheet = opened(client)
    do(client, sheet, "rename_column", column="price", name="cost")
    do(client, sheet, "insert_column", name="note", after="cost")
    do(client, sheet, "set", row=0, column="cost", value="n/a")
    assert get(client, sheet, "page")["columns"] == [
        {"name": "part", "type": "string", "base": "part", "base_type": "string"},
        {"name": "cost", "type": "string", "base": "price", "base_type": "double"},
        {"name": "note", "type": "string", "base": None, "base_type": None},
    ]


def test_a_block_is_pasted_and_taken_back_as_one_step(client: TestClient) -> None:
    sheet = opened(client)
    keys = get(client, sheet, "page")["keys"]
    pasted = [["screw", "12"], ["cable", "=B1*3"]]
    view = do(client, sheet, "set_cells", rows=keys[1:3], columns=["part", "price"], values=pasted).json()
    assert (view["operations"], view["sentence"]) == (1, "Set 4 cells of part, price.")
    assert get(client, sheet, "page")["rows"][:4] == [["bolt", 10], ["screw", 12], ["cable", 30], ["nut", 4]]
    view = do(client, sheet, "undo").json()
    assert (view["operations"], view["undone"], view["sentence"]) == (0, 1, None)
    assert get(client, sheet, "page")["rows"][1] == ["nut", 4]
    assert do(client, sheet, "set_cells", rows=[0], columns=["part"], values=[]).status_code == 400


def test_the_rail_counts_doubts_and_edits_where_they_stand(client: TestClient) -> None:
    sheet = opened(client)
    do(client, sheet, "set", row=5, column="price", value="=1/0")
    do(client, sheet, "set", row=0, column="part", value="rod")
    density = get(client, sheet, "density", buckets=3)
    assert density == {"rows": 6, "starts": [0, 2, 4], "doubts": [0, 1, 2], "edits": [1, 0, 1]}
    do(client, sheet, "sort", by=[["part", "desc"]])
    order = [row[0] for row in get(client, sheet, "page")["rows"]]
    assert order == ["wire", "rod", "nut", "nut", "nut", "Bolt end"]
    assert get(client, sheet, "density", buckets=3)["doubts"] == [1, 0, 2]
    assert get(client, sheet, "density", where='[@part] = "nut"')["rows"] == 3


def test_the_next_doubt_is_found_in_both_directions_and_round_the_end(client: TestClient) -> None:
    sheet = opened(client)
    do(client, sheet, "set", row=5, column="price", value="=1/0")
    walked: list[tuple[int, str, bool]] = []
    place: dict[str, Any] = {}
    for _ in range(4):
        place = get(client, sheet, "next-doubt", **{k: place[k] for k in ("row", "column") if k in place})
        walked.append((place["row"], place["column"], place["wrapped"]))
    assert walked == [(2, "price", False), (4, "part", False), (5, "price", False), (2, "price", True)]
    back = get(client, sheet, "next-doubt", row=4, column="part", direction="previous")
    assert (back["row"], back["column"]) == (2, "price")
    assert get(client, sheet, "next-doubt", where="[@price] > 9") is None


def test_a_text_is_found_wherever_it_shows(client: TestClient) -> None:
    sheet = opened(client)
    assert get(client, sheet, "find", text="BOLT", row=0, column="part") == {
        "row": 5,
        "column": "part",
        "wrapped": False,
    }
    assert get(client, sheet, "find", text="9") == {"row": 4, "column": "price", "wrapped": False}
    assert get(client, sheet, "find", text="nothing like it") is None
    assert client.get(f"/api/sheets/{sheet}/find", params={"text": ""}).status_code == 400


def test_a_selection_is_summed_up(client: TestClient) -> None:
    sheet = opened(client)
    do(client, sheet, "set", row=0, column="price", value="=B2+1")
    found = get(client, sheet, "summary", column=["part", "price"], start=0, stop=3)
    assert found == {"filled": 6, "numbers": 3, "sum": 16.0, "average": 16 / 3, "min": 4.0, "max": 7.0}
    assert get(client, sheet, "summary", column="price", where='[@part] = "nut"')["sum"] == 17.0
    assert get(client, sheet, "summary", column="part")["sum"] is None
    assert client.get(f"/api/sheets/{sheet}/summary", params={"column": "nope"}).status_code == 404


def test_what_was_done_to_a_cell_is_told_in_order(client: TestClient) -> None:
    sheet = opened(client)
    key = get(client, sheet, "page")["keys"][1]
    do(client, sheet, "set", row=1, column="price", value=5)
    do(client, sheet, "set", row=0, column="price", value=1)
    do(client, sheet, "sort", by=["price"])
    do(client, sheet, "set_where", where='[@part] = "nut"', column="price", value="=[@price]*2")
    told = get(client, sheet, "history", row=key, column="price")["steps"]
    assert [(step["number"], step["value"]) for step in told] == [(1, 5), (4, None)]
    assert told[1]["formula"] == "=[@price]*2"
    assert get(client, sheet, "history", row=key, column="part")["steps"] == []


def test_identical_cells_are_counted_before_they_are_changed(client: TestClient) -> None:
    sheet = opened(client)
    assert get(client, sheet, "identical", row=get(client, sheet, "page")["keys"][1], column="part")["count"] == 0
    do(client, sheet, "set", row=1, column="part", value="Nut")
    key = get(client, sheet, "page")["keys"][1]
    assert get(client, sheet, "identical", row=key, column="part")["count"] == 2
    do(client, sheet, "apply_to_identical", row=key, column="part")
    assert [row[0] for row in get(client, sheet, "page")["rows"]] == ["bolt", "Nut", "wire", "Nut", "Nut", "Bolt end"]


def test_a_sheet_is_gone_on_with_where_it_was_left(workspace: whence.Workspace, client: TestClient) -> None:
    asked = {"dataset": "prices", "resume": True}
    first = client.post("/api/sheets", json=asked).json()["id"]
    assert client.post("/api/sheets", json=asked).json()["id"] == first
    do(client, first, "set", row=0, column="price", value=1)
    workspace.create("prices", ROWS[:2], schema="part string, price double")
    resumed = serving(workspace).post("/api/sheets", json=asked).json()
    assert (resumed["id"], resumed["version"], resumed["operations"]) == (first, 1, 1)
    client.post(f"/api/sheets/{first}/discard")
    assert client.post("/api/sheets", json=asked).json()["version"] == 2


def test_values_are_counted_in_what_is_looked_at(client: TestClient) -> None:
    sheet = opened(client)
    do(client, sheet, "set", row=0, column="part", value="nut")
    values = get(client, sheet, "values", column="part")
    assert values == {
        "values": [{"text": "nut", "count": 4}, {"text": "Bolt end", "count": 1}, {"text": "wire", "count": 1}],
        "distinct": 3,
    }
    numbers = get(client, sheet, "values", column="price", where="ISBLANK(B1) ", limit=1)
    assert numbers == {"values": [{"text": None, "count": 1}], "distinct": 1}
    assert get(client, sheet, "values", column="price", limit=1)["values"] == [{"text": "4", "count": 2}]
    assert get(client, sheet, "values", column="part", text="BOLT")["values"] == [{"text": "Bolt end", "count": 1}]
    chosen = get(client, sheet, "page", where='OR(EXACT(B1,"4"),EXACT(B1,"9"))')
    assert chosen["positions"] == [1, 3, 4], "a value is found again by its text"
    assert client.get(f"/api/sheets/{sheet}/values", params={"column": "nope"}).status_code == 404


def test_values_that_are_alike_are_found_and_merged_as_one_step(tmp_path: Path) -> None:
    names = ["Acme Inc.", "acme inc", "ACME, Inc", "Lumen", "Lumem", "Northwind", None, "Acme Inc."]
    with whence.open(tmp_path / "w.whence") as ws:
        ws.create("prices", [(name,) for name in names], schema="supplier string")
        client = serving(ws)
        sheet = opened(client)
        by_words = get(client, sheet, "clusters", column="supplier")["clusters"]
        assert by_words == [
            [
                {"text": "Acme Inc.", "count": 2},
                {"text": "ACME, Inc", "count": 1},
                {"text": "acme inc", "count": 1},
            ]
        ]
        near = get(client, sheet, "clusters", column="supplier", method="distance")["clusters"]
        assert [{each["text"] for each in cluster} for cluster in near[1:]] == [{"Lumen", "Lumem"}]
        merged = {"acme inc": "Acme", "ACME, Inc": "Acme", "Acme Inc.": "Acme", "Lumem": "Lumen"}
        view = do(client, sheet, "recode", column="supplier", values=merged).json()
        assert view["sentence"] == "Merged 4 values of supplier."
        rows = [row[0] for row in get(client, sheet, "page")["rows"]]
        assert rows == ["Acme", "Acme", "Acme", "Lumen", "Lumen", "Northwind", None, "Acme"]
        do(client, sheet, "undo")
        assert [row[0] for row in get(client, sheet, "page")["rows"]] == names
        refused = client.post(
            f"/api/sheets/{sheet}/operations",
            json={"operation": "recode", "arguments": {"column": "supplier", "values": {}}, "command_id": "x"},
        )
        assert refused.status_code == 400


def test_a_column_is_converted_by_a_formula_over_itself(client: TestClient) -> None:
    sheet = opened(client)
    do(client, sheet, "set_column", column="price", value="=TEXT(B1)")
    assert get(client, sheet, "page")["columns"][1]["type"] == "string"
    do(client, sheet, "set", row=0, column="price", value="many")
    do(client, sheet, "set_column", column="price", value="=VALUE(B1)")
    page = get(client, sheet, "page")
    assert page["columns"][1]["type"] == "double"
    assert [row[1] for row in page["rows"]][1:] == [4.0, 7.0, 4.0, 9.0, None]
    assert [note["row"] for note in page["errors"]] == [0]
