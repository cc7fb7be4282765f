"""Python cells of a notebook in one confined interpreter: any order, errors, cancelling, crashes, and the way back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import whence
from whence.model.errors import UserError
from whence.notebook.schedule.events import Changed


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[whence.Workspace]:
    with whence.open(tmp_path_factory.mktemp("session") / "w.whence") as opened:
        opened.create("parts", [("bolt", 3), ("nut", 5)], schema="part string, price int")
        yield opened


@pytest.fixture
def nb(home: whence.Workspace, request: pytest.FixtureRequest) -> Iterator[whence.Notebook]:
    notebook = home.notebook(request.node.name)
    notebook.mode = "session"
    yield notebook
    home.drop_notebook(notebook.name)


def ran(nb: whence.Notebook, *cells: whence.Cell) -> None:
    for cell in cells:
        nb.run(cell).wait(60)


def test_cells_share_variables_in_any_order_and_are_judged(nb: whence.Notebook) -> None:
    use = nb.append("python", source="print(rate * 10)")
    make = nb.append("python", source="rate = 2")
    assert [cell.status for cell in nb.cells] == ["stale", "stale"]
    ran(nb, use)
    assert use.error is not None
    assert (use.status, use.error.message, use.error.line) == ("error", "NameError: name 'rate' is not defined", 1)
    ran(nb, make, use)
    assert (use.status, use.outputs.text) == ("ready", "20\n")
    nb.update(make, source="rate = 3")
    ran(nb, make)
    assert (use.status, use.reason) == ("stale", "input changed")
    assert use.id in nb.session.highlights().fresh
    nb.update(use, source="print('none of it')")
    assert (use.status, use.reason) == ("stale", "edited")
    assert nb.session.highlights().fresh == frozenset(), "an edited cell is judged by its new text"
    nb.delete(make)
    assert nb.session.highlights().would_fail == {}
    nb.update(use, source="print(rate, gone)")
    assert nb.session.highlights().would_fail == {use.id: ("gone",)}


def test_an_error_half_way_leaves_what_ran_and_names_the_line(nb: whence.Notebook) -> None:
    helper = nb.append("python", source="def half(x):\n\n    return x / 0")
    bad = nb.append("python", source="kept = 1\nhalf(3)")
    look = nb.append("python", source="kept")
    ran(nb, helper, bad, look)
    assert bad.error is not None
    assert (bad.status, bad.error.kind, bad.error.line) == ("error", "ZeroDivisionError", 2)
    assert "return x / 0" in bad.error.traceback
    assert look.outputs.rich[0].data["text/plain"] == "1"


def test_a_cancelled_cell_leaves_the_variables(nb: whence.Notebook) -> None:
    make = nb.append("python", source="x = 7")
    endless = nb.append("python", source="while True:\n    print('.', end='')")
    waiting = nb.append("python", source="y = 1")
    look = nb.append("python", source="print(x)")
    ran(nb, make)
    nb.run(endless).run(waiting)
    _until(lambda: endless.status == "running")
    assert waiting.status == "waiting"
    time.sleep(0.3)
    nb.cancel()
    nb.wait(30)
    assert (endless.status, waiting.status) == ("cancelled", "stale")
    assert nb.session.is_running
    ran(nb, look)
    assert look.outputs.text == "7\n"


def test_a_cell_that_does_not_stop_costs_the_variables_and_says_so(nb: whence.Notebook) -> None:
    make = nb.append("python", source="x = 7")
    deaf = nb.append(
        "python",
        source="import time\nwhile True:\n    try:\n        time.sleep(60)\n    except BaseException:\n        pass",
    )
    nb.time_limit = 0.5
    ran(nb, make, deaf)
    assert deaf.error is not None
    assert deaf.error.message == "The cell took longer than 0.5 seconds and was stopped."
    assert deaf.error.hint == "All variables are gone; the next cell begins a new session."
    assert (make.status, make.reason) == ("stale", "interrupted")
    assert not nb.session.is_running


def test_a_crash_says_so_and_the_next_cell_begins_anew(nb: whence.Notebook) -> None:
    make = nb.append("python", source="x = 1")
    crash = nb.append("python", source="import ctypes\nctypes.string_at(0)")
    look = nb.append("python", source="print('x' in globals())")
    ran(nb, make, crash)
    assert crash.status == "error"
    assert crash.error is not None
    assert crash.error.message == "The cell's process crashed (signal 11)."
    assert crash.error.hint == "All variables are gone; the next cell begins a new session."
    assert (make.status, make.reason) == ("stale", "interrupted")
    assert nb.session.lost == "the interpreter ended while a cell ran"
    ran(nb, look)
    assert look.outputs.text == "False\n"


def test_restarting_forgets_all_variables(nb: whence.Notebook) -> None:
    make = nb.append("python", source="x = 1")
    ran(nb, make)
    nb.session.restart()
    assert (make.status, make.reason, nb.session.is_running) == ("stale", "interrupted", False)
    ran(nb, make)
    assert make.status == "ready"


def test_datasets_go_in_and_out_and_know_all_that_was_read(nb: whence.Notebook, home: whence.Workspace) -> None:
    take = nb.append("python", source="frame = ws['parts'].to_pandas()")
    keep = nb.append("python", source="ws['dear'] = frame[frame.price > 3]")
    count = nb.append("python", source="ws['counted'] = [{'n': len(frame)}]")
    ran(nb, take, keep, count)
    assert home["dear"].to_arrow().to_pylist() == [{"part": "nut", "price": 5}]
    assert home["dear"].lineage.backward([0], to="parts").ids.tolist() == [1], "by the index of an earlier cell's frame"
    assert home["counted"].lineage.backward([0], to="parts").ids.tolist() == [0, 1]
    assert keep.outputs.datasets["dear"].version == 1
    again = nb.append("python", source="print(ws['dear'].to_pandas().part[0])")
    ran(nb, again)
    assert again.outputs.text == "nut\n"
    nb.update(keep, source="ws['dear'] = frame[frame.price > 100]\n1 / 0")
    ran(nb, keep)
    assert (keep.status, home["dear"].count) == ("error", 1), "a cell that fails keeps nothing, and loses nothing"


def test_one_action_makes_a_workflow_or_says_who_quarrels(nb: whence.Notebook, home: whence.Workspace) -> None:
    out = nb.append("python", source="ws['sums'] = [{'s': base + 1}]\nbase")
    make = nb.append("python", source="base = math.floor(2.5)")
    lib = nb.append("python", source="import math")
    with pytest.raises(UserError, match="Not every cell has run well as it stands now: c1, c2, c3"):
        nb.session.to_workflow()
    ran(nb, lib, make, out, make)
    refused = nb.session.to_workflow()
    assert [(each.symbol, each.cells) for each in refused.conflicts] == [("base", ("c2", "c1"))]
    assert nb.mode == "session"
    ran(nb, out)
    assert nb.session.to_workflow().cells == ("c3", "c2", "c1")
    assert (nb.mode, [cell.values.get("prelude") for cell in nb.cells]) == ("auto", [True, None])
    assert nb.history()[-1].action == "workflow"
    nb.run().wait(60)
    assert [cell.status for cell in nb.cells] == ["ready", "ready"], [cell.error for cell in nb.cells]
    assert home["sums"].to_arrow().to_pylist() == [{"s": 3}]
    with pytest.raises(UserError, match="This notebook is not in a session"):
        nb.session.highlights()


def test_the_interpreter_is_confined(nb: whence.Notebook, home: whence.Workspace, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("xyzzy")
    cell = nb.append("python", source=f"open({str(secret)!r}).read()")
    ran(nb, cell)
    if not home._context.background.workers.level().landlock:
        pytest.skip("this system has no Landlock")
    assert cell.error is not None
    assert cell.error.kind == "PermissionError"


def test_a_session_comes_back_without_variables_but_with_what_it_made(tmp_path: Path) -> None:
    with whence.open(tmp_path / "w.whence") as ws:
        nb = ws.notebook("kept")
        nb.mode = "session"
        told = []
        nb.listen(lambda event: told.append((event.cell, event.state.status)) if isinstance(event, Changed) else None)
        ran(nb, nb.append("python", source="ws['made'] = [{'a': 1}]\nprint('hello')"))
        assert told == [("c1", "stale"), ("c1", "waiting"), ("c1", "running"), ("c1", "ready")]
    with whence.open(tmp_path / "w.whence") as ws:
        nb = ws.notebook("kept")
        (cell,) = nb.cells
        assert (nb.mode, cell.status, cell.reason, cell.outputs.text) == ("session", "stale", "interrupted", "hello\n")
        assert ws["made"].count == 1
        nb.mode = "auto"
        nb.run().wait(60)
        assert (cell.status, ws["made"].version) == ("ready", 2), "what ran in a session is no result of a workflow"


def _until(claim: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not claim():
        assert time.monotonic() < deadline
        time.sleep(0.02)
