"""A session that becomes a workflow: its cells, run from the top and each for itself, show what they showed."""

from __future__ import annotations

import random

import pytest

from whence.model.notebook import CellId
from whence.notebook.session.session import LogEntry
from whence.notebook.session.workflow import PageCell, Unit, Workflow, to_workflow


def entry(cell: str, text: str, reads: str = "", writes: str = "", *, showed: bool = False) -> LogEntry:
    return LogEntry(CellId(cell), text, frozenset(reads.split()), frozenset(writes.split()), showed)


def converted(*log: LogEntry, others: tuple[PageCell, ...] = (), page: str = "") -> Workflow:
    last = {each.cell: each.text for each in log}
    cells = {cell: PageCell(cell, text) for cell, text in last.items()} | {each.id: each for each in others}
    order = page.split() or sorted(cells)
    return to_workflow([cells[CellId(cell)] for cell in order], log)


def texts(found: Workflow) -> list[tuple[tuple[str, ...], bool]]:
    assert not found.conflicts, found.conflicts
    return [(unit.cells, unit.is_prelude) for unit in found.units]


def test_cells_that_share_nothing_stay_as_they_are() -> None:
    found = converted(entry("c1", "x = 1\nx", showed=True), entry("c2", "y = 2"))
    assert found.units == (Unit((CellId("c1"),), "x = 1\nx"), Unit((CellId("c2"),), "y = 2"))


def test_imports_and_functions_become_the_prelude_of_all_others() -> None:
    found = converted(
        entry("c1", "a = math.pi"),
        entry("c3", "import math"),
        entry("c1", "a = math.pi"),
        entry("c2", "def twice(x):\n    return 2 * math.floor(x)"),
        entry("c4", "b = twice(3)"),
    )
    assert texts(found) == [(("c2", "c3"), True), (("c1",), False), (("c4",), False)]
    assert found.units[0].text == "# cell c2\ndef twice(x):\n    return 2 * math.floor(x)\n\n# cell c3\nimport math"


def test_a_function_that_another_cell_defines_anew_is_no_prelude() -> None:
    found = converted(entry("c1", "def f(): return 1"), entry("c2", "a = f()"), entry("c3", "f = 5"), page="c1 c2 c3")
    assert texts(found) == [(("c1", "c2", "c3"), False)]


def test_cells_that_hand_variables_on_become_one_in_the_order_found_and_still_show() -> None:
    found = converted(entry("c2", "x = 1\nx + 1  # two", showed=True), entry("c1", "y = x"), entry("c3", "z = 3"))
    assert texts(found) == [(("c2", "c1"), False), (("c3",), False)]
    assert found.units[0].text == "# cell c2\nx = 1\ndisplay(x + 1)  # two\n\n# cell c1\ny = x"


def test_what_reads_a_dataset_comes_after_what_makes_it_whatever_kind_it_is() -> None:
    query = PageCell(CellId("c0"), None, frozenset({"made"}), frozenset({"asked"}))
    note = PageCell(CellId("c9"), None)
    log = entry("c2", "ws['made'] = 1", writes="made"), entry("c1", "ws['asked']", reads="asked")
    found = converted(*log, others=(query, note), page="c9 c1 c0 c2")
    assert texts(found) == [(("c9",), False), (("c2",), False), (("c0",), False), (("c1",), False)]


def test_a_value_of_an_earlier_run_is_a_conflict_over_its_name() -> None:
    found = converted(entry("c1", "x = 1"), entry("c2", "y = x"), entry("c1", "x = 2"))
    (conflict,) = found.conflicts
    assert (conflict.symbol, conflict.cells) == ("x", ("c1", "c2"))
    assert conflict.reason == "cell c2 read `x` from an earlier run of cell c1"


def test_cells_that_share_variables_cannot_hand_a_dataset_to_each_other() -> None:
    inside = converted(entry("c1", "x = 1\nws['d'] = x", writes="d"), entry("c2", "ws['d'], x", reads="d"))
    assert [(each.symbol, each.cells) for each in inside.conflicts] == [('ws["d"]', ("c1", "c2"))]
    query = PageCell(CellId("q"), None, frozenset({"d"}), frozenset({"e"}))
    log = entry("c1", "x = 1\nws['d'] = x", writes="d"), entry("c2", "ws['e'], x", reads="e")
    around = converted(*log, others=(query,))
    assert [(each.symbol, set(each.cells)) for each in around.conflicts] == [('ws["e"]', {"c1", "c2", "q"})]


@pytest.mark.parametrize("text", ["exec('x = 1')", "from math import *"])
def test_code_that_nobody_can_see_is_a_conflict(text: str) -> None:
    (conflict,) = converted(entry("c1", text), entry("c2", "y = 1")).conflicts
    assert conflict.cells == ("c1",)


NAMES = "abcde"


def _text(dice: random.Random, cell: str) -> str:
    lines = []
    if dice.random() < 0.2:
        name = dice.choice(NAMES)
        return f"def {name}(*given): return ('{cell}', given)"
    for _ in range(dice.randint(1, 2)):
        read = ", ".join(dice.sample(NAMES, dice.randint(0, 2)))
        lines.append(f"{dice.choice(NAMES)} = ('{cell}', {read})" if read else f"{dice.choice(NAMES)} = ('{cell}',)")
    lines.append(f"note('{cell}', {', '.join(dice.sample(NAMES, dice.randint(0, 2)))})")
    return "\n".join(lines)


def _play(seed: int) -> bool:
    """Whether a random session became a workflow; if it did, every cell must show there what it showed last."""
    dice = random.Random(seed)
    cells = [f"c{number}" for number in range(dice.randint(2, 6))]
    namespace: dict[str, object] = {}
    shown: dict[str, str] = {}
    namespace["note"] = lambda cell, *seen: shown.__setitem__(cell, repr(seen))
    said = {cell: _text(dice, cell) for cell in cells}
    log, last = [], dict[str, str]()
    for _ in range(dice.randint(2, 12)):
        cell = dice.choice(cells)
        if dice.random() < 0.1:
            said[cell] = _text(dice, cell)
        try:
            exec(said[cell], after := dict(namespace))
        except NameError:
            continue
        namespace = after
        if "note" not in said[cell]:
            shown.pop(cell, None)
        log.append(entry(cell, said[cell]))
        last[cell] = said[cell]
    if not log or any(said[cell] != text for cell, text in last.items()):
        return False
    found = to_workflow([PageCell(CellId(cell), last[cell]) for cell in cells if cell in last], log)
    if found.conflicts:
        return False
    before = _comparable(shown)
    shown.clear()
    prelude = next((unit.text for unit in found.units if unit.is_prelude), "")
    assert sorted(cell for unit in found.units for cell in unit.cells) == sorted(last)
    for unit in found.units:
        if not unit.is_prelude:
            fresh = {"note": namespace["note"]}
            exec(f"{prelude}\n{unit.text}", fresh)
    assert _comparable(shown) == before, (seed, [unit.text for unit in found.units])
    return True


def _comparable(shown: dict[str, str]) -> dict[str, str]:
    """What was shown, without the addresses of functions."""
    return {cell: seen.partition(" at 0x")[0] for cell, seen in shown.items()}


def test_random_sessions_show_the_same_as_workflows() -> None:
    assert sum(_play(seed) for seed in range(1_500)) > 150


@pytest.mark.long
def test_many_random_sessions_show_the_same_as_workflows() -> None:
    assert sum(_play(seed) for seed in range(10_000, 30_000)) > 2_000
