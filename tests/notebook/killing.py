"""A process that edits and runs a notebook without end, and writes down what it begins and what was acknowledged."""

from __future__ import annotations

import os
import random
from pathlib import Path

from tests.notebook.schedule.fakes import Desk, calc_cell
from tests.store.killing import note
from whence.model.notebook import CellVersion
from whence.notebook.versions.book import Command
from whence.notebook.versions.edits import Delete, Edit, Insert, Move, Replace, ReplaceAll

NAMES = ("a", "b", "c", "d")


def work(root: Path, log: Path, seed: int, point: str = "") -> None:
    """Edit, wait for the cells, and again; from the third edit on the process dies at the fault point."""
    dice, desk, number = random.Random(seed), Desk(root), 0
    while True:
        number += 1
        if number == 3:
            os.environ["WHENCE_FAULT"] = point
        edit, version = _edit(desk, dice, number)
        command = f"{seed}-{number}"
        note(log, f"begin edit {command}")
        made = desk.book.commit("main", edit, version, Command("killer", None, command))
        note(log, f"done edit {command} {made.version}")
        note(log, f"begin run {command}")
        desk.runner.show(desk.cells, edited=edit.cell, run=True)
        desk.wait()
        note(log, f"done run {command}")


def _edit(desk: Desk, dice: random.Random, number: int) -> tuple[Edit, CellVersion | None]:
    there = [entry.cell for entry in desk.cells]
    version = calc_cell(
        dice.choice(NAMES), dice.sample(NAMES, dice.randrange(3)), dice.randrange(50), stored=dice.random() < 0.6
    )
    if len(there) < 4 or (len(there) < 12 and number % 3 == 0):
        after = dice.choice([None, *there])
        return Insert(desk.book.new_cell(), version.hash, after), version
    cell = dice.choice(there)
    match number % 5:
        case 0:
            return Delete(cell), None
        case 1:
            return Move(cell, next((each for each in there if each != cell), None)), None
        case 2:
            return ReplaceAll(desk.book.cells(dice.randint(1, desk.book.head("main")))), None
        case _:
            return Replace(cell, version.hash), version
