"""Our highlights against the reference's, step by step, on random notebooks."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.staleness.notebook_steps import Steps, random_notebooks
from tests.staleness.notebooks import FIRST, SECOND
from tests.staleness.reference_highlights import Reference
from whence.safety import Session
from whence.staleness.preparations import Preparations

PREPARED = Preparations()  # every notebook starts with the same two cells


class Box:
    """An object with objects inside that no cell of a notebook has made."""

    def __init__(self) -> None:
        self.a = SimpleNamespace(v=0, a=SimpleNamespace(v=0, a=SimpleNamespace(v=0, a=SimpleNamespace(v=0))))


class Pair:
    """The same notebook in a session and in the reference."""

    def __init__(self) -> None:
        self.session = Session()
        self.session.namespace["Box"] = Box
        self.session._preparations = PREPARED
        self.reference = Reference()
        self.run("s1", FIRST)
        self.run("s2", SECOND)

    def run(self, cell: str, text: str) -> None:
        result = self.session.run(cell, text)
        assert self.session.problems == []
        assert result.ok == self.reference.run(cell, text), (text, result.error)

    def edit(self, cell: str, text: str) -> None:
        self.session.edit(cell, text)
        self.reference.edit(cell, text)

    def agree(self) -> None:
        found = self.session.highlights()
        stale, fresh, refresher = self.reference.highlights()
        assert (found.stale, found.fresh, found.refresher) == tuple(map(frozenset, (stale, fresh, refresher)))


def check_highlights_agree_with_the_literal_definitions(steps: Steps) -> None:
    pair = Pair()
    for action, cell, text in steps:
        if action == "edit":
            pair.edit(cell, text)
        elif action == "again" and cell in pair.reference.cells:
            pair.run(cell, pair.reference.cells[cell].text)
        else:
            pair.run(cell, text)
        pair.agree()


@random_notebooks(150)
def test_highlights_agree_with_the_literal_definitions(steps: Steps) -> None:
    check_highlights_agree_with_the_literal_definitions(steps)


@pytest.mark.long
@random_notebooks(10_000)
def test_many_more_times_highlights_agree_with_the_literal_definitions(steps: Steps) -> None:
    check_highlights_agree_with_the_literal_definitions(steps)


ONCE_WRONG = [
    [("run", "c1", "q = [o.v, a]"), ("run", "c1", "a = a\nq = [a, q[1]]")],
    [("run", "c1", "a = h()\ndef h():\n    q.append(b)\n    return 1")],
    [
        ("run", "c1", "a = a"),
        ("run", "c1", "def f():\n    return o.v\na = g()"),
        ("run", "c2", "def f():\n    return b"),
    ],
    [("run", "c1", "if b > 1:\n    a = o.v\n    del a\nelse:\n    n = [p, q]")],
    [("run", "c2", "if a > 1:\n    n = [p, q]\nelse:\n    p.append(a)\n    p = q"), ("run", "c1", "a = a")],
    [
        ("run", "c4", "o.v = n[0][1]"),
        ("run", "c1", "try:\n    1 / 0\nexcept Exception:\n    n = [p, q]\n    o.v += n[1][1]"),
        ("run", "c4", "n[0][0] = d['x']"),
    ],
    [("run", "c1", "a = a"), ("run", "c1", "d = {'x': d['x'], 'y': a}\nd = {'x': d['x'], 'y': a}")],
]


@pytest.mark.parametrize("steps", ONCE_WRONG, ids=range(len(ONCE_WRONG)))
def test_notebooks_that_were_once_judged_wrongly_agree(steps: list[tuple[str, str, str]]) -> None:
    pair = Pair()
    for _, cell, text in steps:
        pair.run(cell, text)
        pair.agree()
