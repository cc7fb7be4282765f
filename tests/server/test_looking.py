"""Showing a dataset runs no query for lineage that was put off; asking where a value came from does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.conftest import HOST, TOKEN
from whence.cli.printing import note_lines
from whence.lineage.deferred_lineage import DeferredLineage
from whence.server.app import create_app

LOOKS = (
    "/api/datasets",
    "/api/datasets/totals/page",
    "/api/datasets/totals/page?rids=[0,1]",
    "/api/datasets/totals/notes",
    "/api/datasets/totals/caveats",
    "/api/datasets/totals/caveat-density",
    "/api/datasets/totals/widths?at_hand=true",
    "/api/datasets/totals/charts",
    "/api/datasets/totals/column-lineage?column=total",
    "/api/datasets/totals/profile?column=total",
    "/api/datasets/totals/next-doubt?direction=next",
    "/api/datasets/totals/download?format=csv",
    "/api/graph",
    "/api/caveats",
    "/api/notebooks",
    "/api/recent",
)


def test_looking_at_a_dataset_captures_nothing(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    ws.create("sales", [("a", 1), ("b", 5), ("a", 2)], schema="shop string, amount int")
    query = "select shop, 7 as n, sum(amount) as total from sales group by shop"
    ws.sql(query, name="totals", lineage="lazy")
    made: list[str] = []
    for name in ("block", "block_of_few"):
        work = getattr(DeferredLineage, name)

        def record(
            self: DeferredLineage, *given: object, work: Callable[..., object] = work, name: str = name
        ) -> object:
            made.append(name)
            return work(self, *given)

        monkeypatch.setattr(DeferredLineage, name, record)
    headers = {"host": HOST.decode(), "authorization": f"Bearer {TOKEN}"}
    client = TestClient(create_app(ws, TOKEN), headers=headers)
    answers = {path: client.get(path).status_code for path in LOOKS}
    assert answers == dict.fromkeys(LOOKS, 200)
    assert list(note_lines(ws["totals"])) == []
    assert made == []
    asked = client.get("/api/datasets/totals/cell?row=0&column=total").json()
    assert asked["steps"][0]["rows"]["rids"] == [0, 2]
    assert made != []
