"""Transformations as cells: the same rows as the pipeline gives, and one history through all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import whence
from whence.transformations.vocabulary.registry import TRANSFORMATIONS
from whence.workspace.notebook_cell import Cell

PEOPLE = [
    ("Ada", "f", 36.0, "a"),
    ("Bob", "m", None, "b"),
    ("Cy", "m", 40.0, "a"),
    ("Di", "f", 58.0, None),
    ("Di", "f", 58.0, None),
]
STEPS: dict[str, dict[str, object]] = {
    "select": {"columns": ["age", "name"]},
    "drop_columns": {"columns": ["kind"]},
    "filter": {"condition": "age > 38"},
    "drop_rows": {"condition": "sex = 'm'"},
    "drop_missing": {"columns": ["kind"], "how": "any"},
    "drop_duplicates": {},
    "sample": {"rows": 3, "seed": 1},
    "undersample": {"column": "sex", "seed": 2},
    "oversample": {"column": "sex", "seed": 2},
    "impute": {"columns": {"age": "mean", "kind": {"value": "z"}}},
    "transform": {"columns": {"name": "upper({})"}},
    "replace": {"values": {"a": "A"}, "columns": ["kind"]},
    "binarize": {"columns": {"age": 38}},
    "normalize": {"columns": ["age"], "method": "min-max"},
    "discretize": {"columns": {"age": [38]}, "labels": {"age": ["young", "old"]}},
    "derive": {"columns": {"months": "age * 12"}, "drop": ["age"]},
    "one_hot": {"columns": ["kind"]},
    "string_index": {"columns": ["kind"], "keep": True},
    "generate": {"by": ["sex"], "values": {"age": "avg(age)"}},
    "rename": {"columns": {"kind": "type"}},
    "sort": {"columns": ["-age", "name"]},
    "join": {"other": "kinds", "on": ["kind"], "how": "left"},
    "union": {"other": "people"},
    "group_by": {"columns": ["sex"], "values": {"oldest": "max(age)"}},
    "pivot": {"index": ["name"], "columns": "sex", "values": "age", "aggregate": "max"},
}


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("prepare") / "w.whence") as ws:
        ws.create("people", PEOPLE, schema="name string, sex string, age double, kind string")
        ws.create("kinds", [("a", 1), ("b", 2)], schema="kind string, rank int")
        yield ws


def ran(ws: whence.Workspace, step: str, source: str, name: str, **values: Any) -> Cell:  # noqa: ANN401 - whatever a step takes
    nb = ws.notebook("prepare")
    given = {"source": source, "name": name, **values}
    cell = nb.append(step, **given)
    nb.wait()
    assert cell.status == "ready", (step, cell.error)
    return cell


def test_every_transformation_that_is_no_lens_is_tried_here() -> None:
    preparing = {each.name for each in TRANSFORMATIONS.values() if each.group != "Clean" and not each.needs_python}
    assert preparing <= set(STEPS)


def test_every_step_gives_what_the_pipeline_gives(people: whence.Workspace) -> None:
    for step, values in STEPS.items():
        cell = ran(people, step, "people", f"by_{step}", **values)
        pipeline = whence.Pipeline(people["people"], name=f"plain_{step}")
        expected = getattr(pipeline, step)(**values).result.to_arrow().to_pylist()
        assert people[f"by_{step}"].to_arrow().to_pylist() == expected, step
        assert f"1. {step}: " in str(cell.outputs.rich[0].data["text/plain"]), step


def test_a_history_goes_through_several_cells(people: whence.Workspace) -> None:
    ran(people, "drop_missing", "people", "known", columns=["age"])
    ran(people, "derive", "known", "scaled", columns={"decades": "age / 10"})
    history = whence.Pipeline.from_dataset(people["scaled"])
    assert [each.kind for each in history.operations] == ["drop_missing", "keep", "derive"]
    asked = history.provenance
    assert [(ref.row, ref.column) for ref in asked.why(1, "decades")] == [(2, "age")]
    missing = asked.why_missing(1).operation
    assert missing is not None
    assert missing.kind == "drop_missing"


def test_a_step_says_what_is_wrong(people: whence.Workspace) -> None:
    nb = people.notebook("prepare")
    cell = nb.append("impute", source="people", name="x", columns={"agee": "mean"})
    nb.wait()
    assert cell.error is not None
    assert (cell.error.message, cell.error.hint) == ("people@1 has no column agee.", "Did you mean age?")
    nb.delete(cell)


def test_the_same_cell_over_the_same_version_is_not_run_again(people: whence.Workspace) -> None:
    ran(people, "impute", "people", "filled_once", column="age", method="mean")
    ran(people, "impute", "people", "filled_twice", column="age", method="mean")
    once, twice = people["filled_once"], people["filled_twice"]
    assert twice.lineage.strategy.startswith("taken over: filled_once@1")
    assert (once.to_arrow(), once.caveats.marks()) == (twice.to_arrow(), twice.caveats.marks())
    history = whence.Pipeline.from_dataset(twice)
    assert (history.name, [each.kind for each in history.operations]) == ("filled_twice", ["impute"])
    assert [ref.row for ref in history.provenance.why(0, "age")] == [0]


def test_a_cell_marks_what_its_transformation_guessed(people: whence.Workspace) -> None:
    ran(people, "impute", "people", "complete", column="age", method="mean")
    assert people["complete"].caveats.marks().column("age").to_pylist() == [False, True, False, False, False]
