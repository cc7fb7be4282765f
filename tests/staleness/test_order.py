"""An order of cells against all permutations of them, and against real runs from the top."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations

import pytest

from whence.safety import Session
from whence.staleness.order import Execution, executions, find_order


def sources(runs: Sequence[Execution]) -> list[dict[str, int | None]]:
    """From which run each run takes what it reads, by going through them one by one."""
    made: dict[str, int] = {}
    found: list[dict[str, int | None]] = []
    for number, run in enumerate(runs):
        found.append({symbol: made.get(symbol) for symbol in run.reads})
        made.update(dict.fromkeys(run.writes, number))
    return found


def is_consistent(log: Sequence[Execution], order: Sequence[str]) -> bool:
    """The definition: run each cell once in this order; each reads from the run it read from the last time it ran."""
    last = {run.cell: number for number, run in enumerate(log)}
    wanted = sources(log)
    once = [log[last[cell]] for cell in order]
    for run, found in zip(once, sources(once), strict=True):
        numbers = {symbol: None if at is None else last[once[at].cell] for symbol, at in found.items()}
        if numbers != wanted[last[run.cell]]:
            return False
    return True


def random_log(chance: random.Random) -> list[Execution]:
    cells = "abcde"[: chance.randint(2, 5)]
    symbols = "xyz"[: chance.randint(1, 3)]

    def some() -> frozenset[str]:
        return frozenset(symbol for symbol in symbols if chance.random() < 0.4)

    texts = {cell: (some(), some()) for cell in cells}
    runs = chance.choices(cells, k=chance.randint(2, 7)) if chance.random() < 0.6 else chance.sample(cells, len(cells))
    return [Execution(cell, *texts[cell]) for cell in runs]


def check(log: list[Execution]) -> bool:
    cells = sorted({run.cell for run in log})
    found = find_order(log, cells)
    possible = [order for order in permutations(cells) if is_consistent(log, order)]
    assert found.ok == bool(possible), log
    if found.ok:
        assert tuple(found.cells) in possible, (log, found)
        if tuple(cells) in possible:
            assert found.cells == tuple(cells)  # the page as it stands, if that will do
    return found.ok


@pytest.mark.parametrize("seed", range(20))
def test_there_is_an_order_if_and_only_if_some_permutation_is_consistent(seed: int) -> None:
    chance = random.Random(seed)
    outcomes = [check(random_log(chance)) for _ in range(100)]
    assert {True, False} == set(outcomes)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1050))
def test_many_more_logs_agree_with_all_permutations(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(1000):
        check(random_log(chance))


def test_the_variables_named_in_a_conflict_rule_out_every_order() -> None:
    chance = random.Random(5)
    seen = 0
    for _ in range(300):
        log = random_log(chance)
        found = find_order(log)
        if found.ok:
            continue
        seen += 1
        quarrel = {conflict.symbol for conflict in found.conflicts}
        about = [Execution(run.cell, run.reads & quarrel, run.writes & quarrel) for run in log]
        cells = sorted({run.cell for run in log})
        assert not any(is_consistent(about, order) for order in permutations(cells)), (log, found)
    assert seen > 50


def test_conflicts_read_as_sentences() -> None:
    log = [("load", "x = 1"), ("clean", "x = x + 1"), ("early", "a = x"), ("load", "x = 5"), ("late", "b = x")]
    found = find_order(executions(log))
    assert [conflict.reason for conflict in found.conflicts] == ["cell clean read `x` from an earlier run of cell load"]
    swap = [("a", "x = 1"), ("b", "y = x"), ("c", "x = 2"), ("d", "z = x\ny = 0"), ("e", "w = x + y")]
    assert find_order(executions(swap)).ok
    circle = [Execution("a", frozenset("x"), frozenset("y")), Execution("b", frozenset("y"), frozenset("x"))]
    assert find_order([circle[1], *circle]).conflicts[0].cells == ("b", "a")
    twice = find_order(executions([("n", "n = 0"), ("add", "n = n + 1"), ("add", "n = n + 1")]))
    assert twice.conflicts[0].reason == "cell add read `n` from its own earlier run"


CELLS = [
    "x = {n}\nprint(x)", "y = x * 2\nprint(y)", "z = y + x\nprint(z)", "items = [x]\nprint(items)",
    "items.append(y)\nprint(items)", "def f(v):\n    return v + x", "w = f(y)\nprint(w)", "x = 7\nprint(x)",
    "total = sum(items) + w\nprint(total)", "y = 1\nprint(y)",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_running_from_the_top_in_the_order_found_shows_the_same(seed: int) -> None:
    """Real cells, run in a random order; then each once, in a new interpreter."""
    chance = random.Random(seed)
    texts = {f"c{number}": text.format(n=number) for number, text in enumerate(CELLS)}
    session = Session()
    log: list[tuple[str, str]] = []
    shown: dict[str, str] = {}
    for cell in chance.choices(list(texts), k=chance.randint(4, 14)):
        result = session.run(cell, texts[cell])
        if result.ok:  # a cell of these that fails has changed nothing
            log.append((cell, texts[cell]))
            shown[cell] = result.output
    found = find_order(executions(log), list(texts))
    if found.ok:
        again = Session()
        assert {cell: again.run(cell, texts[cell]).output for cell in found.cells} == shown, (log, found.cells)
