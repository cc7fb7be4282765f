"""The footprint of a text against what its run really looks up and stores."""

from __future__ import annotations

import builtins

import pytest

from tests.safety.notebook_steps import Steps, random_notebooks
from tests.safety.notebooks import FIRST, SECOND
from tests.safety.test_oracle import Box
from whence.safety.footprint import CellFootprint, definitions_after, read_footprint


class Watched(dict[str, object]):
    """A namespace that notes every look-up of a name the cell has not stored itself, and every store."""

    def __init__(self, values: dict[str, object]) -> None:
        super().__init__(values)
        self.read: set[str] = set()
        self.stored: set[str] = set()

    def __getitem__(self, name: str) -> object:
        if name not in self.stored and name in self:
            self.read.add(name)
        return super().__getitem__(name)

    def __setitem__(self, name: str, value: object) -> None:
        self.stored.add(name)
        super().__setitem__(name, value)


def check_names_too_much_never_too_little(steps: Steps) -> None:
    """Each cell runs after the same two, in the same namespace, so that what functions look up is seen too."""
    definitions = definitions_after(SECOND, definitions_after(FIRST, {}))
    for _, _, text in steps:
        found = read_footprint(text, definitions)
        namespace = Watched({"Box": Box, "print": lambda *_: None, "__builtins__": builtins})
        exec(compile(FIRST + "\n" + SECOND, "<before>", "exec"), namespace)
        before = {name: repr(value) for name, value in namespace.items() if name != "__builtins__"}
        namespace.read.clear()
        namespace.stored.clear()
        try:
            exec(compile(text, "<cell>", "exec"), namespace)
        except Exception:
            ok = False
        else:
            ok = True
        assert namespace.read - set(dir(builtins)) <= found.reads, text
        changed = {name for name, shown in before.items() if name not in namespace or repr(namespace[name]) != shown}
        bound = changed - {"o", "n", "d"}  # whose looks also change with what they hold
        assert bound <= found.writes | _holders(found.writes), text
        assert not ok or found.sure_writes <= namespace.stored | changed, text


def _holders(written: frozenset[str]) -> set[str]:
    """`n` holds `p` and `q`: a change through one shows in the other, which no text can tell."""
    return {"p", "q"} if written & {"n", "p", "q"} else set()


@random_notebooks(60)
def test_a_footprint_names_all_that_a_run_looks_up_and_stores(steps: Steps) -> None:
    check_names_too_much_never_too_little(steps)


@pytest.mark.long
@random_notebooks(5_000)
def test_many_more_footprints_name_all_that_a_run_looks_up_and_stores(steps: Steps) -> None:
    check_names_too_much_never_too_little(steps)


@pytest.mark.parametrize(
    ("text", "reads", "writes"),
    [
        ("x = y + 1", {"y"}, {"x"}),
        ("k = 1\ndef f():\n    return k + m\nr = f()", {"m"}, {"k", "f", "r"}),
        ("def f():\n    return k", set(), {"f"}),
        ("for row in rows:\n    row.n = 1", {"rows"}, {"row", "rows"}),
        ("if a:\n    b = 1\nprint(b)", {"a", "b"}, {"b"}),
        ("x.append(1)", {"x"}, {"x"}),
        ("df.sort_values('a', inplace=True)", {"df"}, {"df"}),
        ("del old", {"old"}, {"old"}),
        ("import numpy as np\nnp.zeros(3)", set(), {"np"}),
        ("[i * k for i in range(3)]", {"k"}, set()),
        ("x = = 1", set(), set()),
    ],
)
def test_what_texts_read_and_write(text: str, reads: set[str], writes: set[str]) -> None:
    found = read_footprint(text)
    assert (found.reads, found.writes) == (reads, writes)
    assert not found.is_open


@pytest.mark.parametrize(
    ("text", "reads", "writes"),
    [
        ("ws['out'] = ws['sales'].df.limit(3)", {"sales"}, {"out"}),
        ("for part in parts:\n    ws['out'] = part", set(), {"out"}),
        ("name = 'a'\nx = ws[name]", None, set()),
        ("ws[name] = x", set(), None),
        ("ws.parameters['p'] = ws.parameters['q']", {"q"}, {"p"}),
        ("ws.sql('select 1')", None, None),
        ("helper(ws)", None, None),
        ("def f():\n    ws['out'] = ws['in'].df\nf()", {"in"}, {"out"}),
        ("x = 1", set(), set()),
    ],
)
def test_which_datasets_texts_read_and_write(text: str, reads: set[str] | None, writes: set[str] | None) -> None:
    found = read_footprint(text)
    assert (found.datasets_read, found.datasets_written) == (reads, writes)


@pytest.mark.parametrize("text", ["exec(code)", "globals()['x'] = 1", "from os.path import *", "get_ipython().run()"])
def test_code_from_a_string_leaves_the_footprint_open(text: str) -> None:
    assert read_footprint(text).is_open


def test_functions_of_other_cells_count_with_what_they_do_to_ws() -> None:
    known = definitions_after("def f():\n    ws['out'] = ws['in']\ng = lambda: f()\ndef h():\n    ws['no'] = 1", {})
    found = read_footprint("g()", known)
    assert (found.datasets_read, found.datasets_written) == ({"in"}, {"out"})


def test_functions_of_other_cells_count() -> None:
    known = definitions_after("def f():\n    global made\n    made = k\n    return 1\ng = lambda: f()", {})
    assert read_footprint("x = g()", known) == CellFootprint(
        reads=frozenset({"g", "f", "k"}),
        writes=frozenset({"x", "made"}),
        sure_writes=frozenset({"x", "made"}),
    )
