from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pytest

from tests.server.conftest import Site
from tests.server.price_list import SQL
from tests.server.standin import StandInDataset, StandInWorkspace
from whence.model.cellref import CellRef
from whence.model.dataset import Doubt
from whence.server.openapi import schema


def test_the_list_says_how_each_dataset_was_made_and_what_is_doubtful(site: Site) -> None:
    assert site.get("/api/datasets").json()[1] == {
        "name": "by_supplier",
        "version": 1,
        "rows": 3,
        "columns": [
            {"name": "supplier", "type": "string"},
            {"name": "items", "type": "bigint"},
            {"name": "average_price", "type": "double"},
        ],
        "origin": "sql",
        "text": SQL,
        "doubt": {"columns": ["average_price"], "rows": False, "row_set": False},
        "exact": True,
        "parents": ["prices"],
        "made_from": [{"name": "prices", "version": 1}],
        "notebook": None,
    }


def test_a_page_holds_rows_with_ids_marks_and_lines(site: Site) -> None:
    assert site.get("/api/datasets/prices/page?offset=3&limit=2").json() == {
        "name": "prices",
        "version": 1,
        "offset": 3,
        "count": 8,
        "columns": [
            {"name": "part", "type": "string"},
            {"name": "description", "type": "string"},
            {"name": "supplier", "type": "string"},
            {"name": "price", "type": "double"},
            {"name": "stock", "type": "bigint"},
        ],
        "rows": [["P-004", "Wing nut M6", "Alba", None, 300], ["P-005", "Threaded rod 1 m", "Kestrel", 3.9, 120]],
        "rids": [3, 4],
        "marks": [[3], []],
        "row_marks": [False, False],
        "written": [],
        "lines": [5, 6],
    }


def test_a_page_past_the_end_is_empty(site: Site) -> None:
    page = site.get("/api/datasets/prices/page?offset=1000").json()
    assert (page["rows"], page["rids"], page["offset"]) == ([], [], 8)


def test_a_cell_comes_with_its_inputs_rows_and_caveats(site: Site) -> None:
    message = "'call us' does not fit the type of price, so the cell is empty"
    assert site.get("/api/datasets/by_supplier/cell?row=0&column=average_price&version=1").json() == {
        "dataset": "by_supplier",
        "version": 1,
        "row": 0,
        "column": "average_price",
        "line": None,
        "value": 1.2,
        "suspect": True,
        "row_suspect": False,
        "origin": "",
        "steps": [
            {
                "dataset": "prices",
                "version": 1,
                "origin": "load",
                "text": "prices.csv",
                "groups": [
                    {
                        "role": "aggregated",
                        "column": "price",
                        "count": 3,
                        "distinct": 3,
                        "values": [
                            {"value": 0.05, "row": 2, "count": 1, "is_doubtful": False},
                            {"value": None, "row": 3, "count": 1, "is_doubtful": True},
                            {"value": 2.35, "row": 7, "count": 1, "is_doubtful": False},
                        ],
                    },
                    {
                        "role": "grouped",
                        "column": "supplier",
                        "count": 3,
                        "distinct": 1,
                        "values": [{"value": "Alba", "row": 2, "count": 3, "is_doubtful": False}],
                    },
                ],
                "refs": [
                    {"row": 2, "column": "price", "role": "aggregated", "value": 0.05},
                    {"row": 3, "column": "price", "role": "aggregated", "value": None},
                    {"row": 7, "column": "price", "role": "aggregated", "value": 2.35},
                    {"row": 2, "column": "supplier", "role": "grouped", "value": "Alba"},
                    {"row": 3, "column": "supplier", "role": "grouped", "value": "Alba"},
                    {"row": 7, "column": "supplier", "role": "grouped", "value": "Alba"},
                ],
                "count": 6,
                "rows": {
                    "columns": ["part", "description", "supplier", "price", "stock"],
                    "rids": [2, 3, 7],
                    "values": [
                        ["P-003", "Washer 8 mm", "Alba", 0.05, 15000],
                        ["P-004", "Wing nut M6", "Alba", None, 300],
                        ["P-008", "Eye bolt <b>M12</b>", "Alba", 2.35, 80],
                    ],
                    "lines": [4, 5, 9],
                    "marks": [[], [3], []],
                    "row_marks": [False, False, False],
                    "count": 3,
                },
            }
        ],
        "caveats": [
            {
                "message": message,
                "count": 1,
                "family": "load",
                "made_by": "prices",
                "column": "price",
                "references": [
                    {
                        "dataset": "prices",
                        "version": 1,
                        "row": 3,
                        "column": "price",
                        "line": 5,
                        "text": "call us",
                        "message": message,
                    }
                ],
            }
        ],
        "exact": True,
        "strategy": "inject: row ids carried through the query",
    }


def test_a_cell_of_a_source_has_no_steps_but_a_line(site: Site) -> None:
    report = site.get("/api/datasets/prices/cell?row=3&column=price").json()
    assert (report["steps"], report["line"]) == ([], 5)


def chain(length: int) -> StandInWorkspace:
    """A source, a middle and a result; every row of the result comes from all rows of the source."""
    source = StandInDataset("source", pa.table({"a": range(length)}), ["bigint"])
    middle = StandInDataset("middle", pa.table({"a": [1]}), ["bigint"], made_from=[source])
    result = StandInDataset("result", pa.table({"a": [1]}), ["bigint"], made_from=[middle, source])
    result.lineage.edges = {"middle@1": {0: [0]}, "source@1": {0: list(range(length))}}
    result.lineage.cells[0, "a", "source@1"] = [CellRef("source", 1, i, "a", "aggregated", i) for i in range(length)]
    return StandInWorkspace([source, middle, result])


def test_steps_go_from_direct_inputs_to_sources_each_once() -> None:
    steps = Site(chain(3)).get("/api/datasets/result/cell?row=0&column=a").json()["steps"]
    assert [step["dataset"] for step in steps] == ["middle", "source"]


def test_long_lists_are_cut_and_counted() -> None:
    step = Site(chain(5000)).get("/api/datasets/result/cell?row=0&column=a").json()["steps"][1]
    assert (len(step["refs"]), step["count"]) == (50, 5000)
    assert (step["rows"]["rids"], step["rows"]["count"]) == (list(range(50)), 5000)


def test_equal_values_are_counted_however_many_are_listed() -> None:
    workspace = chain(5000)
    cells = workspace["result"].lineage.cells
    cells[0, "a", "source@1"] = [CellRef("source", 1, i, "a", "grouped", i % 2) for i in range(5000)]
    step = Site(workspace).get("/api/datasets/result/cell?row=0&column=a").json()["steps"][1]
    (group,) = step["groups"]
    assert (group["count"], group["distinct"]) == (5000, 2)
    assert [(each["value"], each["row"], each["count"]) for each in group["values"]] == [(0, 0, 2500), (1, 1, 2500)]


def test_the_cells_of_shown_rows_are_complete_when_the_list_is_cut() -> None:
    workspace = chain(5000)
    cells = workspace["result"].lineage.cells
    cells[0, "a", "source@1"] += [CellRef("source", 1, i, "a", "grouped", i) for i in range(5000)]
    step = Site(workspace).get("/api/datasets/result/cell?row=0&column=a").json()["steps"][1]
    places = [(ref["row"], ref["role"]) for ref in step["refs"]]
    assert places == [(i, role) for role in ("aggregated", "grouped") for i in range(50)]
    assert step["count"] == 10_000


def test_rows_far_apart_are_read_in_order() -> None:
    workspace = chain(5000)
    workspace["result"].lineage.edges["source@1"] = {0: [0, 1, 1500, 4999]}
    rows = Site(workspace).get("/api/datasets/result/cell?row=0&column=a").json()["steps"][1]["rows"]
    assert (rows["rids"], rows["values"]) == ([0, 1, 1500, 4999], [[0], [1], [1500], [4999]])


@pytest.mark.parametrize("name", ["a/b", "a b?c#d", "é", "<script>", "page", "x/page", "100%"])
def test_a_dataset_may_have_any_name(name: str) -> None:
    dataset = StandInDataset(name, pa.table({"a/b": [1]}), ["bigint"])
    site = Site(StandInWorkspace([dataset]))
    assert site.get(f"/api/datasets/{quote(name, safe='')}/page").json()["name"] == name
    assert site.get(f"/api/datasets/{quote(name, safe='')}/cell?row=0&column=a%2Fb").json()["value"] == 1


def marked(*cells: tuple[int, int], rows: tuple[int, ...] = ()) -> Site:
    dataset = StandInDataset("t", pa.table({c: [0] * 200_000 for c in "abc"}), ["bigint"] * 3)
    dataset.caveats.doubt = Doubt(columns=frozenset("abc"))
    dataset.caveats.cells |= set(cells)
    dataset.caveats.doubtful_rows |= set(rows)
    return Site(StandInWorkspace([dataset]))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", (5, "c", False)),
        ("?row=5&column=b", (5, "c", False)),
        ("?row=5&column=c", (150_000, "a", False)),
        ("?row=150000&column=a", (5, "c", True)),
        ("?direction=previous", (150_000, "a", False)),
        ("?row=150000&column=a&direction=previous", (5, "c", False)),
        ("?row=5&column=c&direction=previous", (150_000, "a", True)),
        ("?row=0&column=a&direction=previous", (150_000, "a", True)),
    ],
)
def test_the_next_doubtful_cell_is_found_however_far_away(query: str, expected: tuple[int, str, bool]) -> None:
    found = marked((5, 2), rows=(150_000,)).get(f"/api/datasets/t/next-doubt{query}").json()
    assert (found["row"], found["column"], found["wrapped"]) == expected


@pytest.mark.parametrize(("direction", "here", "found"), [("next", "a", "c"), ("previous", "c", "a")])
def test_the_next_doubtful_cell_may_stand_in_the_same_row(direction: str, here: str, found: str) -> None:
    site = marked((5, 0), (5, 2))
    answer = site.get(f"/api/datasets/t/next-doubt?row=5&column={here}&direction={direction}").json()
    assert answer == {"row": 5, "column": found, "wrapped": False}


def test_the_only_doubtful_cell_is_found_from_itself() -> None:
    found = marked((7, 1)).get("/api/datasets/t/next-doubt?row=7&column=b").json()
    assert found == {"row": 7, "column": "b", "wrapped": True}


def test_where_nothing_is_doubtful_none_is_found() -> None:
    assert marked().get("/api/datasets/t/next-doubt").json() is None


def test_about_tells_whether_spark_runs(site: Site) -> None:
    def read_state() -> list[object]:
        about = site.get("/api/about").json()
        return [about["engine"], about["seconds_starting"]]

    assert read_state() == ["idle", None]
    site.workspace.seconds_starting = 2.5
    assert read_state() == ["starting", 2.5]
    site.workspace.is_engine_running, site.workspace.seconds_starting = True, None
    assert read_state() == ["running", None]


def test_the_contract_describes_every_api_route_and_the_one_error_shape(site: Site) -> None:
    assert site.get("/openapi.json").json() == schema()
    paths: Any = schema()["paths"]
    for path, operations in paths.items():
        for operation in operations.values():
            error = operation["responses"]["4XX"]["content"]["application/json"]["schema"]
            assert error == {"$ref": "#/components/schemas/ErrorBody"}, path
