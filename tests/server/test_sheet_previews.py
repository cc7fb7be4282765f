"""Previews of sheet edits through the API: they show what would change and leave the sheet as it is."""

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
def client(tmp_path: Path) -> Iterator[TestClient]:
    with whence.open(tmp_path / "w.whence") as workspace:
        rows = [("bolt ", 10), ("nut", 4), (" wire", None)]
        workspace.create("prices", rows, schema="part string, price int")
        yield TestClient(create_app(workspace, TOKEN), headers=HEADERS)


def test_a_preview_shows_what_would_change_and_keeps_nothing(client: TestClient) -> None:
    sheet = client.post("/api/sheets", json={"dataset": "prices"}).json()["id"]
    edit = {"operation": "set", "arguments": {"row": 1, "column": "price", "value": 5}}
    client.post(f"/api/sheets/{sheet}/operations", json=edit)
    client.post(f"/api/sheets/{sheet}/operations", json={"operation": "undo"})
    before = [client.get(f"/api/sheets/{sheet}{part}").json() for part in ("", "/page")]

    def preview(*operations: tuple[str, dict[str, object]]) -> object:
        asked = [{"operation": name, "arguments": given} for name, given in operations]
        return client.post(f"/api/sheets/{sheet}/preview", json={"operations": asked, "limit": 2}).json()

    assert preview(("set_column", {"column": "part", "value": "=TRIM(A1)"})) == {
        "columns": [{"name": "part", "type": "string"}],
        "inserted": [],
        "rows": [
            {"position": 0, "before": ["bolt "], "after": ["bolt"], "errors": [""]},
            {"position": 2, "before": [" wire"], "after": ["wire"], "errors": [""]},
        ],
        "changed": 2,
        "failed": 0,
        "examined": 3,
    }
    assert preview(
        ("insert_column", {"name": "a", "after": "price", "value": "=10/([@price]-4)"}),
        ("insert_column", {"name": "b", "after": "a", "value": '=[@a]&"!"'}),
    ) == {
        "columns": [{"name": "a", "type": "double"}, {"name": "b", "type": "string"}],
        "inserted": ["a", "b"],
        "rows": [
            {"position": 0, "before": [None, None], "after": [10 / 6, f"{10 / 6!r}!"], "errors": ["", ""]},
            {
                "position": 1,
                "before": [None, None],
                "after": [None, None],
                "errors": ["#DIV/0! It divides by zero."] * 2,
            },
        ],
        "changed": 3,
        "failed": 2,
        "examined": 3,
    }
    assert preview(("undo", {}))["error"]["kind"] == "BadInput"  # type: ignore[index]
    half_done = preview(("insert_column", {"name": "a", "after": None}), ("delete_column", {"column": "gone"}))
    assert half_done["error"]["message"] == "The sheet has no column gone."  # type: ignore[index]
    assert [client.get(f"/api/sheets/{sheet}{part}").json() for part in ("", "/page")] == before


def test_functions_are_listed_with_their_arguments(client: TestClient) -> None:
    functions = {each["name"]: each for each in client.get("/api/sheet-functions").json()}
    assert functions["ROUNDUP"] == {
        "name": "ROUNDUP",
        "arguments": "number, [digits]",
        "sentence": "Rounded away from zero.",
        "group": "Numbers",
    }
