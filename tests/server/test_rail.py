"""What the rail and the start page ask of the server: names, copies, files, past results, recent workspaces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.conftest import TOKEN, Site
from tests.server.test_notebooks import HEADERS, Desk
from whence.client.recent_workspaces import MOST, recent_workspaces, remember_workspace
from whence.client.running import announced
from whence.server.app import create_app
from whence.server.events import Events


@pytest.fixture
def desk(tmp_path: Path, spark_home: whence.Workspace) -> Iterator[Desk]:
    assert spark_home.spark is not None
    events = Events()
    with whence.open(tmp_path / "w.whence") as ws:
        ws.create("stock", [("A", 1)], schema="part string, pieces int")
        yield Desk(TestClient(create_app(ws, TOKEN, events=events), headers=HEADERS), events)


def makers(desk: Desk) -> dict[str, str | None]:
    return {each["name"]: each["notebook"] for each in desk.client.get("/api/datasets").json()}


def test_datasets_and_notebooks_are_renamed_copied_and_handed_out(desk: Desk) -> None:
    made = desk.add("sql", source="select part, pieces from stock", name="parts")
    total = desk.add("sql", source="select sum(parts.pieces) n from parts", name="total")
    code = desk.add("python", source="print('parts')")
    other = desk.client.post("/api/notebooks", json={"name": "other"}).json()["name"]
    reading = {"kind": "copy_dataset", "values": {"source": "parts", "name": "mine"}}
    desk.cells_when_idle()
    assert desk.client.post(f"/api/notebooks/{other}/cells", json=reading).status_code == 200
    assert makers(desk) | {"mine": "other"} == {"stock": None, "parts": "tour", "total": "tour", "mine": "other"}

    told = desk.client.post("/api/datasets/parts/rename", json={"name": "pieces"}).json()
    assert told == {
        "name": "pieces",
        "changed": {"tour": [made, total], "other": ["c1"]},
        "unchanged": {"tour": [code]},
    }
    cells = desk.cells_when_idle()
    assert cells[total]["values"]["source"] == "select sum(pieces.pieces) n from pieces"
    assert desk.client.get("/api/datasets/total/page").json()["rows"] == [[1]]
    assert makers(desk)["pieces"] == "tour"
    assert "parts" not in makers(desk)
    assert desk.get("/history")[-1]["action"] == "rename"
    back = desk.client.post("/api/datasets/pieces/rename", json={"name": "parts"})
    assert back.status_code == 200, back.text
    desk.cells_when_idle()

    for name, new, words in [
        ("stock", "mine2", "No notebook makes stock"),
        ("parts", "total", "There is a dataset total already."),
        ("parts", "stock", "There is a dataset stock already."),
    ]:
        refused = desk.client.post(f"/api/datasets/{name}/rename", json={"name": new})
        assert (refused.status_code, words in refused.text) == (400, True), refused.text

    copy = desk.post("/copy", name="tour copy").json()
    assert [cell["values"].get("name") for cell in copy["cells"]] == ["parts_copy", "total_copy", None]
    assert copy["cells"][1]["values"]["source"] == "select sum(parts_copy.pieces) n from parts_copy"
    assert desk.post("/copy", name="Other").status_code == 400

    assert desk.post("/rename", name="journey").json()["name"] == "journey"
    assert desk.client.get("/api/notebooks").json() == ["journey", "other", "tour copy"]
    assert makers(desk)["parts"] == "journey"
    assert desk.client.post("/api/notebooks/journey/rename", json={"name": "OTHER"}).status_code == 400
    assert desk.client.get("/api/notebooks/tour").status_code == 404
    kinds = [json.loads(event.text)["kind"] for event in desk.events.since(0) or ()]
    assert "notebook.renamed" in kinds

    jupyter = desk.client.get("/api/notebooks/journey/download")
    assert 'filename="journey.ipynb"' in jupyter.headers["content-disposition"]
    assert [cell["cell_type"] for cell in jupyter.json()["cells"]] == ["code", "code", "code"]
    text = desk.client.get("/api/notebooks/journey/download?format=text").text
    assert "select sum(parts.pieces) n from parts" in text


def test_a_report_hides_the_columns_that_are_named(desk: Desk) -> None:
    desk.add("sql", source="select part, pieces + 41 as found from stock", name="parts")
    desk.cells_when_idle()
    columns = desk.client.get("/api/notebooks/tour/report/columns").json()
    assert {each["name"]: sorted(each["datasets"]) for each in columns} == {
        "part": ["parts", "stock"],
        "found": ["parts"],
        "pieces": ["stock"],
    }
    address = "/api/notebooks/tour/download"
    shown = desk.client.get(address, params={"format": "report"}).text
    hidden = desk.client.get(address, params={"format": "report", "redact": json.dumps(["found"])}).text
    assert (">42<" in shown, ">42<" in hidden) == (True, False)
    for redact, words in (("found", "no JSON list"), ('["nothing"]', "There is no column nothing"), ("[1]", "no JSON")):
        refused = desk.client.get(address, params={"format": "report", "redact": redact})
        assert (refused.status_code, words in refused.text) == (400, True), refused.text
    assert desk.client.get(address, params={"format": "text", "redact": '["found"]'}).status_code == 400


def test_a_dataset_outside_notebooks_is_deleted_for_good_after_a_choice(desk: Desk) -> None:
    desk.add("sql", source="select part from stock", name="parts")
    desk.cells_when_idle()
    assert desk.client.post("/api/datasets/parts/remove", json={}).json()["error"]["message"] == (
        "The notebook tour makes parts."
    )
    refused = desk.client.post("/api/datasets/stock/remove", json={})
    assert (refused.status_code, refused.json()["error"]["message"]) == (400, "parts@1 was made from it.")
    assert desk.client.post("/api/datasets/stock/remove", json={"dependants": "keep"}).json() == ["stock@1"]
    assert list(makers(desk)) == ["parts"]


def test_an_earlier_version_has_the_results_it_had(desk: Desk) -> None:
    cell = desk.add("sql", source="select 1 as x", name="one")
    note = desk.add("markdown", source="# First")
    desk.cells_when_idle()
    desk.post(f"/cells/{cell}/change", values={"source": "select 2 as x union all select 3"})
    desk.post(f"/cells/{note}/change", values={"source": "# Second"})
    desk.cells_when_idle()
    past = desk.get("/versions/2")
    assert [(each["id"], each["status"]) for each in past] == [(cell, "ready"), (note, "ready")]
    assert past[0]["datasets"] == [{"name": "one", "version": 1, "rows": 1, "is_doubtful": False}]
    assert desk.client.get("/api/datasets/one/page?version=1").json()["rows"] == [[1]]
    frame = past[1]["displays"][0]["frame"]
    assert "<h1>First</h1>" in desk.client.get(frame).text
    assert "<h1>Second</h1>" in desk.client.get(desk.get()["cells"][1]["displays"][0]["frame"]).text
    assert desk.client.get("/api/notebooks/tour/versions/99").status_code == 400


def test_a_past_cell_whose_input_has_changed_shows_its_last_result_as_stale(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "towns.csv"
    file.write_text("town,mm\nBergen,2250\n", encoding="utf-8")
    cell = desk.add("load", source=str(file), name="towns")
    desk.cells_when_idle()
    desk.post(f"/cells/{cell}/remove")
    file.write_text("town,mm\nBergen,2250\nOslo,763\n", encoding="utf-8")
    (past,) = desk.get("/versions/1")
    assert (past["status"], past["datasets"][0]["rows"]) == ("stale", 1)


def test_recent_workspaces_are_those_still_there_newest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folders = [tmp_path / f"w {number}.whence" for number in range(MOST + 2)]
    for folder in folders:
        folder.mkdir()
        remember_workspace(folder)
    remember_workspace(folders[3])
    folders[-1].rmdir()
    found = recent_workspaces(folders[4])
    assert [each.path for each in found] == [str(each) for each in (folders[3], *folders[-2:4:-1], folders[2])]
    assert found[0].command(is_served=False) == f"whence serve '{folders[3]}'"
    (tmp_path / "state/whence/recent.json").write_text("{]")
    assert recent_workspaces(folders[0]) == []


def test_recent_workspaces_are_told_to_the_owner_without_tokens(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    (tmp_path / "a.whence").mkdir()
    remember_workspace(tmp_path / "a.whence")
    # A server that has stopped without removing its note does not answer.
    with announced(tmp_path / "a.whence", "http://127.0.0.1:9", "secret"):
        answer = site.get("/api/recent")
    (found,) = answer.json()
    assert found | {"opened": ""} == {
        "name": "a",
        "path": str(tmp_path / "a.whence"),
        "opened": "",
        "command": f"whence serve {tmp_path}/a.whence",
        "address": None,
    }
    assert "secret" not in answer.body.decode()
