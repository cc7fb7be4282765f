"""Forgetting rows through the API: the plan first, a typed name, and a certificate whose key is told once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.conftest import HOST, TOKEN
from whence.model.certificate import Certificate
from whence.server.app import create_app

HEADERS = {"host": HOST.decode(), "authorization": f"Bearer {TOKEN}"}
NEEDLE = "Ottilie Quandt"
WHERE = {"where": f"name = '{NEEDLE}'"}


@pytest.fixture
def served(tmp_path: Path, spark_home: whence.Workspace) -> Iterator[tuple[whence.Workspace, TestClient]]:
    with whence.open(tmp_path / "w.whence") as workspace:
        workspace.create("people", [("Ada", 36), (NEEDLE, 51)], schema="name string, age int")
        workspace.sql("select max(age) as age from people", name="oldest")
        workspace.sql("select name, rand() as r from people", name="drawn")
        yield workspace, TestClient(create_app(workspace, TOKEN), headers=HEADERS)


def test_the_plan_is_shown_first_and_the_typed_name_forgets(served: tuple[whence.Workspace, TestClient]) -> None:
    workspace, client = served
    plan = client.post("/api/datasets/people/forget/plan", json=WHERE).json()
    assert plan["rows"] == {"people@1": 1}
    assert plan["made_again"] == ["oldest@1"]
    assert plan["deleted"] == {"drawn@1": "its query gives other values each time"}
    assert plan["out_of_reach"]
    assert [each["rows"] for each in client.get("/api/datasets").json()] == [2, 1, 2]

    asked = {**WHERE, "plan": plan["plan"], "confirmation": "people"}
    answer = client.post("/api/datasets/people/forget", json=asked).json()
    assert answer["certificate"]["state"] == "done"
    assert NEEDLE not in answer["page"]
    assert answer["page"].startswith("<!doctype html>")
    certificate = Certificate.from_json(answer["certificate"])
    assert certificate.covers({"name": NEEDLE, "age": 51}, answer["key"])
    assert not certificate.covers({"name": "Ada", "age": 36}, answer["key"])
    assert workspace["oldest"].to_arrow().to_pylist() == [{"age": 36}]
    assert workspace["people"].to_arrow().to_pylist() == [{"name": "Ada", "age": 36}]


def test_another_name_and_a_plan_that_is_out_of_date_forget_nothing(
    served: tuple[whence.Workspace, TestClient],
) -> None:
    workspace, client = served
    plan = client.post("/api/datasets/people/forget/plan", json=WHERE).json()["plan"]
    wrong = client.post("/api/datasets/people/forget", json={**WHERE, "plan": plan, "confirmation": "persons"})
    assert (wrong.status_code, wrong.json()["error"]["message"]) == (400, "The confirmation is not the name people.")
    workspace.sql("select min(age) as age from people", name="youngest")
    late = client.post("/api/datasets/people/forget", json={**WHERE, "plan": plan, "confirmation": "people"})
    assert late.json()["error"]["message"] == "The workspace has changed since the plan was shown."
    assert workspace["people"].count == 2


def test_nobody_forgets_without_the_token_of_the_owner(served: tuple[whence.Workspace, TestClient]) -> None:
    workspace, client = served
    share = workspace.notebook("shared").share()
    stranger = TestClient(client.app, headers={"host": HOST.decode()})
    reader = TestClient(client.app, headers={"host": HOST.decode()})
    reader.get(share.path)
    for each in (stranger, reader):
        for end in ("forget", "forget/plan"):
            asked = {**WHERE, "plan": "none", "confirmation": "people"}
            assert each.post(f"/api/datasets/people/{end}", json=asked).status_code in (401, 403)
    assert workspace["people"].count == 2
