"""What a transformation made can be asked about, worked out again and taken over in a later session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import whence
from whence.engine.engine import Engine

ROWS = [("a", 1, None), ("a", 2, 4), ("b", 3, 8), ("c", 9, 1), (None, 5, 3)]
SCHEMA = "k string, x int, y int"
DOUBTED = [(1, "y", "smudged"), (3, "x", "torn")]


def create(ws: whence.Workspace, doubted: list[tuple[int, str, str]]) -> whence.Dataset:
    return ws.create("t", ROWS, schema=SCHEMA, cell_caveats=doubted)


MAKERS: dict[str, Callable[[whence.Workspace, str], whence.Dataset]] = {
    "lens": lambda ws, name: ws.lens("impute", "t", name=name, column="y", method="mean"),
    "steps": lambda ws, name: whence.Pipeline(ws["t"], name=name).filter("x < 9").derive({"z": "x + y"}).result,
    "groups": lambda ws, name: (
        whence.Pipeline(ws["t"], name=name).impute({"y": "mean"}).group_by(["k"], {"top": "max(y)"}).result
    ),
    "helper": lambda ws, name: ws.lens("drop_duplicates", "t", name=name, columns=["k"]),
    "new rows with guesses": lambda ws, name: ws.lens("repair_key", "t", name=name, column="k"),
}


def rows_with_marks(ds: whence.Dataset) -> list[object]:
    """Rows with their marks, in an order that does not hang on the run."""
    both = zip(ds.to_arrow().to_pylist(), ds.caveats.marks().to_pylist(), strict=True)
    return [sorted(map(repr, both)), ds.caveats.row_set]


def test_rows_are_worked_out_again_and_missing_ones_explained(ws: whence.Workspace) -> None:
    create(ws, DOUBTED)
    made = {title: make(ws, title) for title, make in MAKERS.items()}
    rows = {title: ds.to_arrow().to_pylist() for title, ds in made.items()}
    lost = str(made["steps"].lineage.why_not("t", 3))
    ws.close()
    with whence.open(ws.path) as later:
        create(later, [])  # a newer version must not be read instead
        for title, expected in rows.items():
            assert later[title].lineage.refresh([0]).to_pylist() == expected[:1], title
        assert str(later["steps"].lineage.why_not("t@1", 3)) == lost
        assert "x < 9" in lost


def test_acknowledging_gives_the_marks_of_a_fresh_run(ws: whence.Workspace) -> None:
    create(ws, DOUBTED)
    for title, make in MAKERS.items():
        make(ws, title)
    ws.close()
    with whence.open(ws.path) as later:
        table = later["t"]
        for group in table.caveats.list(row=1):
            table.caveats.acknowledge(group)
        create(later, DOUBTED[1:])
        for title, make in MAKERS.items():
            assert rows_with_marks(later[title]) == rows_with_marks(make(later, f"fresh {title}")), title


def test_a_guess_of_its_own_can_be_acknowledged(ws: whence.Workspace) -> None:
    create(ws, [])
    MAKERS["lens"](ws, "filled")
    ws.close()
    with whence.open(ws.path) as later:
        filled = later["filled"]
        assert filled.caveats.marks().to_pylist()[0]["y"]
        filled.caveats.acknowledge("imputed")
        assert not any(any(row.values()) for row in filled.caveats.marks().to_pylist())


def test_a_function_is_not_stored_so_its_step_is_not_worked_out_again(ws: whence.Workspace) -> None:
    create(ws, [])
    _ = whence.Pipeline(ws["t"], name="longer").transform(["x"], lambda x: x + 1).result
    ws.close()
    with whence.open(ws.path) as later, pytest.raises(whence.WhenceError, match="cannot be worked out again"):
        later["longer"].lineage.refresh([0])


def test_an_equal_cell_takes_the_result_over(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    create(ws, DOUBTED)
    calls: dict[str, dict[str, object]] = {
        "impute": {"column": "y", "method": "mean"},
        "group_by": {"columns": ["k"], "values": {"top": "max(y)"}},
        "comment": {"column": "x", "text": "in cents"},
    }
    first = {kind: facts(ws.run_cell(kind, source="t", name=kind, **given)) for kind, given in calls.items()}
    ws.close()
    runs: list[str] = []
    run = Engine.run

    def noted(*args: Any, **options: Any) -> object:  # noqa: ANN401 - what `run` is given
        runs.append("run")
        return run(*args, **options)

    monkeypatch.setattr(Engine, "run", noted)
    with whence.open(ws.path) as later:
        for kind, given in calls.items():
            made = later.run_cell(kind, source="t", name=kind, **given)
            assert made.lineage.strategy.startswith(f"taken over: {kind}@1"), kind
            assert facts(made) == first[kind], kind
        assert runs == []
        later.run_cell("impute", source="t", name="impute", column="y", method="median")
        assert runs == ["run"]


def facts(ds: whence.Dataset) -> list[object]:
    groups = sorted((group.family, group.message, group.count) for group in ds.caveats.list())
    steps = [each.description for each in whence.Pipeline.from_dataset(ds).operations]
    return [*rows_with_marks(ds), groups, steps, ds.lineage.backward([0], to="t").ids.tolist()]
