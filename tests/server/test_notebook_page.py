"""The page of a notebook through the API: arranged, refused, in conflict, shared, and with inputs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.conftest import HOST, TOKEN
from whence.server.app import create_app

OWNER = {"host": HOST.decode(), "authorization": f"Bearer {TOKEN}"}
TEXT = {"cell": "c1", "shows": "text", "x": 0, "y": 0, "width": 12, "height": 2}
SLIDER = {"kind": "slider", "low": 0, "high": 9}
INPUT = {"cell": "c2", "shows": "input", "name": "least", "x": 3, "y": 2, "width": 3, "height": 2, "control": SLIDER}


@pytest.fixture
def ws(tmp_path: Path, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path / "w.whence") as ws:
        nb = ws.notebook("tour")
        nb.append("markdown", source="# Prices")
        nb.append("parameters", source="least = 2")
        yield ws


def test_a_page_is_arranged_shown_and_shared(ws: whence.Workspace) -> None:
    client = TestClient(create_app(ws, TOKEN), headers=OWNER)
    answer = client.post("/api/notebooks/tour/page", json={"items": [INPUT, TEXT], "base_version": 2})
    assert answer.json() == {"version": 3, "cell": None}
    again = client.post("/api/notebooks/tour/page", json={"items": [INPUT, TEXT], "base_version": 3})
    assert again.json()["version"] == 3, "the same page is no new version"
    page = client.get("/api/notebooks/tour").json()["page"]
    assert [(each["cell"], each["shows"], each["x"], each["y"], each["values"]) for each in page] == [
        ("c1", "text", 0, 0, []),
        ("c2", "input", 3, 2, [2]),
    ]
    assert page[1]["control"] == {**SLIDER, "step": None, "choices": [], "until": ""}
    token = ws.notebook("tour").share().token
    assert client.post("/api/notebooks/tour/parameters", json={"values": {"least": 5}}).json()["version"] == 4
    assert client.get("/api/notebooks/tour").json()["page"][1]["values"] == [5]
    reader = TestClient(create_app(ws, TOKEN), headers=OWNER | {"authorization": f"Bearer {token}"})
    assert reader.get("/api/notebooks/tour").json()["page"][1]["values"] == [2], "what it was when the link was made"
    refused = [
        reader.post("/api/notebooks/tour/parameters", json={"values": {"least": 7}}).status_code,
        reader.post("/api/notebooks/tour/page", json={"items": []}).status_code,
    ]
    assert refused == [401, 401] or refused == [403, 403]
    assert len(ws.notebook("tour").page.items) == 2


def test_wrong_pages_and_conflicts_are_refused(ws: whence.Workspace) -> None:
    client = TestClient(create_app(ws, TOKEN), headers=OWNER)

    def arrange(*items: dict[str, object], base: int | None = None) -> tuple[int, str]:
        answer = client.post("/api/notebooks/tour/page", json={"items": items, "base_version": base})
        return answer.status_code, answer.text

    for wrong in ({**TEXT, "x": 4}, {**TEXT, "shows": "map"}, {**TEXT, "cell": "c9"}, {**INPUT, "control": None}):
        status, text = arrange(wrong)
        assert status in (400, 422), text
    assert arrange(TEXT, TEXT)[0] == 400
    assert arrange(TEXT)[0] == 200
    assert arrange({**TEXT, "y": 4}, base=3)[0] == 200
    status, text = arrange({**TEXT, "y": 8}, base=3)
    assert (status, "The place of cell c1 on the page was changed" in text) == (409, True)
    assert client.post("/api/notebooks/tour/parameters", json={"values": {"most": 1}}).status_code == 400
