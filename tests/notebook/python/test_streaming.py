"""What a Python cell shows is there while it runs, and stays when it fails or is stopped. No Spark."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import whence
from whence.model.notebook import Mode

ENDLESS = "import time\nprint('begun')\ntime.sleep(600)"


@pytest.fixture
def nb(tmp_path: Path) -> Iterator[whence.Notebook]:
    with whence.open(tmp_path / "w.whence") as ws:
        yield ws.notebook("streams")


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.05)


@pytest.mark.parametrize("mode", ["auto", "session"])
def test_output_is_there_while_the_cell_runs_and_after_it_was_stopped(nb: whence.Notebook, mode: Mode) -> None:
    nb.mode = mode
    cell = nb.append("python", source=ENDLESS)
    nb.run(cell)
    until(lambda: cell.outputs.text == "begun\n")
    assert cell.status == "running"
    nb.cancel(cell)
    nb.wait(60)
    assert (cell.status, cell.outputs.text) == ("cancelled", "begun\n")


@pytest.mark.parametrize("mode", ["auto", "session"])
def test_output_stays_when_the_cell_fails(nb: whence.Notebook, mode: Mode) -> None:
    nb.mode = mode
    cell = nb.append("python", source="print('before')\ndisplay(3)\n1 / 0")
    nb.run(cell).wait(60)
    assert (cell.status, cell.outputs.text) == ("error", "before\n")
    assert cell.outputs.rich[0].data["text/plain"] == "3"


def test_the_output_of_a_cell_that_took_too_long_stays(nb: whence.Notebook) -> None:
    nb.time_limit = 10
    cell = nb.append("python", source=ENDLESS)
    nb.wait(120)
    assert (cell.status, cell.outputs.text.strip()) == ("error", "begun")
