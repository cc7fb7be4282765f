"""A lens and a step are one thing: the same rows and doubts inside a chain, the same answers to every question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import whence
from tests.transformations.calls import CELLS, LENSES, STEPS, make_tables
from tests.transformations.looks import marks, rows
from whence.store.profile import Profile
from whence.transformations.vocabulary.registry import TRANSFORMATIONS


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("one") / "w.whence") as ws:
        make_tables(ws)
        yield ws


def test_every_example_fits_its_parameters() -> None:
    for each in TRANSFORMATIONS.values():
        if not each.needs_python:
            each.check(each.name, each.example)


def test_every_transformation_is_called_by_the_golden_test() -> None:
    called = {kind for calls in (LENSES, STEPS, CELLS) for kind, _, _ in calls.values()}
    assert {each.name for each in TRANSFORMATIONS.values() if not each.needs_python} <= called


@pytest.mark.timeout(900)
def test_a_step_inside_a_chain_marks_what_the_lens_marks(tables: whence.Workspace) -> None:
    for title, (kind, table, parameters) in LENSES.items():
        lens = tables.lens(kind, table, name=f"lens {title}", **parameters)
        chain = whence.Pipeline(tables[table], name=f"chain {title}").filter("true").step(kind, **parameters)
        step = chain.result
        assert (rows(step), marks(step), step.caveats.row_set) == (rows(lens), marks(lens), lens.caveats.row_set), title
        assert [group.family for group in step.caveats.list()] == [group.family for group in lens.caveats.list()], title


def test_rows_are_counted_among_those_that_are_left(tables: whence.Workspace) -> None:
    headless = whence.Pipeline(tables["headless"], name="named").filter("column_1 is not null")
    assert headless.step("find_header", row=0).result.to_arrow().to_pylist() == [{"part": "bolt", "price": "1"}]
    people = (
        whence.Pipeline(tables["people"], name="noted").filter("kind is not null").step("comment", row=3, text="hm")
    )
    assert people.result.to_arrow().column("name").to_pylist()[3] == "di"
    assert people.result.caveats.list(row=3)[-1].message == "hm"
    assert (3, "_row") in marks(people.result)


def nulls(profile: Profile | None) -> int:
    assert profile is not None
    return profile.nulls


def answers(made: whence.Dataset) -> dict[str, Any]:
    """The twelve questions of the paper about a dataset of people whose age was filled and whose row 1 was changed."""
    q = whence.Pipeline.from_dataset(made).provenance
    gone = q.invalidations()
    return {
        "transformations": [each.kind for each in q.transformations()],
        "why": sorted((ref.row, ref.column, ref.role) for ref in q.why(1, "age")),
        "how": [(step.operation.kind, step.before, step.after) for step in q.how(1, "age")],
        "feature operations": [each.kind for each in q.feature_operations("age")],
        "record operations": [each.kind for each in q.record_operations(1)],
        "item operations": [each.kind for each in q.item_operations(1, "age")],
        "invalidations": (sorted(gone.features), sorted(gone.records), [place[:2] for place in gone.items]),
        "feature invalidation": q.feature_invalidation("age"),
        "record invalidation": q.record_invalidation(1),
        "item invalidation": [each.kind for each in q.item_invalidation(1, "age")],
        "feature spread": [(nulls(each.before), nulls(each.after)) for each in q.feature_spread("age")],
        "dataset spread": len(q.dataset_spread()),
    }


def test_a_lens_a_step_and_a_cell_answer_the_twelve_questions_alike(tables: whence.Workspace) -> None:
    call = {"column": "age", "method": "mean"}
    lens = answers(tables.lens("impute", "people", name="by lens", **call))
    assert lens["transformations"] == lens["item operations"] == ["impute"]
    assert lens["how"] == [("impute", None, 51)]
    assert (1, "age", "computed") in lens["why"]
    assert lens["feature spread"] == [(1, 0)]
    assert lens == answers(whence.Pipeline(tables["people"], name="by step").impute({"age": "mean"}).result)
    assert lens == answers(tables.run_cell("impute", source="people", name="by cell", **call))
