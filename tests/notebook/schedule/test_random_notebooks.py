"""Random notebooks under random edits: what stands is always what a clean run gives, and no cell ran that need not."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.notebook.schedule.fakes import Desk
from whence.model.notebook import CellRun

NAMES = ("a", "b", "c", "d", "e", "f", "g")
BROKEN = object()

Value = tuple[int, bool]
"""A number, and whether it is a dataset: one and the same number as a parameter is something else."""
Key = tuple[str, tuple[Value | None, ...]]


class Clean:
    """A run from the top in plain Python, over everything that was ever worked out before."""

    def __init__(self) -> None:
        self.done: dict[Key, Value] = {}
        self.failed: set[tuple[str, tuple[object, ...]]] = set()
        self.kept: dict[str, tuple[str, Value]] = {}
        """What frozen cells keep, by the run they keep."""
        self.ran = 0

    def run(self, desk: Desk) -> tuple[dict[str, int], dict[str, str]]:
        """What the names mean in the end, and how each cell stands."""
        scope: dict[str, Any] = {}
        statuses: dict[str, str] = {}
        known = desk.book.cell_versions(entry.hash for entry in desk.cells)
        for entry in desk.cells:
            values: Mapping[str, Any] = known[entry.hash].values
            name = str(values["name"])
            if entry.kept is not None:
                statuses[entry.cell] = "frozen"
                if entry.kept:
                    kept, value = self.kept[entry.kept]
                    scope[kept] = value
                continue
            inputs: list[Any] = [scope.get(each) for each in values["source"]]
            key = (entry.hash, tuple(inputs))
            is_blocked = BROKEN in (list(scope.values()) if values.get("open") else inputs)
            if key in self.done and BROKEN not in inputs:
                statuses[entry.cell], scope[name] = "ready", self.done[key]
            elif is_blocked:
                statuses[entry.cell], scope[name] = "stale", BROKEN
            elif None in inputs:
                self.ran += self._is_new_failure(entry.hash, values, inputs, scope)
                statuses[entry.cell], scope[name] = "error", BROKEN
            else:
                self.ran += 1
                total = sum(number for number, _ in inputs) + int(values["plus"])
                self.done[key] = (total % 7, bool(values.get("stored")))
                statuses[entry.cell], scope[name] = "ready", self.done[key]
        return {name: value[0] for name, value in scope.items() if value is not BROKEN}, statuses

    def _is_new_failure(self, hash: str, values: Mapping[str, Any], inputs: list[Any], scope: dict[str, Any]) -> bool:
        """A cell that fails is known by all it might have read."""
        seen = tuple(sorted(scope.items())) if values.get("open") else tuple(inputs)
        is_new = (hash, seen) not in self.failed
        self.failed.add((hash, seen))
        return is_new


def play(root: Path, seed: int, cells: int, edits: int) -> None:
    dice, desk, clean = random.Random(seed), Desk(root), Clean()
    for _ in range(edits):
        _edit(desk, clean, dice, cells)
        desk.wait()
        values, statuses = clean.run(desk)
        assert desk.values() == values
        assert {cell: state.status for cell, state in desk.runner.states().items()} == statuses
        assert sum(desk.calc.ran.values()) == clean.ran
    desk.close()


def _edit(desk: Desk, clean: Clean, dice: random.Random, cells: int) -> None:
    there = [entry.cell for entry in desk.cells]
    if not there or dice.random() < (0.7 if len(there) < cells else 0.1):
        desk.add(**_text(dice), place=dice.randint(0, len(there)))
        return
    cell = dice.choice(there)
    match dice.choice(("change", "change", "delete", "move", "restore", "branch", "freeze", "thaw")):
        case "change":
            desk.change(cell, **_text(dice))
        case "delete":
            desk.delete(cell)
        case "move":
            desk.move(cell, dice.choice([None, *(each for each in there if each != cell)]))
        case "restore":
            desk.restore(dice.randint(1, desk.book.head(desk.branch)))
        case "branch":
            heads = desk.book.heads()
            desk.book.branch(f"b{len(heads)}", dice.choice(list(heads.values())))
            desk.branch = dice.choice(list(desk.book.heads()))
            desk.runner.show(desk.cells, run=True)
        case "thaw":
            desk.thaw(cell)
        case "freeze":
            run = desk.runner.states()[cell].run
            clean.kept |= {run.id: _output_of(desk, run)} if run is not None and run.state == "done" else {}
            desk.freeze(cell)


def _text(dice: random.Random) -> dict[str, Any]:
    reads = dice.sample(NAMES, dice.choice((0, 1, 1, 2, 3)))
    more = {key: True for key, share in (("open", 0.15), ("stored", 0.15)) if dice.random() < share}
    return {"name": dice.choice(NAMES), "reads": reads, "plus": dice.randrange(9), **more}


def _output_of(desk: Desk, run: CellRun) -> tuple[str, Value]:
    for name, number in run.parameters.items():
        assert isinstance(number, int)
        return name, (number, False)
    (output,) = run.outputs
    return output.name, (desk.store.read(desk.store.by_id(output.dataset), 0, 1).to_pylist()[0]["v"], True)


@pytest.mark.parametrize("seed", range(4))
def test_a_notebook_always_stands_as_after_a_clean_run(tmp_path: Path, seed: int) -> None:
    play(tmp_path / "w.whence", seed, 12, 30)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 160))
def test_notebooks_of_fifty_cells_always_stand_as_after_a_clean_run(tmp_path: Path, seed: int) -> None:
    play(tmp_path / "w.whence", seed, 50, 120)
