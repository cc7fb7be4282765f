"""Sheets through the API: live pages, edits that survive a restart, and one cell when they are applied."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.conftest import HOST, TOKEN
from whence.model.errors import UserError
from whence.server.app import create_app
from whence.store.pending_sheets import PendingSheets

HEADERS = {"host": HOST.decode(), "authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[whence.Workspace]:
    with whence.open(tmp_path / "w.whence") as ws:
        ws.create("prices", [("bolt", 10), ("nut", 4), ("wire", 7)], schema="part string, price int")
        yield ws


def serving(workspace: whence.Workspace) -> TestClient:
    return TestClient(create_app(workspace, TOKEN), headers=HEADERS)


def opened(client: TestClient) -> str:
    return str(client.post("/api/sheets", json={"dataset": "prices"}).json()["id"])


def do(client: TestClient, sheet: str, operation: str, **arguments: object) -> Any:  # noqa: ANN401 - JSON
    asked = {"operation": operation, "arguments": arguments}
    return client.post(f"/api/sheets/{sheet}/operations", json=asked)


def test_edits_show_at_once_and_formulas_follow(workspace: whence.Workspace) -> None:
    client = serving(workspace)
    sheet = opened(client)
    do(client, sheet, "insert_column", name="gross", after="price")
    do(client, sheet, "set_column", column="gross", value="=B1*2")
    assert do(client, sheet, "set", row=1, column="price", value=5).json()["operations"] == 3
    page = client.get(f"/api/sheets/{sheet}/page").json()
    assert page["rows"] == [["bolt", 10, 20], ["nut", 5, 10], ["wire", 7, 14]]
    assert page["edited"][1] == [1, 2]
    assert {note["row"]: note["text"] for note in page["formulas"]} == {0: "=B1*2", 1: "=B2*2", 2: "=B3*2"}
    do(client, sheet, "undo")
    assert client.get(f"/api/sheets/{sheet}/page").json()["rows"][1] == ["nut", 4, 8]


def test_pending_edits_survive_a_restart_and_a_line_cut_short(workspace: whence.Workspace) -> None:
    sheet = opened(first := serving(workspace))
    do(first, sheet, "set", row=0, column="price", value=11)
    do(first, sheet, "set", row=1, column="price", value=99)
    do(first, sheet, "undo")
    log = workspace.path / "sheets" / f"{sheet}.jsonl"
    log.write_bytes(log.read_bytes() + b'{"command": null, "opera')
    second = serving(workspace)
    assert [each["id"] for each in second.get("/api/sheets").json()] == [sheet]
    assert [row[1] for row in second.get(f"/api/sheets/{sheet}/page").json()["rows"]] == [11, 4, 7]
    do(second, sheet, "delete_row", rows=[2])
    assert serving(workspace).get(f"/api/sheets/{sheet}").json()["count"] == 2


def test_an_operation_sent_twice_is_done_once(workspace: whence.Workspace) -> None:
    client = serving(workspace)
    sheet = opened(client)
    asked = {"operation": "insert_row", "arguments": {}, "command_id": "one"}
    views = [client.post(f"/api/sheets/{sheet}/operations", json=asked).json() for _ in range(2)]
    assert [view["count"] for view in views] == [4, 4]
    again = serving(workspace).post(f"/api/sheets/{sheet}/operations", json=asked).json()
    assert again["count"] == 4


def test_an_edit_that_cannot_be_kept_was_not_made(workspace: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    client = serving(workspace)
    sheet = opened(client)

    def refuse(*_: object) -> None:
        raise UserError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(PendingSheets, "add", refuse)
        assert do(client, sheet, "set", row=0, column="price", value=99).status_code == 400
    assert client.get(f"/api/sheets/{sheet}/page").json()["rows"][0] == ["bolt", 10]


@pytest.mark.parametrize(
    ("operation", "arguments", "status"),
    [
        ("nope", {}, 400),
        ("set", {"row": 0}, 400),
        ("set", {"row": 99, "column": "price", "value": 1}, 404),
        ("set", {"row": 0, "column": "nope", "value": 1}, 404),
        ("sort", {"by": "price"}, 400),
        ("filter", {"where": "=1+"}, 400),
        ("_do", {}, 400),
    ],
)
def test_what_makes_no_sense_changes_nothing(
    workspace: whence.Workspace, operation: str, arguments: dict[str, object], status: int
) -> None:
    client = serving(workspace)
    sheet = opened(client)
    answer = do(client, sheet, operation, **arguments)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["message"]
    assert serving(workspace).get(f"/api/sheets/{sheet}").json()["operations"] == 0


def test_a_sheet_nobody_opened(workspace: whence.Workspace) -> None:
    client = serving(workspace)
    for id in ("0" * 16, "..%2Fmeta", "x"):
        assert client.get(f"/api/sheets/{id}").status_code == 404


def test_a_sheet_belongs_to_the_notebook_that_made_its_data(tmp_path: Path) -> None:
    (tmp_path / "numbers.csv").write_text("x\n1\n")
    with whence.open(tmp_path / "w.whence") as ws:
        ws.notebook("first").append("markdown", "about")
        second = ws.notebook("second")
        second.append("load", source=str(tmp_path / "numbers.csv"), name="numbers")
        second.append("markdown", "after")
        second.wait()
        ws.create("loose", [(1,)], schema="x int")
        client = serving(ws)
        sheets = [client.post("/api/sheets", json={"dataset": name}).json()["id"] for name in ("numbers", "loose")]
        homes = [client.get(f"/api/sheets/{sheet}/home").json() for sheet in sheets]
    assert homes == [{"notebook": "second", "position": 1}, None]


def test_applying_that_is_sent_again_answers_the_same(workspace: whence.Workspace) -> None:
    client = serving(workspace)
    for name in ("tour", "other"):
        client.post("/api/notebooks", json={"name": name})
        client.post(f"/api/notebooks/{name}/mode", json={"mode": "lazy"})
    sheet = opened(client)
    do(client, sheet, "set", row=0, column="price", value=11)
    asked = {"notebook": "tour", "name": "repaired", "command_id": "mine"}
    first = client.post(f"/api/sheets/{sheet}/apply", json=asked)
    client.post("/api/notebooks/tour/cells", json={"kind": "markdown", "values": {"source": "later"}})
    for again in (client, serving(workspace)):
        assert again.post(f"/api/sheets/{sheet}/apply", json=asked).json() == first.json()
    assert [cell["kind"] for cell in client.get("/api/notebooks/tour").json()["cells"]] == ["sheet", "markdown"]
    assert client.post(f"/api/sheets/{sheet}/apply", json={"notebook": "other"}).status_code == 404


def test_a_crash_between_the_cell_and_the_closing_makes_no_second_cell(workspace: whence.Workspace) -> None:
    client = serving(workspace)
    client.post("/api/notebooks", json={"name": "tour"})
    client.post("/api/notebooks/tour/mode", json={"mode": "lazy"})
    sheet = opened(client)
    do(client, sheet, "set", row=0, column="price", value=11)
    file = workspace.path / "sheets" / f"{sheet}.jsonl"
    kept = file.read_bytes()
    first = client.post(f"/api/sheets/{sheet}/apply", json={"notebook": "tour"}).json()
    file.write_bytes(kept)  # as a crash before the closing leaves it
    restarted = serving(workspace)
    assert restarted.post(f"/api/sheets/{sheet}/apply", json={"notebook": "tour"}).json() == first
    assert len(restarted.get("/api/notebooks/tour").json()["cells"]) == 1
    assert restarted.get("/api/sheets").json() == []


def test_applying_makes_one_cell_that_is_done_again_over_new_data(tmp_path: Path, spark_home: whence.Workspace) -> None:
    assert spark_home.spark is not None
    file = tmp_path / "prices.csv"
    file.write_text("part,price\nbolt,10\nnut,4\nwire,7\n")
    with whence.open(tmp_path / "v.whence") as ws:
        client = serving(ws)
        client.post("/api/notebooks", json={"name": "tour"})
        added = {"kind": "load", "values": {"source": str(file), "name": "prices"}}
        load = client.post("/api/notebooks/tour/cells", json=added).json()["cell"]["id"]
        ws.notebook("tour").wait()
        sheet = opened(client)
        do(client, sheet, "set", row=1, column="price", value=5)
        asked = {"notebook": "tour", "name": "repaired"}
        applied = client.post(f"/api/sheets/{sheet}/apply", json=asked).json()
        ws.notebook("tour").wait()
        assert ws["repaired"].to_arrow().to_pydict() == {"part": ["bolt", "nut", "wire"], "price": [10, 5, 7]}
        assert ws["repaired"].lineage.backward([1], to="prices").ids.tolist() == [1]
        assert client.get("/api/sheets").json() == []
        time.sleep(0.01)
        file.write_text("part,price\nnew,1\nbolt,10\nnut,4\nwire,7\n")
        client.post("/api/notebooks/tour/run", json={"cell": load, "what": "cell", "again": True})
        ws.notebook("tour").wait()
        client.post("/api/notebooks/tour/run", json={})
        ws.notebook("tour").wait()
        assert ws["repaired"].to_arrow()["price"].to_pylist() == [1, 10, 5, 7]
        assert applied["cell"]["kind"] == "sheet"


def test_what_is_computed_from_the_data_follows_edits_that_are_applied_behind_it(
    tmp_path: Path, spark_home: whence.Workspace
) -> None:
    assert spark_home.spark is not None
    file = tmp_path / "prices.csv"
    file.write_text("part,price\nbolt,10\nnut,4\nwire,7\n")
    with whence.open(tmp_path / "f.whence") as ws:
        client = serving(ws)
        client.post("/api/notebooks", json={"name": "tour"})
        for kind, values in (
            ("load", {"source": str(file), "name": "prices"}),
            ("sql", {"source": "select sum(price) as total from prices", "name": "total"}),
        ):
            client.post("/api/notebooks/tour/cells", json={"kind": kind, "values": values})
        ws.notebook("tour").wait()
        sheet = opened(client)
        do(client, sheet, "set", row=1, column="price", value=5)
        client.post(f"/api/sheets/{sheet}/apply", json={"notebook": "tour", "name": "prices", "position": 1})
        ws.notebook("tour").wait()
        client.post("/api/notebooks/tour/run", json={})
        ws.notebook("tour").wait()
        assert [cell.kind for cell in ws.notebook("tour").cells] == ["load", "sheet", "sql"]
        assert [cell.status for cell in ws.notebook("tour").cells] == ["ready", "ready", "ready"]
        assert ws["total"].to_arrow()["total"].to_pylist() == [22]
        again = opened(client)
        assert client.get(f"/api/sheets/{again}/page").json()["rows"][1] == ["nut", 5]
