"""Between which values a cell lies, through the API."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.conftest import TOKEN
from tests.server.test_notebooks import HEADERS
from whence.server.app import create_app

ROUTE = "/api/datasets/{}/bounds?row={}&column={}"


@pytest.fixture
def client(ws: whence.Workspace) -> TestClient:
    doubts = [(0, "pieces", "smudged", (10, 14))]
    ws.create("counted", [("A", 12), ("B", 2)], schema="part string, pieces int", cell_caveats=doubts)
    ws.sql("select sum(pieces) as pieces, sum(sin(pieces)) as rest from counted", name="total")
    ws.sql("select sum(pieces) as pieces from counted where pieces > 1", name="large")
    return TestClient(create_app(ws, TOKEN), headers=HEADERS)


def test_a_cell_tells_its_bounds_or_why_it_has_none(client: TestClient) -> None:
    assert client.get(ROUTE.format("counted", 0, "pieces")).json() == {
        "low": 10,
        "best": 12,
        "high": 14,
        "may_be_missing": False,
        "why": "",
    }
    total = client.get(ROUTE.format("total", 0, "pieces")).json()
    assert (total["low"], total["best"], total["high"]) == (12, 14, 16)
    rest = client.get(ROUTE.format("total", 0, "rest")).json()
    assert (rest["low"], rest["high"]) == (None, None)
    assert rest["why"].startswith("No rule bounds")
    assert client.get(ROUTE.format("total", 0, "nothing")).status_code == 404
    assert client.get(ROUTE.format("total", 9, "pieces")).status_code == 404


def test_columns_tell_their_widest_bounds_once_they_are_worked_out(client: TestClient) -> None:
    pieces = {"column": "pieces", "doubtful": 1, "unknown": 0, "widest": 4 / 12, "row": 0, "why": ""}
    known = client.get("/api/datasets/counted/widths?at_hand=true").json()
    assert known == {"is_known": True, "columns": [pieces]}
    total, rest = client.get("/api/datasets/total/widths?at_hand=true").json()["columns"]
    assert total == {**pieces, "widest": 4 / 14}
    assert (rest["unknown"], rest["widest"], rest["row"]) == (1, None, None)
    assert rest["why"].startswith("No rule bounds")
    assert client.get("/api/datasets/large/widths?at_hand=true").json() == {"is_known": False, "columns": []}
    assert len(client.get("/api/datasets/large/widths").json()["columns"]) == 1
    assert client.get("/api/datasets/large/widths?at_hand=true").json()["is_known"] is True


def test_a_cell_tells_which_caveats_make_its_width(client: TestClient) -> None:
    (part,) = client.get("/api/datasets/total/width-parts?row=0&column=pieces").json()
    assert (part["caveats"]["message"], part["takes"], part["share"]) == ("smudged", 4.0, 1.0)
    settled = {"low": 14, "best": 14, "high": 14, "may_be_missing": False, "why": ""}
    assert (part["alone"], part["together"]) == (settled, settled)
    assert client.get("/api/datasets/total/width-parts?row=7&column=pieces").status_code == 404
