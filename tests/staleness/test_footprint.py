"""The footprint of a text against what its run really looks up and stores."""

from __future__ import annotations

import builtins
import dis
import sys
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.staleness.notebook_steps import Steps, random_notebooks
from tests.staleness.notebooks import FIRST, SECOND
from tests.staleness.test_oracle import Box
from whence.staleness.footprint import CellFootprint, definitions_after, read_footprint


class Watch:
    """Notes every look-up of a name that the cell has not stored itself, and every store, instruction by instruction.

    A dictionary that notes them would miss stores: Python goes past it for names that some function declares `global`.
    """

    def __init__(self, namespace: dict[str, object]) -> None:
        self.namespace = namespace
        self.read: set[str] = set()
        self.stored: set[str] = set()
        self._named: dict[CodeType, dict[int, tuple[str, str]]] = {}

    def run(self, code: CodeType) -> bool:
        """Run code in the namespace; False if it raised."""
        before = sys.gettrace()
        sys.settrace(self._follow)
        try:
            exec(code, self.namespace)
        except Exception:
            return False
        finally:
            sys.settrace(before)
        return True

    def _follow(self, frame: FrameType, event: str, _: object) -> Any:  # noqa: ANN401 - itself, as `sys.settrace` asks
        if frame.f_globals is not self.namespace:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            self._note(*self._names(frame.f_code).get(frame.f_lasti, ("", "")))
        return self._follow

    def _names(self, code: CodeType) -> dict[int, tuple[str, str]]:
        """The name of a variable of the notebook behind each instruction that has one."""
        if code not in self._named:
            found = [each for each in dis.get_instructions(code) if each.opname.endswith(("_NAME", "_GLOBAL"))]
            self._named[code] = {each.offset: (each.opname.partition("_")[0], str(each.argval)) for each in found}
        return self._named[code]

    def _note(self, kind: str, name: str) -> None:
        if kind == "STORE":
            self.stored.add(name)
        elif kind == "LOAD" and name in self.namespace and name not in self.stored:
            self.read.add(name)


def check_names_too_much_never_too_little(steps: Steps) -> None:
    """Each cell runs after the same two, in the same namespace, so that what functions look up is seen too."""
    definitions = definitions_after(SECOND, definitions_after(FIRST, {}))
    for _, _, text in steps:
        found = read_footprint(text, definitions)
        namespace: dict[str, object] = {"Box": Box, "print": lambda *_: None, "__builtins__": builtins}
        exec(compile(FIRST + "\n" + SECOND, "<before>", "exec"), namespace)
        before = {name: repr(value) for name, value in namespace.items() if name != "__builtins__"}
        watch = Watch(namespace)
        ok = watch.run(compile(text, "<cell>", "exec"))
        assert watch.read - set(dir(builtins)) <= found.reads, text
        changed = {name for name, shown in before.items() if name not in namespace or repr(namespace[name]) != shown}
        bound = changed - {"o", "n", "d"}  # whose looks also change with what they hold
        assert bound <= found.writes | _holders(found.writes), text
        assert not ok or found.sure_writes <= watch.stored | changed, text


def _holders(written: frozenset[str]) -> set[str]:
    """`n` holds `p` and `q`: a change through one shows in the other, which no text can tell."""
    return {"p", "q"} if written & {"n", "p", "q"} else set()


@random_notebooks(60)
def test_a_footprint_names_all_that_a_run_looks_up_and_stores(steps: Steps) -> None:
    check_names_too_much_never_too_little(steps)


GLOBALS = [
    "b = a\nc = b\ndef g():\n    global b\n    b = c\n    return f()",
    "b = 2\ndef g():\n    global b\n    b = a\n    return a",
    "def g():\n    global b\n    b = a\n    return a\nc = g()\nc = b",
]


@pytest.mark.parametrize("text", GLOBALS, ids=range(len(GLOBALS)))
def test_names_that_functions_declare_global_are_written_where_the_text_writes_them(text: str) -> None:
    check_names_too_much_never_too_little([("run", "c1", text)])


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
        ("def f(*rows: Row, **more: More):\n    pass", {"Row", "More"}, {"f"}),
        ("x = = 1", set(), set()),
    ],
)
def test_what_texts_read_and_write(text: str, reads: set[str], writes: set[str]) -> None:
    found = read_footprint(text)
    assert found.reads == reads
    assert found.writes == writes
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
        ("def f(*, rows=ws['in'].df):\n    pass", {"in"}, set()),
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
    assert (found.datasets_read, found.datasets_written) == (frozenset({"in"}), frozenset({"out"}))


def test_functions_of_other_cells_count() -> None:
    known = definitions_after("def f():\n    global made\n    made = k\n    return 1\ng = lambda: f()", {})
    assert read_footprint("x = g()", known) == CellFootprint(
        reads=frozenset({"g", "f", "k"}),
        writes=frozenset({"x", "made"}),
        sure_writes=frozenset({"x", "made"}),
    )
