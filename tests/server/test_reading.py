"""Views, profiles, caveats and lineage through the API, over a real workspace that needs no Spark for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.conftest import HOST, TOKEN
from whence.server.app import create_app

ROWS = [("bolt", 3.5), ("nut", None), ("wire", 1.25), ("screw", 2.0), ("nut", 0.5)]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[whence.Workspace]:
    with whence.open(tmp_path / "w.whence") as ws:
        ws.create("parts", ROWS, schema="part string, price double", cell_caveats=[(1, "price", "smudged")])
        yield ws


@pytest.fixture
def client(workspace: whence.Workspace) -> TestClient:
    headers = {"host": HOST.decode(), "authorization": f"Bearer {TOKEN}"}
    return TestClient(create_app(workspace, TOKEN), headers=headers)


def view(sort: object = None, filter: object = None) -> str:
    given = {"sort": sort, "filter": filter}
    return "&".join(f"{name}={quote(json.dumps(value))}" for name, value in given.items() if value is not None)


def test_rows_are_given_by_their_ids(client: TestClient) -> None:
    page = client.get(f"/api/datasets/parts/page?rids={quote('[4, 1, 99, -1, true]')}").json()
    assert (page["rids"], page["rows"]) == ([4, 1], [["nut", 0.5], ["nut", None]])
    assert (page["count"], page["marks"]) == (2, [[], [1]])
    assert client.get("/api/datasets/parts/page?rids=4").status_code == 400


def test_a_page_sorted_and_filtered(client: TestClient) -> None:
    page = client.get(f"/api/datasets/parts/page?{view([['price', 'desc']], [['price', '<', 3]])}").json()
    assert page["rids"] == [3, 2, 4]
    assert page["rows"] == [["screw", 2.0], ["wire", 1.25], ["nut", 0.5]]
    assert (page["count"], page["marks"]) == (3, [[], [], []])


def test_marks_follow_the_rows_of_a_view(client: TestClient) -> None:
    page = client.get(f"/api/datasets/parts/page?limit=3&{view(['part'], [['part', '=', 'nut']])}").json()
    assert dict(zip(page["rids"], page["marks"], strict=True)) == {1: [1], 4: []}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("sort=nope", "not JSON"),
        ("sort=3", "not a list"),
        (view([["nope", "desc"]]), "nope"),
        (view(None, [["price", "like", 3]]), "like"),
        ("filter=" + "[" * 20_000, "not JSON"),
    ],
)
def test_a_view_that_makes_no_sense_is_one_sentence(client: TestClient, query: str, said: str) -> None:
    answer = client.get(f"/api/datasets/parts/page?{query}")
    assert 400 <= answer.status_code < 500
    assert said in answer.json()["error"]["message"]


def test_a_profile(client: TestClient) -> None:
    profile = client.get("/api/datasets/parts/profile?column=price").json()
    assert (profile["count"], profile["nulls"], profile["min"], profile["max"]) == (5, 1, 0.5, 3.5)
    assert sum(bucket["count"] for bucket in profile["histogram"]) == 4
    assert client.get("/api/datasets/parts/profile?column=nope").status_code == 404


def test_acknowledging_takes_the_mark_away_and_revoking_brings_it_back(client: TestClient) -> None:
    (group,) = client.get("/api/datasets/parts/caveats").json()["groups"]
    assert (group["caveats"]["message"], group["acknowledged"]) == ("smudged", False)
    asked = {"group": group["id"], "note": "checked"}
    (done,) = client.post("/api/datasets/parts/caveats/acknowledge", json=asked).json()["groups"]
    assert (done["acknowledged"], done["note"]) == (True, "checked")
    assert client.get("/api/datasets/parts/page").json()["marks"] == [[], [], [], [], []]
    assert sum(client.get("/api/datasets/parts/caveat-density").json()["counts"]) == 0
    client.post("/api/datasets/parts/caveats/revoke", json={"group": done["id"]})
    assert client.get("/api/datasets/parts/page").json()["marks"] == [[], [1], [], [], []]


def test_a_group_nobody_has_is_refused(client: TestClient) -> None:
    answer = client.post("/api/datasets/parts/caveats/acknowledge", json={"group": "nope"})
    assert answer.status_code == 400
    assert "no group of caveats" in answer.json()["error"]["message"]


def test_the_rail_counts_doubtful_cells_by_stretch(client: TestClient) -> None:
    density = client.get("/api/datasets/parts/caveat-density?buckets=5").json()
    assert density == {"rows": 5, "starts": [0, 1, 2, 3, 4], "counts": [0, 1, 0, 0, 0]}


def test_the_overview_lists_a_group_once_with_every_dataset_it_reaches(
    workspace: whence.Workspace, client: TestClient, spark_home: whence.Workspace
) -> None:
    assert spark_home.spark is not None
    workspace.sql("select part, sum(price) s, count(*) n from parts group by part order by part", name="sums")
    overview = client.get("/api/caveats").json()
    (group,) = overview["groups"]
    assert overview["datasets"] == 2
    assert group["raised_in"] == {"name": "parts", "version": 1}
    assert sorted(each["name"] for each in group["reaches"]) == ["parts", "sums"]
    impact = client.get(f"/api/datasets/sums/caveats/impact?group={group['id']}").json()
    assert impact == {
        "name": "sums",
        "version": 1,
        "columns": [{"column": "s", "cells": 1}],
        "rows": 0,
        "may_miss_rows": False,
        "all_rows": 4,
    }


def test_one_place_of_a_group_can_be_acknowledged(tmp_path: Path) -> None:
    headers = {"host": HOST.decode(), "authorization": f"Bearer {TOKEN}"}
    with whence.open(tmp_path / "w.whence") as ws:
        doubts = [(1, "price", "smudged"), (3, "price", "smudged")]
        ws.create("parts", ROWS, schema="part string, price double", cell_caveats=doubts)
        client = TestClient(create_app(ws, TOKEN), headers=headers)
        (group,) = client.get("/api/caveats").json()["groups"]
        asked = {"group": group["id"], "places": [1], "note": "seen"}
        client.post("/api/datasets/parts/caveats/acknowledge", json=asked)
        assert client.get("/api/datasets/parts/page").json()["marks"] == [[], [1], [], [], []]
        groups = client.get("/api/caveats").json()["groups"]
        assert [(each["acknowledged"], each["note"], each["caveats"]["count"]) for each in groups] == [
            (False, "", 1),
            (True, "seen", 1),
        ]
        wrong = client.post("/api/datasets/parts/caveats/acknowledge", json={**asked, "places": [7]})
        assert 400 <= wrong.status_code < 500


def test_only_what_is_new_since_a_version_is_listed_and_acknowledged(
    workspace: whence.Workspace, client: TestClient
) -> None:
    doubts = [(0, "price", "smudged"), (2, "price", "smudged"), (3, "part", "torn")]
    again = [ROWS[3], ROWS[0], ROWS[1], ROWS[4]]
    workspace.create("parts", again, schema="part string, price double", cell_caveats=doubts)
    assert client.get("/api/caveats/count").json() == {"open": 3}
    since = {"since": "dataset:parts@1"}
    overview = client.get("/api/caveats", params=since).json()
    new = {each["caveats"]["column"]: each for each in overview["groups"]}
    assert {column: each["caveats"]["count"] for column, each in new.items()} == {"price": 1, "part": 1}
    assert [place["row"] for place in new["price"]["caveats"]["references"]] == [0], "the nut was doubtful before"
    group = new["price"]["id"]
    impact = client.get("/api/datasets/parts/caveats/impact", params={"group": group, **since}).json()
    assert impact["columns"] == [{"column": "price", "cells": 1}]
    client.post("/api/datasets/parts/caveats/acknowledge", json={"group": group, "note": "new", **since})
    assert client.get("/api/datasets/parts/page").json()["marks"] == [[], [], [1], [0]]
    assert client.get("/api/caveats/count").json() == {"open": 2}
    states = [each["acknowledged"] for each in client.get("/api/caveats", params=since).json()["groups"]]
    assert sorted(states) == [False, True]
    for wrong in ("parts@1", "dataset:parts", "dataset:parts@9", "notebook:nope@1", "dataset:@1", "cell:parts@1"):
        answer = client.get("/api/caveats", params={"since": wrong})
        assert 400 <= answer.status_code < 500, wrong


def test_the_way_back_from_a_cell_and_how_far_a_row_reaches(
    workspace: whence.Workspace, client: TestClient, spark_home: whence.Workspace
) -> None:
    assert spark_home.spark is not None
    workspace.sql("select part, sum(price) s from parts group by part order by part", name="sums")
    workspace.sql("select max(s) top from sums", name="tops")
    way = client.get("/api/datasets/tops/way?row=0&column=top").json()
    (step,) = way["inputs"]
    assert (way["value"], step["dataset"], step["column"], step["role"], step["count"]) == (
        3.5,
        "sums",
        "s",
        "aggregated",
        4,
    )
    nut = next(cell for cell in step["cells"] if cell["row"] == 1)
    assert {each["column"]: [cell["value"] for cell in each["cells"]] for each in nut["inputs"]} == {
        "price": [None, 0.5],
        "part": ["nut", "nut"],
    }
    assert nut["is_doubtful"]
    reached = client.get("/api/datasets/sums/reached?row=1").json()["datasets"]
    assert {each["name"]: (each["direction"], each["count"], each["all_rows"]) for each in reached} == {
        "parts": ("backward", 2, 5),
        "tops": ("forward", 1, 1),
    }
    assert client.get("/api/datasets/tops/way?row=0&column=nope").status_code == 404


def test_columns_that_a_column_is_made_of_and_why_a_row_is_missing(
    workspace: whence.Workspace, client: TestClient, spark_home: whence.Workspace
) -> None:
    assert spark_home.spark is not None
    workspace.sql("select part, price * 2 as twice from parts where price < 3", name="cheap")
    workspace.sql("select part, sum(twice) s from cheap group by part", name="sums")
    graph = client.get("/api/datasets/cheap/column-lineage?column=twice").json()
    assert {(e["source"]["name"], e["source"]["column"], e["target"]["column"], e["role"]) for e in graph["edges"]} == {
        ("parts", "price", "twice", "computed"),
        ("cheap", "twice", "s", "aggregated"),
    }
    assert {(n["name"], n["column"], n["is_doubtful"]) for n in graph["nodes"]} == {
        ("parts", "price", True),
        ("cheap", "twice", False),
        ("sums", "s", True),
    }
    assert client.get("/api/datasets/cheap/column-lineage?column=nope").status_code == 404
    asked = {"source": "parts", "where": "part = 'bolt' or part = 'wire'"}
    answer = client.post("/api/datasets/sums/why-not", json=asked).json()
    assert (answer["source"], answer["matched"]) == ({"name": "parts", "version": 1}, 2)
    bolt, wire = answer["fates"]
    assert (bolt["row"], bolt["count"], wire["count"]) == (0, 0, 1)
    (loss,) = bolt["losses"]
    assert (loss["dataset"], loss["into"], loss["values"]) == ("parts@1", "cheap@1", {"price": 3.5})
    assert "price < 3" in loss["condition"].replace("CAST(3 AS DOUBLE)", "3").replace("3.0D", "3")
    for wrong in ({"source": "parts"}, {"source": "parts", "row": 99}, {"source": "parts", "where": "nope = 1"}):
        assert 400 <= client.post("/api/datasets/sums/why-not", json=wrong).status_code < 500, wrong


def test_lineage_and_graph(workspace: whence.Workspace, client: TestClient, spark_home: whence.Workspace) -> None:
    assert spark_home.spark is not None
    workspace.sql("select part, sum(price) s from parts group by part order by part", name="sums")
    back = {"direction": "backward", "to": "parts", "rows": [1]}
    found = client.post("/api/datasets/sums/trace", json=back).json()
    assert (found["count"], found["rows"]["rids"], found["exact"]) == (2, [1, 4], True)
    assert found["rows"]["values"] == [["nut", None], ["nut", 0.5]]
    ahead = {"direction": "forward", "to": "sums", "where": "part = 'wire'", "limit": 1}
    assert client.post("/api/datasets/parts/trace", json=ahead).json()["rows"]["values"] == [["wire", 1.25]]
    graph = client.get("/api/graph").json()
    assert {node["name"]: node["rows"] for node in graph["nodes"]} == {"sums": 4, "parts": 5}
    assert graph["edges"] == [{"source": {"name": "parts", "version": 1}, "target": {"name": "sums", "version": 1}}]


def test_a_dataset_that_is_not_related_is_named(client: TestClient) -> None:
    answer = client.post("/api/datasets/parts/trace", json={"direction": "backward", "to": "nope", "rows": [0]})
    assert 400 <= answer.status_code < 500
    assert "nope" in answer.json()["error"]["message"]
