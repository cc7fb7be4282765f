"""Share links: one version, for reading, until it is revoked; through the whole API with that credential."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.asgi import connect, request
from tests.server.conftest import HOST, TOKEN, bearer
from tests.server.test_guard import METHODS, UNKNOWN
from whence.server.access import read_rules
from whence.server.app import build_api, create_app, share_cookie_name
from whence.store import shares
from whence.store.archive import import_archive
from whence.workspace.share import Share

FILE = "supplier,price\nAlba,1.5\nKestrel,call us\nAlba,2.5\nAlba,3\nAlba,4\n"


@dataclass
class Shared:
    """A workspace with a shared notebook, a secret dataset beside it, and later versions of everything."""

    workspace: whence.Workspace
    share: Share
    client: TestClient
    """Comes by the link."""
    owner: TestClient

    def get(self, path: str) -> int:
        return self.client.get(path).status_code


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[Shared]:
    assert spark_home.spark is not None
    folder = tmp_path_factory.mktemp("shares")
    (folder / "prices.csv").write_text(FILE)
    with whence.open(folder / "w.whence") as ws:
        ws.create("secret", [("salary", 1)], schema="what string, n int")
        nb = ws.notebook("tour")
        nb.append("markdown", source="# Prices")
        nb.append("load", source=folder / "prices.csv", name="prices")
        total = nb.append("sql", source="select sum(price) s, (select max(n) from secret) m from prices", name="total")
        share = nb.wait().share()
        nb.update(total, source="select 'later' as word", name="total")
        nb.append("sql", source="select 1 as n", name="later")
        nb.wait()
        ws.notebook("private").append("markdown", source="mine")
        app = create_app(ws, TOKEN)
        host = {"host": HOST.decode()}
        client = TestClient(app, headers=host | {"authorization": f"Bearer {share.token}"})
        yield Shared(ws, share, client, TestClient(app, headers=host | {"authorization": f"Bearer {TOKEN}"}))


def test_a_link_shows_the_version_and_the_results_it_had(shared: Shared) -> None:
    view = shared.client.get("/api/notebooks/tour").json()
    assert (view["version"], view["is_read_only"], view["branches"]) == (3, True, {})
    assert [cell["status"] for cell in view["cells"]] == ["ready"] * 3
    assert view["cells"][2]["values"]["source"].startswith("select sum(price)")
    assert view["cells"][2]["datasets"] == [{"name": "total", "version": 1, "rows": 1, "is_doubtful": True}]
    assert view["cells"][2]["reads"] == [{"name": "prices", "version": 1}], "the dataset beside it has no name here"
    page = shared.client.get("/api/datasets/total/page").json()
    assert (page["version"], page["rows"]) == (1, [[11.0, 1]])
    page = shared.client.get("/api/datasets/prices/page?limit=2").json()
    assert (page["rows"], page["marks"]) == ([["Alba", 1.5], ["Kestrel", None]], [[], [1]])
    about = shared.client.get("/api/about").json()
    assert about["shared"] == {"notebook": "tour", "version": 3}
    frame = shared.client.get(view["cells"][0]["displays"][0]["frame"])
    assert "<h1>Prices</h1>" in frame.text


def test_a_link_names_nothing_else(shared: Shared) -> None:
    assert shared.client.get("/api/notebooks").json() == ["tour"]
    listed = shared.client.get("/api/datasets").json()
    assert [(each["name"], each["version"]) for each in listed] == [("prices", 1), ("total", 1)]
    assert [each["parents"] for each in listed] == [[], ["prices"]]
    assert shared.get("/api/notebooks/private") == 404
    assert shared.get("/api/datasets/secret/page") == 404
    assert shared.get("/api/datasets/later/page") == 404
    assert shared.get("/api/datasets/total/page?version=2") == 404
    assert shared.get("/api/datasets/total@2/page") == 404
    assert shared.get("/api/notebooks/tour/cells/c4/frame?output=0") == 400


def filled(path: str) -> str:
    values = {
        "{name:path}": "prices",
        "{name}": "tour",
        "{cell}": "c1",
        "{version}": "1",
        "{share}": "0",
        "{sheet}": "0",
    }
    for part, value in values.items():
        path = path.replace(part, value)
    return path


@pytest.mark.parametrize("way", ["bearer", "cookie"])
def test_every_other_route_and_method_refuses_a_link(shared: Shared, way: str) -> None:
    token = str(shared.share.token)
    cookie = (b"cookie", f"{share_cookie_name(8321)}={token}".encode())
    headers = [(b"host", HOST), bearer(token) if way == "bearer" else cookie, (b"origin", b"http://" + HOST)]
    app = shared.client.app
    rules = [rule for rule in read_rules(build_api()) if rule.access != "open"]
    shown = {rule.path for rule in rules if rule.access == "share"}
    for path in {rule.path for rule in rules}:
        for method in METHODS:
            answer = request(app, method, filled(path), headers)
            may = path in shown and method in ("GET", "HEAD")
            assert (answer.status != 403) is may, (method, path, answer.status)
    for path in UNKNOWN:
        if not path.startswith("/assets"):
            assert request(app, "GET", path, headers).status == 403, path
    assert [message.get("code") for message in connect(app, "/api/events", headers)] == [4403]


def test_what_the_owner_can_do_a_link_leaves_alone(shared: Shared) -> None:
    before = shared.owner.get("/api/notebooks/tour").json()
    for path, asked in [("cells", {"kind": "markdown"}), ("run", {}), ("shares", {}), ("restore", {"version": 1})]:
        refused = shared.client.post(f"/api/notebooks/tour/{path}", json=asked)
        assert (refused.status_code, refused.json()["error"]["kind"]) == (403, "OnlyShared")
    assert shared.owner.get("/api/notebooks/tour").json() == before


def test_a_browser_gets_a_cookie_and_an_address_without_the_secret(shared: Shared) -> None:
    app, host = shared.client.app, [(b"host", HOST)]
    answer = request(app, "GET", f"/shared?token={shared.share.token}", host)
    pair, *attributes = (answer.header("set-cookie") or "").split("; ")
    assert (answer.status, answer.header("location")) == (303, "/?notebook=tour")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(attributes)
    cookie = (b"cookie", pair.encode())
    assert request(app, "GET", "/api/notebooks/tour", [*host, cookie]).json()["is_read_only"] is True
    foreign = request(app, "GET", "/api/notebooks/tour", [*host, cookie, (b"origin", b"http://evil.example")])
    assert foreign.status == 403


def test_the_owner_stays_the_owner_beside_a_link(shared: Shared) -> None:
    headers = [(b"host", HOST), bearer(TOKEN), (b"cookie", f"{share_cookie_name(8321)}={shared.share.token}".encode())]
    seen = request(shared.client.app, "GET", "/api/notebooks/tour", headers).json()
    assert (seen["is_read_only"], seen["version"]) == (False, 5)


@pytest.mark.parametrize("query", ["", "?token=", "?token=x", "?token=%00%ff", "?token=" + "x" * 5000])
def test_any_other_link_opens_nothing(shared: Shared, query: str) -> None:
    answer = request(shared.client.app, "GET", f"/shared{query}", [(b"host", HOST)])
    assert (answer.status, answer.header("set-cookie")) == (404, None)
    assert b"opens nothing" in answer.body


def test_links_are_made_listed_and_revoked_through_the_api(shared: Shared) -> None:
    made = shared.owner.post("/api/notebooks/tour/shares", json={"version": 1, "days": None}).json()
    token = made["link"].partition("?token=")[2]
    assert made["link"].startswith("http://127.0.0.1:8321/shared?token=")
    assert (made["version"], made["expires"], len(token)) == (1, None, 43)
    headers = {"host": HOST.decode(), "authorization": f"Bearer {token}"}
    viewer = TestClient(shared.client.app, headers=headers)
    assert [cell["kind"] for cell in viewer.get("/api/notebooks/tour").json()["cells"]] == ["markdown"]
    assert viewer.get("/api/datasets").json() == []
    listed = shared.owner.get("/api/notebooks/tour/shares").json()
    assert [(each["id"], each["link"]) for each in listed] == [(shared.share.id, None), (made["id"], None)]
    left = shared.owner.post(f"/api/notebooks/tour/shares/{made['id']}/revoke").json()
    assert [each["id"] for each in left] == [shared.share.id]
    assert viewer.get("/api/notebooks/tour").status_code == 401
    assert request(shared.client.app, "GET", f"/shared?token={token}", [(b"host", HOST)]).status == 404
    assert shared.owner.post(f"/api/notebooks/tour/shares/{made['id']}/revoke").status_code == 404


def test_a_link_ends_by_itself(shared: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    token = str(shared.workspace.notebook("tour").share(days=1).token)
    assert shared.workspace.shared(token) is not None

    class Later(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return super().now(UTC) + timedelta(days=1, seconds=1)

    monkeypatch.setattr(shares, "datetime", Later)
    assert shared.workspace.shared(token) is None


def test_the_secret_is_written_nowhere(shared: Shared) -> None:
    secret = str(shared.share.token).encode()
    files = [path for path in shared.workspace.path.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if secret in path.read_bytes()]


@pytest.mark.parametrize("asked", [{"version": 99}, {"days": 0}, {"days": 99999}, {"version": -1}])
def test_a_link_to_what_is_not_there(shared: Shared, asked: dict[str, object]) -> None:
    answer = shared.owner.post("/api/notebooks/tour/shares", json=asked)
    assert answer.status_code in (400, 422)


def test_what_was_forgotten_is_gone_from_links_and_an_imported_workspace_has_none(
    tmp_path: Path, spark_home: whence.Workspace
) -> None:
    (tmp_path / "prices.csv").write_text(FILE)
    with whence.open(tmp_path / "w.whence") as ws:
        nb = ws.notebook("tour")
        nb.append("load", source=tmp_path / "prices.csv", name="prices")
        token = str(nb.wait().share().token)
        ws.export(tmp_path / "all.zip")
        link = ws.shared(token)
        assert link is not None
        assert [dataset.name for dataset in link.datasets] == ["prices"]
        ws.forget("prices")
        found = ws.shared(token)
        assert found is not None
        assert (found.datasets, found.cells[0].status) == ([], "stale")
    import_archive(tmp_path / "all.zip", tmp_path / "copy.whence")
    with whence.open(tmp_path / "copy.whence") as copy:
        assert copy.notebooks() == ["tour"]
        assert copy.shared(token) is None
