"""The preview of a cell through the API: what it shows is what plain Python gives, and nothing of it is kept."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import whence
from tests.server.conftest import HOST, TOKEN
from tests.transformations.calls import CELLS, LENSES, STEPS, make_tables
from whence.model.errors import PreviewStopped
from whence.notebook.cell import CellContext, Values
from whence.notebook.cells.transformation import TRANSFORMING, TransformationCell
from whence.pipeline.preview import SAMPLE, SHOWN, TransformationPreview
from whence.server.app import create_app
from whence.server.values import to_json
from whence.transformations.vocabulary.registry import TRANSFORMATIONS
from whence.workspace.cell_previews import CellPreviews

PEOPLE = [("Ada", 36), (" Bob ", None), ("Cy", 41), ("Di ", 58), (None, 17), ("Ed", None)]
MANY = 12_345
HEADERS = {"host": HOST.decode(), "authorization": f"Bearer {TOKEN}"}
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("preview") / "w.whence") as ws:
        ws.create("crew", PEOPLE, schema="name string, age int")
        ws.create("many", [(n,) for n in range(MANY)], schema="n int")
        make_tables(ws)
        yield ws


@pytest.fixture(scope="module")
def ask(home: whence.Workspace) -> Ask:
    """Put in a draft of a kind, and ask for its preview."""
    client = TestClient(create_app(home, TOKEN), headers=HEADERS)
    client.post("/api/notebooks", json={"name": "tour"})

    def preview(kind: str, **values: object) -> dict[str, Any]:
        draft = {"kind": kind, "is_draft": True}
        cell = client.post("/api/notebooks/tour/cells", json=draft).json()["cell"]["id"]
        asked = {"values": {"name": "result", **values}, "form": "f"}
        answer = client.post(f"/api/notebooks/tour/cells/{cell}/preview", json=asked)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    return preview


def stored(folder: Path) -> set[str]:
    """Every file of the datasets of a workspace."""
    return {str(each.relative_to(folder)) for each in (folder / "datasets").rglob("*")}


def test_a_preview_marks_what_a_cell_would_change_and_keeps_nothing(home: whence.Workspace, ask: Ask) -> None:
    assert home.spark is not None
    before = {each.name for each in home.datasets()}, stored(home.path), len(home.spark.catalog.listTables())
    found = ask("trim", source="crew")["preview"]
    trimmed = [None if name is None else name.strip() for name, _ in PEOPLE]
    assert [row["values"] for row in found["rows"]] == [
        [name, age] for name, (_, age) in zip(trimmed, PEOPLE, strict=True)
    ]
    changed = [place for place, (name, _) in enumerate(PEOPLE) if name != trimmed[place]]
    assert [row["row"] for row in found["rows"] if row["changed"] == [0]] == changed
    assert (found["changed_values"], found["dropped_rows"]) == (len(changed), 0)
    assert [(each["name"], each["change"]) for each in found["columns"]] == [("name", "changed"), ("age", "same")]
    assert before == (
        {each.name for each in home.datasets()},
        stored(home.path),
        len(home.spark.catalog.listTables()),
    )


def test_rows_that_go_and_values_that_are_guessed_are_marked(ask: Ask) -> None:
    kept = ask("filter", source="crew", condition="age > 30")["preview"]
    dropped = [place for place, (_, age) in enumerate(PEOPLE) if age is None or age <= 30]
    assert [row["row"] for row in kept["rows"] if row["is_dropped"]] == dropped
    assert [row["row"] for row in kept["rows"]] == list(range(len(PEOPLE)))
    filled = ask("impute", source="crew", column="age", method="constant", value=5)["preview"]
    assert [row["row"] for row in filled["rows"] if row["doubtful"] == [1]] == [1, 5]
    assert [row["values"][1] for row in filled["rows"]] == [5 if age is None else age for _, age in PEOPLE]
    renamed = ask("rename", source="crew", columns={"age": "years"})["preview"]
    assert renamed["columns"][1] == {"name": "years", "type": "int", "change": "renamed", "was": "age"}
    derived = ask("derive", source="crew", columns={"months": "age * 12"}, drop=["age"])["preview"]
    assert (derived["columns"][1]["change"], derived["dropped_columns"]) == ("new", ["age"])


def test_a_large_dataset_is_previewed_by_its_first_rows(ask: Ask) -> None:
    found = ask("filter", source="many", condition="n % 3 = 0")["preview"]
    assert (found["rows_read"], found["rows_in_all"]) == (SAMPLE, MANY)
    assert found["dropped_rows"] == sum(n % 3 != 0 for n in range(SAMPLE))
    shown = [(row["row"], row["is_dropped"]) for row in found["rows"]]
    assert len(shown) == SHOWN
    assert shown == sorted(shown)
    assert all(is_dropped == (row % 3 != 0) for row, is_dropped in shown)
    assert sum(is_dropped for _, is_dropped in shown) == SHOWN // 2


def test_what_does_not_fit_yet_is_a_sentence(ask: Ask) -> None:
    assert ask("trim", source="nowhere")["problem"]["message"] == "No dataset is named nowhere where this cell stands."
    assert "needs condition" in ask("filter", source="crew")["problem"]["message"]
    assert "There is no column agee" in ask("filter", source="crew", condition="agee > 1")["problem"]["message"]


def test_the_code_of_a_cell_gives_what_the_cell_gives(home: whence.Workspace, ask: Ask) -> None:
    found = ask("derive", source="crew", columns={"months": "age * 12"})
    expected = [(name, age, None if age is None else age * 12) for name, age in PEOPLE]
    made = home.sql(found["sql"], name="by sql")
    assert [tuple(row.values()) for row in made.to_arrow().to_pylist()] == expected
    exec(found["python"], {"ws": home})
    assert [tuple(row.values()) for row in home["result"].to_arrow().to_pylist()] == expected
    query = ask("sql", source="select 1 as x")
    assert (query["preview"], query["sql"]) == (None, "select 1 as x")
    assert query["python"] == "ws.sql('select 1 as x', name='result')"


class Waiting(TransformationCell):
    """A kind whose preview goes on until it is stopped."""

    def __init__(self) -> None:
        super().__init__(TRANSFORMATIONS["trim"])
        self.began = threading.Event()

    def preview(self, context: CellContext, values: Values) -> TransformationPreview:
        if values.get("waits"):
            self.began.set()
            while True:
                context.run.check()
        raise LookupError("the newer preview ran")


def test_a_newer_preview_of_a_form_stops_the_one_before(home: whence.Workspace) -> None:
    notebook, kind = home.notebook("stops"), Waiting()
    previews = CellPreviews(home._context.engine, notebook.runner)
    cell = notebook.add_draft("trim")
    ended: list[BaseException] = []

    def wait() -> None:
        try:
            previews.preview(cell.id, kind, {"waits": True}, "one form")
        except PreviewStopped as stopped:
            ended.append(stopped)

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert kind.began.wait(30)
    with pytest.raises(LookupError, match="the newer preview ran"):
        previews.preview(cell.id, kind, {}, "one form")
    waiting.join(30)
    assert len(ended) == 1


@pytest.mark.long
@pytest.mark.timeout(900)
def test_previews_and_queries_give_what_cells_give(home: whence.Workspace, ask: Ask) -> None:
    calls = {
        (kind, table, repr(values)): values
        for kind, table, values in [*LENSES.values(), *STEPS.values(), *CELLS.values()]
    }
    kinds = {each.name for each in TRANSFORMING}
    wrong = []
    for (kind, table, _), values in calls.items():
        if kind not in kinds:
            continue
        made = home.run_cell(kind, source=table, **values, name="really").to_arrow()
        expected = [tuple(row.values()) for row in made.to_pylist()]
        found = ask(kind, source=table, **values)
        rows = [tuple(row["values"]) for row in found["preview"]["rows"] if not row["is_dropped"]]
        if rows != [tuple(map(to_json, row)) for row in expected[:SHOWN]]:
            wrong.append((kind, values, rows, expected))
        if found["sql"] and "__whence_rid" not in found["sql"]:
            again = [tuple(row.values()) for row in home.sql(found["sql"], name="again").to_arrow().to_pylist()]
            if sorted(map(repr, again)) != sorted(map(repr, expected)):
                wrong.append((kind, found["sql"], again, expected))
    assert wrong == []
