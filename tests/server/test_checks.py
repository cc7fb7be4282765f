"""Checks through the API: suggestions, and previews that count failing rows and keep nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.conftest import HOST, TOKEN
from whence.server.app import create_app

HEADERS = {"host": HOST.decode(), "authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def client(tmp_path: Path, spark_home: whence.Workspace) -> Iterator[TestClient]:
    with whence.open(tmp_path / "w.whence") as workspace:
        workspace.create("parts", [("bolt",), ("nut",)], schema="part string")
        workspace.create("prices", [("bolt", 10), ("nut", -4), ("wire", None)], schema="part string, price int")
        yield TestClient(create_app(workspace, TOKEN), headers=HEADERS)


def test_a_preview_counts_the_rows_that_fail_each_check_and_keeps_nothing(client: TestClient) -> None:
    checks: list[dict[str, object]] = [
        {"kind": "not_null", "column": "price"},
        {"kind": "between", "column": "price", "low": 0},
        {"kind": "reference", "columns": ["part"], "dataset": "parts"},
        {"kind": "key", "columns": ["part"]},
        {"kind": "count", "least": 5},
    ]
    before = client.get("/api/datasets").json()
    found = client.post("/api/datasets/prices/checks/preview", json={"checks": checks}).json()
    assert found["problem"] is None
    assert found["rows"] == 3
    assert [(each["name"], each["failing_rows"], each["passed"]) for each in found["checks"]] == [
        ("price is not null", 1, False),
        ("price is at least 0", 1, False),
        ("part is in parts (part)", 1, False),
        ("part is a key", 0, True),
        ("at least 5 rows", 0, False),
    ]
    assert found["checks"][1]["examples"] == [{"row": 1, "line": None, "values": {"price": -4}}]
    assert client.get("/api/datasets").json() == before


def test_a_check_that_does_not_fit_says_why(client: TestClient) -> None:
    asked = {"checks": [{"kind": "not_null", "column": "cost"}]}
    found = client.post("/api/datasets/prices/checks/preview", json=asked).json()
    assert found["checks"] == []
    assert "cost" in found["problem"]["message"]
    assert client.post("/api/datasets/prices/checks/preview", json={"checks": []}).status_code == 422
    assert client.post("/api/datasets/none/checks/preview", json=asked).status_code == 404


def test_suggested_checks_pass_their_own_preview(client: TestClient) -> None:
    suggested = client.get("/api/datasets/prices/checks").json()
    assert suggested["values"] == {"key": ["part"], "between": [{"column": "price", "low": -4, "high": 10}]}
    assert [each["name"] for each in suggested["checks"]] == ["part is a key", "price is between -4 and 10"]
    found = client.post("/api/datasets/prices/checks/preview", json={"checks": suggested["checks"]}).json()
    assert all(each["passed"] for each in found["checks"])
