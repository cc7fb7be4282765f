"""Random edit scripts: the sheet shows, keeps, doubts and traces what a spreadsheet in plain Python says it should."""

from __future__ import annotations

import json

import pytest

import whence
from tests.notebook.sheet.model import Bad, words
from tests.notebook.sheet.scripts import Script


def agrees(shown: object, meant: object, type_name: str) -> bool:
    if meant is None or shown is None:
        return meant is None and shown is None
    if type_name == "string":
        if isinstance(meant, float) and not isinstance(shown, bool):
            return float(str(shown)) == pytest.approx(meant, rel=1e-9, abs=1e-9)
        return shown == words(meant)
    return float(shown) == pytest.approx(float(meant), rel=1e-9, abs=1e-9)  # type: ignore[arg-type]


def check_page(script: Script) -> None:
    model, page = script.model, script.sheet.page()
    assert [column.name for column in page.columns] == [model.names[column] for column in model.columns]
    assert page.rows == [row if isinstance(row, int) else None for row in model.rows], script.done
    values, doubts = model.values(), model.doubts()
    types = {column.name: column.type for column in page.columns}
    for at, row in enumerate(model.rows):
        for column in model.columns:
            name = model.names[column]
            meant, failure = values[row, column], page.errors.get((at, name))
            where = (at, name, types[name], model.cells.get((row, column)), script.done)
            if isinstance(meant, Bad):
                assert failure is not None, (meant, page.values[name][at], where)
                assert failure.code == meant.code, where
                assert page.marks[name][at]
            else:
                assert failure is None, (failure, meant, where)
                assert agrees(page.values[name][at], meant, types[name]), (page.values[name][at], meant, where)
                is_data = (row, column) not in model.cells and isinstance(row, int) and column in model.data[row]
                given = {"k": "int", "a": "int", "b": "double", "t": "string"}.get(column)
                is_converted = is_data and kind(given) != kind(types[name])
                assert page.marks[name][at] == (doubts[row, column] or is_converted), where
            assert page.edited[name][at] == ((row, column) in model.cells), where
        assert page.row_marks[at] == (row in model.row_doubt)


def kind(type_name: str | None) -> str | None:
    return "decimal" if type_name and type_name.startswith("decimal") else "int" if type_name == "bigint" else type_name


def check_applied(script: Script) -> whence.workspace.dataset.Dataset:
    """What is kept is what was shown, and comes from where the model says."""
    page, made = script.sheet.page(), script.sheet.apply("applied")
    assert made.to_arrow().to_pydict() == page.values
    assert [(field.name, field.type) for field in made.schema] == [(each.name, each.type) for each in page.columns]
    marks = made.caveats.marks()
    assert {name: marks[name].to_pylist() for name in made.columns} == page.marks
    assert marks["_row"].to_pylist() == page.row_marks
    assert made.caveats.row_set == script.model.row_set
    model, behind = script.model, script.model.behind()
    keys = script.dataset.row_keys()
    for at, row in enumerate(model.rows):
        if isinstance(row, int):
            assert made.row_keys()[at] == keys[row]
        expected = {row} if isinstance(row, int) else set()
        for column in model.columns:
            found = made.lineage.cell(at, model.names[column])
            told = {(each.row, each.column) for each in found if each.role != "filtered"}
            assert told == behind[row, column], (at, column, model.cells.get((row, column)), script.done)
            expected |= {each for each, _ in told}
            marked = page.marks[model.names[column]][at]
            assert bool(made.caveats.list(row=at, column=model.names[column])) == (marked or page.row_marks[at])
        assert expected <= set(made.lineage.backward([at], to="data").ids.tolist())
    return made


def check_again(script: Script, workspace: whence.Workspace) -> None:
    """The operations as JSON, done again from the start, show the same."""
    kept = json.loads(json.dumps(script.sheet.operations))
    again = workspace.sheet(script.dataset, kept)
    assert again.page().values == script.sheet.page().values
    assert again.operations == kept


def run(seed: int, workspace: whence.Workspace, steps: int, script_kind: type[Script] = Script) -> Script:
    script = script_kind(seed, workspace)
    for _ in range(steps):
        script.step()
        check_page(script)
    check_again(script, workspace)
    check_applied(script)
    return script


@pytest.mark.parametrize("start", range(0, 24, 8))
def test_sheets_do_what_a_spreadsheet_does(quiet: whence.Workspace, start: int) -> None:
    for seed in range(start, start + 8):
        run(seed, quiet, 14)


@pytest.mark.parametrize("seed", [1138, 1168, 1199])
def test_what_a_copied_doubt_decides_is_told(quiet: whence.Workspace, seed: int) -> None:
    """Scripts that once left a doubt without its reason: a condition over copies of cells in doubt, or over places."""
    run(seed, quiet, 30)


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(1505, id="between two circles of columns, a mark was asked for before it was known"),
        pytest.param(1535, id="a formula that names a cell twice lent its lineage to its neighbours"),
    ],
)
def test_scripts_that_once_went_wrong(quiet: whence.Workspace, seed: int) -> None:
    run(seed, quiet, 30)


@pytest.mark.long
@pytest.mark.parametrize("start", range(1000, 4000, 50))
def test_many_sheets_do_what_a_spreadsheet_does(quiet: whence.Workspace, start: int) -> None:
    for seed in range(start, start + 50):
        run(seed, quiet, 30)
