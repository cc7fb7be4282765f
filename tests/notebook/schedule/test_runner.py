"""The scheduler: exactly what depends on an edit runs, side by side where it can, and nothing runs for nothing."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.notebook.schedule.fakes import Desk
from whence.model.errors import UserError
from whence.notebook.schedule.events import Changed


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "w.whence")
    yield desk
    desk.calc.gate.set()
    desk.close()


def test_only_what_reads_a_changed_name_runs_again(desk: Desk) -> None:
    first = desk.add("a", plus=1)
    desk.add("b", plus=2)
    desk.add("c", ["a"])
    desk.add("d", ["b"])
    desk.add("e", ["c", "d"])
    desk.wait()
    desk.calc.ran.clear()
    desk.change(first, "a", plus=4)
    desk.wait()
    assert desk.calc.ran == Counter(c1=1, c3=1, c5=1)
    assert desk.values() == {"a": 4, "b": 2, "c": 4, "d": 2, "e": 6}


def test_inputs_that_come_out_the_same_stop_the_wave(desk: Desk) -> None:
    first = desk.add("a", plus=1, stored=True)
    desk.add("b", ["a"], plus=1, stored=True)
    desk.add("c", ["b"], stored=True)
    desk.wait()
    desk.calc.ran.clear()
    desk.change(first, "a", plus=8, stored=True)  # modulo seven it is the same
    desk.wait()
    assert desk.calc.ran == Counter(c1=1)
    assert set(desk.statuses().values()) == {"ready"}


def test_what_ran_before_is_found_on_any_version_and_branch(desk: Desk) -> None:
    first = desk.add("a", plus=1)
    desk.add("b", ["a"])
    desk.wait()
    desk.change(first, "a", plus=2)
    desk.wait()
    desk.calc.ran.clear()
    desk.restore(2)
    desk.wait()
    assert desk.values() == {"a": 1, "b": 1}
    desk.book.branch("try", 3)
    desk.branch = "try"
    desk.runner.show(desk.cells, run=True)
    desk.wait()
    assert desk.values() == {"a": 2, "b": 2}
    assert not desk.calc.ran


def test_an_error_stops_only_what_needs_what_was_not_made(desk: Desk) -> None:
    desk.add("a", plus=1)
    broken = desk.add("b", ["missing"])
    desk.add("c", ["b"])
    desk.add("d", ["c"])
    desk.add("e", ["a"])
    desk.wait()
    expected = {"c1": "ready", "c2": "error", "c3": "stale upstream error", "c4": "stale upstream error", "c5": "ready"}
    assert desk.statuses() == expected
    error = desk.runner.states()[broken].run
    assert error is not None
    assert error.error is not None
    assert error.error["message"] == "There is no missing."
    desk.add("missing", plus=3, place=0)
    desk.wait()
    assert set(desk.statuses().values()) == {"ready"}
    assert desk.calc.ran == Counter(c1=1, c2=2, c3=1, c4=1, c5=1, c6=1)


def test_cells_that_have_nothing_to_do_with_each_other_run_at_once(desk: Desk) -> None:
    desk.calc.gate.clear()
    for number in range(3):
        desk.add(f"n{number}", plus=number)
    desk.add("sum", ["n0", "n1", "n2"])
    while desk.calc.at_once < 3:
        assert desk.statuses()["c4"] == "waiting"
    assert list(desk.statuses().values()) == ["running", "running", "running", "waiting"]
    desk.calc.gate.set()
    desk.wait()
    assert (desk.values()["sum"], desk.calc.most) == (3, 3)


def test_a_cell_that_may_read_anything_waits_for_everything_above(desk: Desk) -> None:
    desk.calc.gate.clear()
    desk.add("a", plus=1)
    desk.add("b", plus=2)
    desk.add("c", ["a"], open=True)
    assert desk.statuses()["c3"] == "waiting"
    desk.calc.gate.set()
    desk.wait()
    desk.calc.ran.clear()
    desk.change(desk.cells[1].cell, "b", plus=3)
    desk.wait()
    assert desk.calc.ran == Counter(c2=1), "it turned out to read a alone"


def test_lazy_marks_and_runs_what_is_asked_for_with_what_it_needs(desk: Desk) -> None:
    desk.is_auto = False
    desk.add("a", plus=1)
    desk.add("b", ["a"])
    desk.add("c", plus=2)
    assert desk.statuses() == {"c1": "stale edited", "c2": "stale edited", "c3": "stale edited"}
    desk.runner.request([desk.cells[1].cell])
    desk.wait()
    assert desk.statuses() == {"c1": "ready", "c2": "ready", "c3": "stale edited"}
    desk.change(desk.cells[0].cell, "a", plus=2)
    assert desk.statuses() == {"c1": "stale edited", "c2": "stale input changed", "c3": "stale edited"}


def test_an_edit_runs_what_it_made_stale_and_leaves_what_was_stale_before(desk: Desk) -> None:
    desk.is_auto = False
    desk.add("a", plus=1)
    desk.add("b", plus=1)
    desk.is_auto = True
    desk.add("c", plus=1)
    desk.wait()
    assert desk.statuses() == {"c1": "stale edited", "c2": "stale edited", "c3": "ready"}
    desk.add("d", ["a"])
    desk.wait()
    assert desk.statuses() == {"c1": "ready", "c2": "stale edited", "c3": "ready", "c4": "ready"}


def test_cancelling_stops_and_stays_until_somebody_asks_again(desk: Desk) -> None:
    desk.calc.gate.clear()
    desk.add("a", plus=1)
    desk.add("b", ["a"])
    while not desk.calc.at_once:
        pass
    desk.runner.cancel()
    desk.wait()
    assert desk.statuses() == {"c1": "cancelled", "c2": "stale edited"}
    desk.calc.gate.set()
    desk.add("c", plus=1)
    desk.wait()
    assert desk.statuses() == {"c1": "cancelled", "c2": "stale edited", "c3": "ready"}
    desk.runner.request([desk.cells[1].cell])
    desk.wait()
    assert set(desk.statuses().values()) == {"ready"}


def test_a_cell_edited_while_it_runs_is_stopped_and_run_as_it_is_now(desk: Desk) -> None:
    desk.calc.gate.clear()
    cell = desk.add("a", plus=1)
    while not desk.calc.at_once:
        pass
    desk.change(cell, "a", plus=2)
    while desk.calc.ran["c1"] < 2:
        pass
    desk.calc.gate.set()
    desk.wait()
    assert desk.values() == {"a": 2}
    assert desk.calc.most == 1


def test_a_cell_edited_while_it_runs_too_far_to_be_stopped_is_run_as_it_is_now(desk: Desk) -> None:
    desk.calc.gate.clear()
    first = desk.add("a", plus=1, deaf=True)
    while not desk.calc.ran["c1"]:
        pass
    desk.change(first, "a", plus=2)
    desk.calc.gate.set()
    desk.wait()
    assert desk.statuses() == {"c1": "ready"}
    assert desk.values() == {"a": 2}


def test_a_frozen_cell_keeps_what_it_gave(desk: Desk) -> None:
    first = desk.add("a", plus=1)
    second = desk.add("b", ["a"])
    desk.add("c", ["b"])
    desk.wait()
    desk.freeze(second)
    desk.change(first, "a", plus=5)
    desk.wait()
    assert (desk.values(), desk.statuses()["c2"]) == ({"a": 5, "b": 1, "c": 1}, "frozen")
    desk.thaw(second)
    desk.wait()
    assert desk.values() == {"a": 5, "b": 5, "c": 5}


def test_a_cell_that_takes_too_long_is_stopped(desk: Desk) -> None:
    desk.calc.gate.clear()
    desk.runner.time_limit = 0.2
    cell = desk.add("a", plus=1)
    desk.wait()
    run = desk.runner.states()[cell].run
    assert run is not None
    assert run.error is not None
    assert (desk.statuses(), run.error["message"]) == (
        {"c1": "error"},
        "The cell took longer than 0.2 seconds and was stopped.",
    )


def test_the_start_of_spark_counts_neither_as_time_of_a_cell_nor_towards_its_limit(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    starting = 1.0

    def start() -> None:
        time.sleep(starting)
        raise UserError("Spark did not start.")

    monkeypatch.setattr(desk.engine.process, "_start", start)
    monkeypatch.setattr(desk.calc, "_give", lambda context, _: context.engine.process.session)
    desk.runner.time_limit = starting / 2
    began = time.monotonic()
    cell = desk.add("a", plus=1)
    desk.wait()
    run = desk.runner.states()[cell].run
    assert run is not None
    assert run.error is not None
    assert run.error["message"] == "Spark did not start."
    assert run.seconds <= time.monotonic() - began - starting


def test_what_will_run_again_is_estimated_from_the_last_time(desk: Desk) -> None:
    first = desk.add("a", plus=1)
    desk.add("b", ["a"])
    desk.wait()
    runs = [desk.runner.states()[entry.cell].run for entry in desk.cells]
    took = sum(run.seconds for run in runs if run is not None)
    desk.calc.gate.clear()
    desk.change(first, "a", plus=2)
    estimate = desk.runner.estimate()
    assert estimate.cells == ("c1", "c2")
    assert estimate.seconds == pytest.approx(took)


def test_whoever_listens_hears_every_change(desk: Desk) -> None:
    heard: list[str] = []
    desk.runner.listen(lambda event: heard.append(event.state.status) if isinstance(event, Changed) else None)
    desk.add("a", plus=1)
    desk.wait()
    assert heard == ["running", "ready"]


def test_after_opening_again_everything_stands_as_it_was_and_nothing_runs(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "w.whence")
    desk.add("a", plus=1, stored=True)
    desk.add("b", ["a"])
    desk.add("c", ["missing"])
    desk.wait()
    desk.calc.gate.clear()
    desk.add("d", plus=4)
    while desk.calc.at_once < 1:
        pass
    desk.close()
    desk = Desk(tmp_path / "w.whence")
    assert desk.statuses() == {"c1": "ready", "c2": "ready", "c3": "error", "c4": "stale interrupted"}
    assert desk.values() == {"a": 1, "b": 1}
    assert desk.store.read(desk.store.current("a"), 0, 1).to_pylist() == [{"v": 1}]
    desk.wait()
    assert not desk.calc.ran
    desk.close()
