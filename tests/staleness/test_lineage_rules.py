"""Table 1 of the paper and the rest of Python: from which symbols each kind of statement makes its targets."""

from __future__ import annotations

import sys

import pytest

from tests.staleness.notebook_steps import parents, run_cells
from whence.safety import Session

SETUP = """
a = 1
b = 2
c = 3
xs = [1, 2]
d = {'k': 1}
from contextlib import nullcontext, suppress
from types import SimpleNamespace
o = SimpleNamespace(v=1)
def f(n=0):
    return n + a
def deco(function):
    return function
class Base:
    pass
"""

CASES = [
    ("y = a", "y", {"a"}),
    ("y = a + b", "y", {"a", "b"}),
    ("y = a\ny = b", "y", {"b"}),
    ("y = a\ny = y + b", "y", {"a", "b"}),
    ("y = a\ny += b", "y", {"a", "b"}),
    ("for y in xs:\n    pass", "y", {"xs"}),
    ("for i in xs:\n    y = a", "y", {"a"}),
    ("for i in []:\n    y = a\ny = b", "y", {"b"}),
    ("def y(n=a):\n    return b", "y", {"a"}),
    ("@deco\ndef y():\n    return b", "y", {"deco"}),
    ("class y(Base):\n    pass", "y", {"Base"}),
    ("y = lambda n=a: n + b", "y", {"a"}),
    ("y, z = a, b", "y", {"a"}),
    ("(y, z), w = (a, b), c", "z", {"b"}),
    ("y, *z = xs", "z", {"xs"}),
    ("y = z = a", "y", {"a"}),
    ("(y := a + 1)", "y", {"a"}),
    ("z = (y := a) + b", "z", {"a", "b"}),
    ("y = [i * a for i in xs if i > b]", "y", {"a", "b", "xs"}),
    ("y = {i: a for i in xs}", "y", {"a", "xs"}),
    ("y = sum(i for i in xs)", "y", {"xs"}),
    ("y = f'{a} and {b}'", "y", {"a", "b"}),
    ("y = a if b else c", "y", {"a", "b"}),
    ("y = c if not b else a", "y", {"a", "b"}),
    ("y = b and a", "y", {"a", "b"}),
    ("y = b or a", "y", {"b"}),
    ("if a:\n    y = b\nelse:\n    y = c", "y", {"b"}),
    ("if not a:\n    y = b\nelse:\n    y = c", "y", {"c"}),
    ("y = 0\nwhile y < 3:\n    y += a", "y", {"a"}),
    ("with nullcontext(a) as y:\n    pass", "y", {"nullcontext", "a"}),
    ("try:\n    y = a\nexcept Exception:\n    y = b", "y", {"a"}),
    ("try:\n    1 / 0\n    y = a\nexcept ZeroDivisionError:\n    y = b", "y", {"b"}),
    ("try:\n    pass\nfinally:\n    y = a", "y", {"a"}),
    ("with suppress(ZeroDivisionError):\n    y = a\n    1 / 0\n    y = b", "y", {"a"}),
    ("match a:\n    case 1:\n        y = b\n    case _:\n        y = c", "y", {"b"}),
    ("match d:\n    case {'k': y}:\n        pass", "y", {"d"}),
    ("y = d['k']", "y", {"d", "d['k']"}),
    ("y = o.v", "y", {"o", "o.v"}),
    ("i = 0\ny = xs[i]", "y", {"i", "xs", "xs[0]"}),
    ("y = f()", "y", {"f", "a"}),
    ("y = f(b)", "y", {"f", "a", "b"}),
    ("y = max(map(f, xs))", "y", {"f", "a", "xs"}),
    ("import math as y", "y", set()),
    ("y: int = a", "y", {"a"}),
    ("def g():\n    global y\n    y = b\ng()", "y", {"g", "b"}),
    (
        "def outer():\n    k = b\n    def inner():\n        return k + c\n    return inner\ny = outer()",
        "y",
        {"outer", "b"},
    ),
    ("def gen():\n    yield a\ny = list(gen())", "y", {"gen", "a"}),
    ("class K:\n    def m(self):\n        return b\nk = K()\ny = k.m()", "y", {"k", "b"}),
    ("async def g():\n    return a\ny = await g()", "y", {"g", "a"}),
    ("for i in range(3):\n    if i == 2:\n        y = b\n    else:\n        y = a", "y", {"b"}),
    ("for i in range(3):\n    y = a if i < 1 else b", "y", {"i", "a", "b"}),
    (
        "def g(n):\n    if n > 1:\n        return b\n    return a\nfor i in range(3):\n    y = g(i)",
        "y",
        {"g", "i", "a", "b"},
    ),
    ("if a:\n    y = [a]\n    z = y\n    y = b", "y", {"b"}),
    ("if a:\n    y = []\n    xs.append(b)\n    xs = y\n    y = xs", "y", {"xs"}),
    ("def g():\n    return b\nfor i in range(2):\n    z = g()\n    y = g()", "y", {"g", "b"}),
]


@pytest.mark.parametrize(("text", "target", "expected"), CASES, ids=[case[0].replace("\n", " / ") for case in CASES])
def test_a_statement_makes_its_target_from(text: str, target: str, expected: set[str]) -> None:
    session = Session()
    run_cells(session, setup=SETUP, cell=text)
    assert parents(session, target) == expected


def test_a_star_import_binds_names_without_parents() -> None:
    session = Session()
    run_cells(session, c1="from math import *")
    assert parents(session, "sqrt") == set()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement came with Python 3.12")
def test_a_type_statement_binds_its_name() -> None:
    session = Session()
    run_cells(session, c1="type Y = list[int]")
    assert parents(session, "Y") == set()


def test_the_elements_of_a_display_have_their_own_parents() -> None:
    session = Session()
    run_cells(session, c1="a = 1\nb = 2", c2="p = [a, b]", c3="print(p[0])", c4="print(p[1])")
    session.run("c5", "b = 3")
    assert session.highlights().stale == {"c4"}


def test_a_deleted_variable_makes_its_users_fail_but_not_stale() -> None:
    session = Session()
    run_cells(session, c1="a = 1", c2="b = a", c3="print(b)", c4="del a")
    found = session.highlights()
    assert found.stale == set()
    assert found.would_fail == {"c2": ("a",)}


def test_a_cell_that_fails_leaves_the_lineage_of_what_ran() -> None:
    session = Session()
    run_cells(session, c1="a = 1\nb = 1")
    result = session.run("c2", "x = a\nfor i in range(3):\n    y = b\n    z = a\n    1 / 0\n    w = b\nv = a")
    assert isinstance(result.error, ZeroDivisionError)
    assert {name: parents(session, name) for name in "xyz"} == {"x": {"a"}, "y": {"b"}, "z": {"a"}}
    assert "w" not in session.lineage.names
    assert "v" not in session.lineage.names


@pytest.mark.parametrize(
    "texts",
    [
        ("b = 1", "x = [0, b]", "y = x[1]", "print(y)", "x.pop()", "b = 2"),
        ("a = 1", "q = [a, a]", "y = q[0]", "print(y)", "q[0] = 5", "del q"),
        ("a = 1", "n = [[1, 2]]", "y = len(n[0])", "print(y)", "n[0][0] = 5", "del n"),
        ("a = 1", "n = [[a, 2]]", "y = len(n[0])\ndel n", "print(y)", "a = 2"),
    ],
)
def test_what_came_from_an_object_that_is_gone_is_stale_all_the_same(texts: tuple[str, ...]) -> None:
    session = Session()
    run_cells(session, **{f"c{number}": text for number, text in enumerate(texts)})
    assert session.highlights().stale == {"c3"}


def test_a_new_object_is_not_taken_for_one_that_is_gone() -> None:
    session = Session()
    run_cells(session, c1="a = 1", c2="d = {'x': a}", c3="a = 2")
    run_cells(session, c4="\n".join(["d = {'x': d['x']}"] * 9), c5="print(d['x'])")
    found = session.highlights()
    assert found.stale == {"c4", "c5"}
    assert found.reasons["c5"] == "uses `d['x']` from cell c4, which goes back to the old `a`; run cell c2 first"
