"""A slice holds the statements that made a value, all of them, and not those that did not matter."""

from __future__ import annotations

import ast
import io
from contextlib import redirect_stdout, suppress

import pytest

from tests.staleness.notebook_steps import Steps, random_notebooks, run_cells
from tests.staleness.notebooks import FIRST, LISTS, NUMBERS, SECOND
from tests.staleness.test_oracle import Box
from whence.safety import Session


def replay(script: str) -> dict[str, object]:
    """Run a script as a notebook would: a statement that fails leaves what it did."""
    namespace: dict[str, object] = {"Box": Box}
    with redirect_stdout(io.StringIO()):
        for statement in ast.parse(script).body:
            with suppress(Exception):
                exec(compile(ast.Module([statement], []), "<slice>", "exec"), namespace)
    return namespace


def check_running_a_slice_gives_the_same_value(steps: Steps) -> None:
    session = Session()
    session.namespace["Box"] = Box
    for action, cell, text in [("run", "s1", FIRST), ("run", "s2", SECOND), *steps]:
        if action == "edit":
            session.edit(cell, text)
        else:
            session.run(cell, session.cells[cell].text if action == "again" and cell in session.cells else text)
    for name in [*NUMBERS, *LISTS, "n", "d"]:
        if name in session.namespace:
            script = session.slice(name)
            assert replay(script)[name] == session.namespace[name], script


@random_notebooks(150)
def test_running_a_slice_gives_the_same_value(steps: Steps) -> None:
    check_running_a_slice_gives_the_same_value(steps)


@pytest.mark.long
@random_notebooks(3_000)
def test_many_more_times_running_a_slice_gives_the_same_value(steps: Steps) -> None:
    check_running_a_slice_gives_the_same_value(steps)


ONCE_WRONG = [
    [("run", "c1", "for i in range(2):\n    o.v += 1\nn = [p, q]"), ("run", "c1", "a = o.v")],
    [("run", "c1", "del a"), ("run", "c1", "try:\n    a = a\nexcept Exception:\n    c = p[0]")],
    [("run", "c1", "del a"), ("run", "c1", "try:\n    a = a\nexcept Exception:\n    a = p[1]")],
    [("run", "c1", "del a"), ("run", "c1", "try:\n    c = g()\nexcept Exception:\n    c = p[1]")],
    [("run", "c1", "del a"), ("run", "c1", "try:\n    del a\n    c = 5\nexcept Exception:\n    c = p[1]")],
    [
        ("run", "c1", "def z():\n    global a\n    del a\nz()"),
        ("run", "c2", "try:\n    c = a\nexcept Exception:\n    c = p[1]"),
    ],
]


@pytest.mark.parametrize("steps", ONCE_WRONG, ids=range(len(ONCE_WRONG)))
def test_slices_that_once_took_another_path_give_the_same_value(steps: Steps) -> None:
    check_running_a_slice_gives_the_same_value(steps)


def test_only_the_statements_that_mattered_are_in_a_slice() -> None:
    session = Session()
    run_cells(
        session,
        load="import math\nrows = [1, 2, 3]\nunused = [4]",
        work="total = 0\nfor row in rows:\n    total += row\nprint(total)\n"
        "other = len(unused); mean = total / len(rows)",
        late="rows = [9]",
    )
    assert session.slice("mean") == (
        "# cell load, run 1\nrows = [1, 2, 3]\n\n"
        "# cell work, run 2\ntotal = 0\nfor row in rows:\n    total += row\nmean = total / len(rows)\n"
    )


def test_a_slice_goes_through_functions_decorators_and_changes_in_place() -> None:
    session = Session()
    run_cells(
        session,
        tools="import functools\nscale = 2\nwidth = 3\n@functools.cache\ndef grow(v):\n    return v * scale",
        data="items = [1]\nnoise = [1]",
        more="noise.append(width)\nitems.append(grow(5))",
        last="result = sum(items)",
    )
    script = session.slice("result")
    assert replay(script)["result"] == 11
    assert "@functools.cache" in script
    assert "width" not in script
    assert "noise" not in script


def test_a_statement_that_failed_half_way_is_marked() -> None:
    session = Session()
    session.run("c", "x = 0\nfor i in [2, 1, 0]:\n    x = 10 / i")
    script = session.slice("x")
    assert "# this statement raised an exception half-way\nfor i in" in script
    assert replay(script)["x"] == session.namespace["x"] == 10.0
