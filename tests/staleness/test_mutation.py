"""Changes in place are noticed, whoever makes them and under whatever name."""

from __future__ import annotations

import pytest

from tests.staleness.notebook_steps import run_cells
from whence.safety import Session

CHANGES = [
    ("x = [3, 1]", "x.append(g)"),
    ("x = [3, 1]", "x.sort()"),
    ("x = [3, 1]", "x.pop()"),
    ("x = [3, 1]", "x[1] = g"),
    ("x = [3, 1]", "x[g:] = []"),
    ("x = [3, 1]", "del x[0]"),
    ("x = [3, 1]", "x += [g]"),
    ("x = [3, 1]", "import random\nrandom.Random(1).shuffle(x)"),
    ("x = [3, 1]", "import heapq\nheapq.heapify(x)"),
    ("x = [3, 1]", "y = x\ny.append(g)"),
    ("x = [3, 1]", "def add(items):\n    items.append(g)\nadd(x)"),
    ("x = [3, 1]", "def add():\n    x.append(g)\nadd()"),
    ("x = [3, 1]", "for i in range(3):\n    x.append(i)"),
    ("x = [3, 1]", "if x.pop():\n    pass"),
    ("x = [3, 1]", "list(map(x.append, [1, 2]))"),
    ("x = [[1], [2]]", "for row in x:\n    row.append(g)"),
    ("x = {'k': 1}", "x['k'] = g"),
    ("x = {'k': 1}", "x.update(k=g)"),
    ("x = {'k': 1}", "x.setdefault('new', g)"),
    ("x = {'k': [1]}", "x['k'].append(g)"),
    ("x = {'k': [1]}", "for v in x.values():\n    v.append(g)"),
    ("x = {1, 2}", "x.add(5)"),
    ("x = {1, 2}", "x |= {7}"),
    ("from collections import deque\nx = deque([1])", "x.appendleft(g)"),
    ("from collections import Counter\nx = Counter('a')", "x.update('b')"),
    ("import numpy as np\nx = np.zeros(9)", "x[0] = g"),
    ("import numpy as np\nx = np.zeros(9)", "x.fill(g)"),
    ("import numpy as np\nx = np.zeros((3, 3))", "np.fill_diagonal(x, g)"),
    ("import numpy as np\nx = np.zeros(9)", "np.add(x, 1, out=x)"),
    ("import pandas as pd\nx = pd.DataFrame({'a': [2, 1]})", "x['b'] = g"),
    ("import pandas as pd\nx = pd.DataFrame({'a': [2, 1]})", "x.loc[0, 'a'] = g"),
    ("import pandas as pd\nx = pd.DataFrame({'a': [2, 1]})", "x.sort_values('a', inplace=True)"),
    ("import pandas as pd\nx = pd.DataFrame({'a': [2, 1]})", "x.insert(0, 'b', g)"),
    ("import pandas as pd\nx = pd.DataFrame({'a': [2, 1]})", "x.columns = ['z']"),
    ("class Model:\n    def fit(self, v):\n        self.w = v\nx = Model()", "x.fit(g)"),
    ("class Stack:\n    def __init__(self):\n        self.items = []\nx = Stack()", "x.items.append(g)"),
    ("class Box:\n    pass\nx = Box()", "setattr(x, 'v', g)"),
    ("class Box:\n    __slots__ = ('v',)\nx = Box()\nx.v = 1", "x.v = g"),
]


@pytest.mark.parametrize(("setup", "change"), CHANGES, ids=[f"{a} | {b}".replace("\n", " / ") for a, b in CHANGES])
def test_a_change_in_place_makes_readers_fresh(setup: str, change: str) -> None:
    session = Session()
    run_cells(session, g="g = 2", make=setup, read="print(x)", change=change)
    assert session.highlights().fresh == {"read"}


CHAINS = {
    "class": "class A:\n    def __init__(self): self.b, self.c = 1, C()\n"
    "class C:\n    def __init__(self): self.d = [1, [2]]\n"
    "class X:\n    def __init__(self): self.a = A()\nx = X()",
    "namespace": "from types import SimpleNamespace as N\nx = N(a=N(b=1, c=N(d=[1, [2]])))",
}
SETTING_A_CHAIN = [
    ("x.a.b", "x.a.b = g"),
    ("x.a.b", "x.a.b += g"),
    ("x.a", "del x.a.b"),
    ("x.a.b", "alias = x.a\nalias.b = g"),
    ("x.a.b", "alias = x\nalias.a.b = g"),
    ("x.a.b", "setattr(x.a, 'b', g)"),
    ("x.a.b", "def change(v):\n    v.a.b = g\nchange(x)"),
    ("x.a.b", "def change(v):\n    v.b = g\nchange(x.a)"),
    ("x.a.b", "def change(v):\n    inner = v.a\n    inner.b = g\nchange(x)"),
    ("x.a.b", "def change():\n    x.a.b = g\nchange()"),
    ("x.a.b", "for inner in [x.a]:\n    inner.b = g"),
    ("x", "x.a.b = g"),
    ("x.a", "x.a.b = g"),
    ("x.a", "x.a.c.d = g"),
    ("x.a.c.d", "x.a.c.d = g"),
    ("x.a.c.d", "alias = x.a\nalias.c.d = g"),
    ("x.a.c.d", "def change(v):\n    v.c.d = g\nchange(x.a)"),
    ("x.a.c.d[1][0]", "x.a.c.d[1][0] = g"),
    ("x.a.c.d", "def change(v):\n    v.c.d.append(g)\nchange(x.a)"),
]


@pytest.mark.parametrize("make", CHAINS.values(), ids=CHAINS)
@pytest.mark.parametrize(("read", "change"), SETTING_A_CHAIN)
def test_a_chain_set_again_makes_fresh_what_only_read_it(make: str, read: str, change: str) -> None:
    session = Session()
    run_cells(session, g="g = [2, [3]]", make=make, read=f"print({read})", change=change.replace("+= g", "+= 1"))
    assert session.highlights().fresh == {"read"}


@pytest.mark.parametrize("make", CHAINS.values(), ids=CHAINS)
def test_a_chain_set_again_makes_stale_what_uses_what_was_made_from_it(make: str) -> None:
    session = Session()
    run_cells(session, make=make, other="print(x.a.c.d)", copy="y = x.a.b", use="print(y)", change="x.a.b = 2")
    found = session.highlights()
    assert found.stale == {"use"}
    assert found.fresh == found.refresher == {"copy"}


@pytest.mark.parametrize("make", CHAINS.values(), ids=CHAINS)
def test_an_alias_of_the_middle_of_a_chain_reads_what_the_chain_sets(make: str) -> None:
    session = Session()
    run_cells(session, make=make, alias="z = x.a", read="print(z.b)", deep="print(z.c.d)", change="x.a.b = 2")
    assert session.highlights().fresh == {"alias", "read"}


READS = ["len(x)", "sorted(x)", "x.copy()", "x.index(3)", "x == [1]", "str(x)", "sum(x)", "max(x, default=g)"]


@pytest.mark.parametrize("expression", READS)
def test_reading_an_object_does_not_count_as_a_change(expression: str) -> None:
    session = Session()
    run_cells(session, g="g = 2", make="x = [3, 1]", read="print(x)", use=f"y = {expression}")
    assert session.highlights().fresh == set()


KINDS = [
    "{'k': 1}",
    "{'k': [1, {}]}",
    "{1, 2}",
    "(1, [2])",
    "deque([1])",
    "Counter('ab')",
    "Thing(1)",
    "Slotted([1])",
    "[[1], [2]]",
]


@pytest.mark.parametrize("value", KINDS)
def test_showing_or_copying_any_object_does_not_count_as_a_change(value: str) -> None:
    session = Session()
    classes = "class Thing:\n    def __init__(self, v):\n        self.v, self.d = v, {}\n"
    classes += "class Slotted:\n    __slots__ = ('v',)\n    def __init__(self, v):\n        self.v = v\n"
    imports = "import copy\nfrom collections import Counter, deque\n"
    run_cells(session, make=f"{imports}{classes}x = {value}", read="print(x)")
    run_cells(session, use="y = copy.deepcopy(x)\nrepr(x)\nprint(getattr(x, '__dict__', None))\nz = [x, x]")
    assert session.highlights().fresh == set()


@pytest.mark.parametrize("call", ["x.mean()", "x.reshape(3, 3)", "np.sort(x)", "x + 1", "np.dot(x, x)"])
def test_reading_an_array_does_not_count_as_a_change(call: str) -> None:
    session = Session()
    run_cells(session, make="import numpy as np\nx = np.arange(9.0)", read="print(x)", use=f"y = {call}")
    assert session.highlights().fresh == set()


@pytest.mark.parametrize("call", ["x.a.mean()", "x.describe()", "x.groupby('a').size()", "x.merge(x)", "x.head()"])
def test_reading_a_frame_does_not_count_as_a_change(call: str) -> None:
    session = Session()
    run_cells(session, make="import pandas as pd\nx = pd.DataFrame({'a': [1, 2]})", read="print(x)", use=f"y = {call}")
    assert session.highlights().fresh == set()


def test_what_is_put_in_becomes_a_parent() -> None:
    session = Session()
    run_cells(session, g="g = 1", make="x = []", add="x.append(g)", read="print(x)")
    session.run("g", "g = 2")
    found = session.highlights()
    assert "read" in found.stale
    assert "make" in found.refresher


def test_a_column_is_a_symbol_of_its_own() -> None:
    session = Session()
    run_cells(
        session,
        make="import pandas as pd\ndf = pd.DataFrame({'a': [1], 'b': [2]})",
        b="print(df.b)",
        c="df['c'] = df['a'] * 2",
        read="print(df.c)",
    )
    session.run("c", "df['c'] = df['a'] * 3")
    assert session.highlights().fresh == {"read"}


def test_an_alias_sees_a_part_change() -> None:
    session = Session()
    run_cells(session, c1="x = {'k': 1}", c2="y = x", c3="print(y['k'])", c4="x['k'] = 2")
    assert session.highlights().fresh == {"c2", "c3"}
    assert session.highlights().stale == set()


def test_an_append_leaves_readers_of_other_items_alone() -> None:
    session = Session()
    run_cells(session, c1="x = [1]", c2="y = x[0]", c3="print(y)", c4="x.append(2)")
    found = session.highlights()
    assert found.stale == set()
    assert found.fresh == set()
