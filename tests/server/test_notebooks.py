"""Notebooks through the API: edits as commands, conflicts, runs, history, frames, uploads."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.conftest import HOST, TOKEN
from whence.notebook.cells.registry import CELL_KINDS
from whence.server.app import create_app
from whence.server.events import Events

PRICES = "supplier,price\nAlba,1.5\nKestrel,call us\nAlba,2.5\nKestrel,4\nAlba,3\nAlba,6\nAlba,7\n"
HEADERS = {"host": HOST.decode(), "authorization": f"Bearer {TOKEN}"}


class Desk:
    """One notebook through the API."""

    def __init__(self, client: TestClient, events: Events) -> None:
        self.client = client
        self.events = events
        self.view = client.post("/api/notebooks", json={"name": "tour"}).json()

    def post(self, path: str, **asked: object) -> Any:  # noqa: ANN401 - JSON
        return self.client.post(f"/api/notebooks/tour{path}", json=asked)

    def add(self, kind: str, **values: object) -> str:
        answer = self.post("/cells", kind=kind, values=values)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["cell"]["id"])

    def get(self, path: str = "") -> Any:  # noqa: ANN401
        return self.client.get(f"/api/notebooks/tour{path}").json()

    def cells_when_idle(self) -> dict[str, Any]:
        """Every cell, once none waits or runs."""
        for _ in range(600):
            cells = {cell["id"]: cell for cell in self.get()["cells"]}
            if all(cell["status"] not in ("waiting", "running") for cell in cells.values()):
                return cells
            time.sleep(0.1)
        raise AssertionError("the notebook never came to rest")


@pytest.fixture
def desk(tmp_path: Path, spark_home: whence.Workspace) -> Iterator[Desk]:
    assert spark_home.spark is not None
    events = Events()
    with whence.open(tmp_path / "w.whence") as ws:
        yield Desk(TestClient(create_app(ws, TOKEN, events=events), headers=HEADERS), events)


def test_upload_load_query_and_edit(desk: Desk) -> None:
    text = "supplier,price\nAlba,1.5\nKestrel,call us\nAlba,2.5\nKestrel,4\nAlba,3\n"
    upload = desk.client.post("/api/uploads?name=..%2Fprices.csv", content=text.encode()).json()
    assert (Path(upload["path"]).name, upload["bytes"]) == ("prices.csv", len(text))
    load = desk.add("load", source=upload["path"], name="prices")
    total = desk.add("sql", source="select supplier, sum(price) s from prices group by supplier", name="totals")
    cells = desk.cells_when_idle()
    assert [cells[cell]["status"] for cell in (load, total)] == ["ready", "ready"]
    assert cells[total]["datasets"] == [{"name": "totals", "version": 1, "rows": 2, "is_doubtful": True}]
    assert cells[total]["reads"] == [{"name": "prices", "version": 1}]
    changed = desk.post(f"/cells/{total}/change", values={"source": "select count(*) n from prices"}).json()
    assert changed["version"] == 3
    desk.cells_when_idle()
    page = desk.client.get("/api/datasets/totals/page").json()
    assert page["rows"] == [[5]]
    events = [json.loads(event.text) for event in desk.events.since(0) or ()]
    assert {"cell.state", "notebook.version"} <= {each["kind"] for each in events}
    made = [
        each["data"]["datasets"] for each in events if each["data"].get("cell") == total and "datasets" in each["data"]
    ]
    assert made == [[{"name": "totals", "version": version}] for version in (1, 2)]


def test_a_command_that_comes_twice_takes_effect_once(desk: Desk) -> None:
    asked = {"kind": "markdown", "values": {"source": "hello"}, "command_id": "one"}
    first, second = (desk.post("/cells", **asked).json() for _ in range(2))
    assert first["cell"]["id"] == second["cell"]["id"]
    assert len(desk.get()["cells"]) == 1


def test_two_tabs_that_edit_one_cell_lose_nothing(desk: Desk) -> None:
    cell = desk.add("markdown", source="old")
    base = desk.get()["version"]
    assert desk.post(f"/cells/{cell}/change", values={"source": "mine"}, base_version=base).status_code == 200
    refused = desk.post(f"/cells/{cell}/change", values={"source": "theirs"}, base_version=base)
    assert refused.status_code == 409
    conflict = refused.json()["error"]["conflict"]
    assert (conflict["cell"], conflict["mine"], conflict["theirs"]) == (cell, "theirs", "mine")
    kept = desk.get(f"/versions/{conflict['side_version']}")
    assert [(each["kind"], each["values"]) for each in kept] == [("markdown", {"source": "theirs"})]
    assert [version["is_side"] for version in desk.get("/history")] == [False, False, True]


def test_two_versions_are_compared_by_their_cells_and_what_they_gave(desk: Desk) -> None:
    cell = desk.add("sql", source="select 1 as x", name="one")
    desk.cells_when_idle()
    desk.post(f"/cells/{cell}/change", values={"source": "select 2 as x, 3 as y"})
    desk.cells_when_idle()
    found = desk.get("/compare?before=1&after=2")
    (change,) = found["cells"]
    assert (change["cell"], change["change"], change["kind"]) == (cell, "changed", "sql")
    assert "-select 1 as x\n+select 2 as x, 3 as y" in change["diff"]
    assert found["datasets"] == [
        {
            "name": "one",
            "rows_before": 1,
            "rows_after": 1,
            "columns": [{"column": "y", "before": None, "after": "int"}],
            "values": {"added": 0, "removed": 0, "columns": [{"column": "x", "count": 1, "before": 1, "after": 2}]},
        }
    ]


def test_a_cell_runs_with_all_below_it(desk: Desk) -> None:
    first, second = (desk.add("sql", source=f"select {n} as x", name=name) for n, name in ((1, "one"), (2, "two")))
    desk.cells_when_idle()
    started = desk.events.last
    desk.post("/run", cell=second, what="below", again=True)
    desk.cells_when_idle()
    ran = {
        json.loads(event.text)["data"]["cell"]
        for event in desk.events.since(started) or []
        if '"running"' in event.text
    }
    assert ran == {second}
    assert first != second


def test_an_error_of_a_query_names_its_place(desk: Desk) -> None:
    cell = desk.add("sql", source="select 1 as x,\n  pric", name="one")
    error = desk.cells_when_idle()[cell]["error"]
    assert (error["line"], error["column"]) == (2, 3)


def test_history_branches_and_restoring(desk: Desk) -> None:
    cell = desk.add("sql", source="select 1 as n", name="one")
    desk.post(f"/cells/{cell}/change", values={"source": "select 2 as n"})
    desk.post("/branches", name="try", at=1)
    view = desk.post("/checkout", branch="try").json()
    assert (view["branch"], view["branches"]) == ("try", {"main": 2, "try": 1})
    desk.cells_when_idle()
    assert desk.client.get("/api/datasets/one/page").json()["rows"] == [[1]]
    desk.post("/checkout", branch="main")
    restored = desk.post("/restore", version=1).json()
    assert restored["version"] == 3
    desk.cells_when_idle()
    assert desk.client.get("/api/datasets/one/page").json()["rows"] == [[1]]
    assert [version["action"] for version in desk.get("/history")] == ["append", "update", "restore"]


def test_errors_say_where_and_stop_only_what_depends_on_them(desk: Desk) -> None:
    bad = desk.add("sql", source="select nope from nowhere", name="bad")
    after = desk.add("sql", source="select * from bad", name="after")
    fine = desk.add("sql", source="select 1 as n", name="fine")
    cells = desk.cells_when_idle()
    assert [cells[cell]["status"] for cell in (bad, fine)] == ["error", "ready"]
    assert "nowhere" in cells[bad]["error"]["message"]
    assert cells[after]["status"] != "ready"


def test_what_cells_show_never_enters_the_page(desk: Desk) -> None:
    script = "<script>parent.document.title = 'owned'</script>"
    cell = desk.add("python", source=f"from IPython.display import HTML\nprint('hi')\nHTML({script!r})")
    (stream, rich) = desk.cells_when_idle()[cell]["displays"]
    assert (stream["stream"], stream["text"]) == ("stdout", "hi\n")
    assert script not in json.dumps(rich)
    frame = desk.client.get(rich["frame"])
    assert script in frame.text
    policy = frame.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts;")
    assert "allow-same-origin" not in policy
    assert "connect-src 'none'" in policy


def test_lazy_freeze_move_and_remove(desk: Desk) -> None:
    assert desk.post("/mode", mode="lazy").json()["mode"] == "lazy"
    one = desk.add("sql", source="select 1 as n", name="one")
    two = desk.add("sql", source="select n + 1 as m from one", name="two")
    assert {cell["status"] for cell in desk.get()["cells"]} == {"stale"}
    desk.post("/run", cell=two, what="cell")
    assert {cell["status"] for cell in desk.cells_when_idle().values()} == {"ready"}
    assert desk.post(f"/cells/{two}/freeze").json()["cell"]["status"] == "frozen"
    assert desk.post(f"/cells/{two}/thaw").json()["cell"]["status"] == "ready"
    desk.post(f"/cells/{two}/move", position=0)
    assert [cell["id"] for cell in desk.get()["cells"]] == [two, one]
    desk.post(f"/cells/{one}/remove")
    assert [cell["id"] for cell in desk.get()["cells"]] == [two]


def test_a_running_cell_is_cancelled(desk: Desk) -> None:
    cell = desk.add("python", source="import time\ntime.sleep(60)")
    for _ in range(300):
        if desk.get()["cells"][0]["status"] == "running":
            break
        time.sleep(0.05)
    desk.post("/cancel", cell=cell)
    assert desk.cells_when_idle()[cell]["status"] == "cancelled"


@pytest.mark.parametrize(
    ("path", "asked", "status"),
    [
        ("/cells", {"kind": "magic", "values": {}}, 400),
        ("/cells", {"kind": "sql", "values": {"nope": 1}}, 400),
        ("/cells", {"kind": "sql", "values": {"source": "select 1", "name": "x"}, "position": 99}, 400),
        ("/cells", {"kind": "sql", "values": {"kind": "sql", "command_id": "x"}}, 400),
        ("/cells/nope/change", {"values": {"source": "x"}}, 400),
        ("/checkout", {"branch": "nope"}, 400),
        ("/restore", {"version": 99}, 400),
        ("/mode", {"mode": "fast"}, 422),
    ],
)
def test_what_makes_no_sense_is_one_sentence(desk: Desk, path: str, asked: dict[str, object], status: int) -> None:
    answer = desk.post(path, **asked)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["message"].endswith(".")
    assert desk.get()["version"] == 0


def test_unknown_notebooks_and_kinds(desk: Desk) -> None:
    assert desk.client.get("/api/notebooks/nope").status_code == 404
    assert desk.client.get("/api/notebooks").json() == ["tour"]
    kinds = {kind["name"]: kind for kind in desk.client.get("/api/kinds").json()}
    assert {"load", "sql", "python", "impute", "markdown"} <= kinds.keys()
    assert kinds["sql"]["parameters"][0]["name"] == "source"


def test_a_session_through_the_api(desk: Desk) -> None:
    assert desk.post("/mode", mode="session").json()["mode"] == "session"
    use = desk.add("python", source="ws['gross'] = [{'g': net * 2}]")
    make = desk.add("python", source="net = 4")
    assert desk.get("/session") | {"would_fail": {}} == {
        "is_running": False,
        "lost": "",
        **{key: [] for key in ("stale", "fresh", "refresher", "new_fresh", "new_refresher")},
        **{key: {} for key in ("would_fail", "again", "reasons")},
    }
    for cell in (make, use, make):
        desk.post("/run", cell=cell)
        desk.cells_when_idle()
    assert desk.client.get("/api/datasets/gross/page").json()["rows"] == [[8]]
    session = desk.get("/session")
    assert (session["is_running"], session["fresh"]) == (True, [use])
    assert session["reasons"][use].startswith("`net` was changed by cell c2")
    assert desk.post("/session/upstream", cell=use).json() == {"cells": [use], "unresolved": []}
    refused = desk.post("/session/workflow").json()
    assert (refused["ok"], refused["notebook"]["mode"]) == (False, "session")
    assert [(each["symbol"], each["cells"]) for each in refused["conflicts"]] == [("net", [make, use])]
    desk.post("/run", cell=use)
    desk.cells_when_idle()
    made = desk.post("/session/workflow").json()
    assert (made["ok"], made["cells"], made["notebook"]["mode"]) == (True, [make, use], "auto")
    assert desk.post("/session/restart").status_code == 400


def test_a_cell_of_a_session_runs_with_what_it_needs(desk: Desk) -> None:
    desk.post("/mode", mode="session")
    cells = [desk.add("python", source=text) for text in ("net = 4", "rate = 2", "gross = net * rate", "print(gross)")]
    assert desk.post("/session/upstream", cell=cells[3]).json()["cells"] == [*cells[:3], cells[3]]
    assert desk.post("/run", cell=cells[3], what="upstream").status_code == 200
    for _ in range(300):
        if desk.get()["cells"][3]["displays"]:
            break
        time.sleep(0.1)
    assert desk.cells_when_idle()[cells[3]]["displays"][0]["text"] == "8\n"
    note = desk.add("markdown", source="A note")
    refused = desk.post("/run", cell=note, what="upstream")
    assert refused.status_code == 400
    assert "not a Python cell" in refused.json()["error"]["message"]


def test_what_came_since_an_earlier_version_of_the_notebook_is_found(desk: Desk) -> None:
    path = desk.client.post("/api/uploads?name=p.csv", content=PRICES).json()["path"]
    cell = desk.add("load", source=path, name="p")
    desk.cells_when_idle()
    version = desk.get()["version"]
    more = desk.client.post("/api/uploads?name=p.csv", content=f"{PRICES}Lumen,soon\n").json()["path"]
    desk.post(f"/cells/{cell}/change", values={"source": more})
    desk.cells_when_idle()
    found = desk.client.get("/api/caveats", params={"since": f"notebook:tour@{version}"}).json()
    assert [place["text"] for each in found["groups"] for place in each["caveats"]["references"]] == ["soon"]
    everything = desk.client.get("/api/caveats", params={"since": "notebook:tour@0"}).json()
    assert sum(each["caveats"]["count"] for each in everything["groups"]) == 2


def test_a_notebook_is_deleted_and_whoever_listens_hears_of_it(desk: Desk) -> None:
    desk.add("sql", source="select 1 as n", name="one")
    desk.cells_when_idle()
    assert desk.post("/remove").json() == []
    assert desk.client.get("/api/notebooks/tour").status_code == 404
    assert desk.client.get("/api/datasets/one/page").status_code == 404
    kinds = [json.loads(event.text)["kind"] for event in desk.events.since(0) or ()]
    assert kinds[-1] == "notebook.removed"
    assert desk.client.post("/api/notebooks", json={"name": "tour"}).json()["version"] == 0


def draft(desk: Desk, kind: str, **asked: object) -> dict[str, Any]:
    answer = desk.post("/cells", kind=kind, is_draft=True, **asked)
    assert answer.status_code == 200, answer.text
    cell: dict[str, Any] = answer.json()["cell"]
    return cell


def test_every_kind_is_put_in_as_a_draft(desk: Desk) -> None:
    for kind in CELL_KINDS:
        made = draft(desk, kind)
        assert (made["kind"], made["values"], made["status"], made["error"]) == (kind, {}, "draft", None)
    assert [cell["kind"] for cell in desk.get()["cells"]] == list(CELL_KINDS)


def test_a_draft_is_checked_when_it_is_run_or_filled_in(desk: Desk) -> None:
    cell = draft(desk, "chart", position=0)["id"]
    refused = desk.post("/run", cell=cell, what="cell")
    assert (refused.status_code, refused.json()["error"]["message"][:25]) == (400, "A chart cell needs source")
    refused = desk.post(f"/cells/{cell}/change", values={"source": "prices"})
    assert refused.status_code == 400
    assert desk.get()["cells"][0]["status"] == "draft"
    desk.post(f"/cells/{cell}/change", kind="markdown", values={"source": "a note"})
    assert desk.cells_when_idle()[cell]["status"] == "ready"


@pytest.mark.parametrize("what", ["below", "all", "stale"])
def test_running_many_cells_passes_over_drafts(desk: Desk, what: str) -> None:
    first = draft(desk, "trim")["id"]
    note = desk.add("markdown", source="a note")
    asked = {"cell": first, "what": what} if what == "below" else {"what": what}
    assert desk.post("/run", **asked).status_code == 200
    assert {id: cell["status"] for id, cell in desk.cells_when_idle().items()} == {first: "draft", note: "ready"}


def test_a_draft_takes_no_values(desk: Desk) -> None:
    refused = desk.post("/cells", kind="sql", values={"source": "select 1"}, is_draft=True)
    assert (refused.status_code, refused.json()["error"]["message"]) == (400, "A draft begins empty.")
