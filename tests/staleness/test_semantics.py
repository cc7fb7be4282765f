"""Following a cell never changes what it does: results, output, errors and tracebacks are those of plain Python."""

from __future__ import annotations

import ast
import asyncio
import inspect
import io
import pickle
import traceback
from contextlib import redirect_stdout
from types import FunctionType

import pytest

from tests.staleness.notebook_steps import run_cells
from whence.safety import Session

SNIPPETS = [
    "x = 1\ny = x if x else 2\nz = y and x or 3\nprint(x, y, z)",
    "def f(n):\n    'doc'\n    return n if n < 2 else f(n - 1) + f(n - 2)\nr = f(12)\nd = f.__doc__",
    "t = 0\nfor i in range(5):\n    if i == 3:\n        continue\n    t += i\nelse:\n    t *= 10",
    "i = 0\nwhile True:\n    i += 1\n    if i > 4:\n        break\nelse:\n    i = -1",
    "try:\n    x = 1\n    raise ValueError('no')\nexcept ValueError as e:\n    m = str(e)\nfinally:\n    y = 2",
    "class A:\n    'doc'\n    n = [i for i in range(3)]\n    def m(self, k=2):\n        return self.n[k]\na = A().m()",
    "from dataclasses import dataclass, field\n@dataclass\nclass P:\n    x: int = 0\n"
    "    y: list = field(default_factory=list)\np = repr(P())",
    "def gen():\n    got = yield 1\n    yield got\ng = gen()\nr = [next(g), g.send(5)]",
    "def outer():\n    n = 0\n    def inner():\n        nonlocal n\n        n += 1\n        return n\n"
    "    return inner\nc = outer()\nr = [c(), c()]",
    "r = [(a, b) for a in range(3) for b in range(a) if a]\ns = {k: v for k, v in r}",
    "if (n := 5) > 3:\n    m = n",
    "match {'a': [1, 2]}:\n    case {'a': [x, *rest]}:\n        r = (x, rest)\n    case _:\n        r = None",
    "import contextlib\nwith contextlib.suppress(KeyError):\n    {}['x']\n    never = 1\nafter = 2",
    "def f():\n    global made\n    made = [1]\n    return made\nsame = f() is made",
    "a = b = []\na.append(1)\nsame = a is b",
    "print('one')\nprint('two', end='')\n5",
    "x = [1, 2, 3]\ndel x[0]\nx[0], x[1] = x[1], x[0]",
    "f = lambda v: v + k\nk = 2\nr = [f(1), (lambda: k)()]",
    "import asyncio\nasync def g():\n    await asyncio.sleep(0)\n    return 4\nr = await g()",
    "'''a docstring'''\nx = 1",
    "from __future__ import annotations\ndef f(x: Missing): ...\nr = f.__annotations__",
    "x = 1\nraise RuntimeError('stop')\ny = 2",
    "def f():\n    x = 1\n    return 1 / 0\nf()",
    "for i in range(3):\n    j = i\n    [][i]",
    "x = undefined_name",
    "assert 1 == 2, 'message'",
    "import sys\nr = sys._getframe().f_lineno\ns = sorted(n for n in globals() if not n.startswith('_'))",
    "import warnings\nr = type(lambda: 0).__name__\nlocals()['injected'] = 3",
    "x = 0\ndef bump():\n    global x\n    x += 1\n    return x\ny = bump() or bump()\nz = x if bump() > 1 else -x",
    "def f(*args, k=1, **rest):\n    return args, k, rest\nr = f(1, 2, k=3, z=4)",
    "class Meta(type):\n    def __new__(m, n, b, d):\n        d['made'] = True\n"
    "        return super().__new__(m, n, b, d)\nclass B(metaclass=Meta):\n    pass\nr = B.made",
    "try:\n    raise ExceptionGroup('g', [ValueError(1), TypeError(2)])\nexcept* ValueError as e:\n"
    "    r = len(e.exceptions)\nexcept* TypeError:\n    s = 1",
    "def rec(n):\n    return rec(n + 1)\ntry:\n    rec(0)\nexcept RecursionError:\n    r = 'deep'",
    "raise SystemExit(3)",
    "x = 1; y = x + 1; print(x, y); z = (x,\n  y)",
]


def plain(text: str) -> tuple[dict[str, object], BaseException | None, str]:
    """Run a snippet as Python would, with a last expression shown."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    output = io.StringIO()
    tree = ast.parse(text)
    *_, ending = tree.body
    last = ast.Expression(ending.value) if isinstance(ending, ast.Expr) else None
    if last is not None:
        tree.body.pop()
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with redirect_stdout(output):
            code = compile(tree, "<plain>", "exec", flags=flags, dont_inherit=True)
            result = eval(code, namespace)
            if code.co_flags & inspect.CO_COROUTINE:
                asyncio.run(result)
            if last is not None:
                value = eval(compile(last, "<plain>", "eval", flags=flags, dont_inherit=True), namespace)
                if value is not None:
                    output.write(f"{value!r}\n")
    except (Exception, SystemExit) as error:
        return namespace, error, output.getvalue()
    return namespace, None, output.getvalue()


def comparable(namespace: dict[str, object]) -> dict[str, object]:
    return {
        name: value if isinstance(value, str | int | list | dict | tuple | bool | None) else type(value).__name__
        for name, value in namespace.items()
        if name != "__builtins__"
    }


def lines(error: BaseException | None) -> list[tuple[int | None, str]]:
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    return [(frame.lineno, frame.name) for frame in frames if frame.filename.startswith(("<plain>", "<cell "))]


@pytest.mark.parametrize("text", SNIPPETS, ids=[text.replace("\n", " / ")[:60] for text in SNIPPETS])
def test_a_cell_does_what_plain_python_does(text: str) -> None:
    session = Session()
    result = session.run("c", text)
    namespace, error, output = plain(text)
    assert comparable(session.namespace) == comparable(namespace)
    assert (type(result.error), str(result.error)) == (type(error), str(error))
    assert result.output == output
    assert lines(result.error) == lines(error)
    assert session.problems == []


def test_a_fault_of_ours_is_noted_and_the_cell_runs_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise RuntimeError("ours")

    session = Session()
    monkeypatch.setattr("whence.staleness.preparations.instrument", broken)
    assert session.run("c1", "x = 1\nprint(x)").output == "1\n"
    monkeypatch.undo()
    monkeypatch.setattr("whence.staleness.updates.Updater.apply", broken)
    assert session.run("c2", "for i in range(3):\n    y = i\nprint(y)").output == "2\n"
    monkeypatch.undo()
    assert [str(problem) for problem in session.problems] == ["ours"] * 2 + ["ours"]
    assert session.run("c3", "z = x + y").ok
    session.run("c1", "x = 5")
    assert session.highlights().fresh == {"c3"}


def test_a_fault_before_the_first_statement_does_not_stop_a_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise RuntimeError("ours")

    session = Session()
    session.run("c1", "x = [1]")
    for name in ("tracer.fingerprint", "lineage.Lineage.synchronise", "notebook.view_notebook"):
        monkeypatch.setattr(f"whence.staleness.{name}", broken)
        assert session.run("c2", "print(len(x))").output == "1\n"
        monkeypatch.undo()
        assert {str(problem) for problem in session.problems} == {"ours"}
        session.problems.clear()


CLOSED = """
class Closed:
    def refuse(self, *arguments):
        raise RuntimeError("not for you")
    __class__ = property(refuse)
    __getattribute__ = __len__ = __iter__ = __eq__ = __hash__ = __bool__ = __repr__ = __call__ = __getitem__ = refuse
    __module__ = None
class ClosedList(list):
    __getattribute__ = __len__ = __iter__ = __reversed__ = __getitem__ = Closed.refuse
"""
STRANGE = [
    (CLOSED + "x = Closed()", "try:\n    x()\nexcept RuntimeError:\n    id(x)"),
    (CLOSED + "x = ClosedList('ab')", "id(x)\nid(x[1:]) if id(x) < 0 else 1"),
    ("from unittest.mock import Mock\nx = Mock(spec=list)", "x.append(1)"),
    ("from unittest.mock import Mock\nx = Mock(spec=dict)", "id(x)"),
    (
        "import numpy as np\nx = np.nditer(np.arange(2))",
        "for value in x:\n    print(value, x.index if x.has_index else 0)",
    ),
]


@pytest.mark.parametrize(("make", "use"), STRANGE, ids=range(len(STRANGE)))
def test_objects_that_refuse_to_be_looked_at_are_left_alone(make: str, use: str) -> None:
    session = Session()
    run_cells(session, c1=make, c2=use, c3="y = [x]\nid(x)", c4="def f(v):\n    return id(v)\nz = f(x)\nid(y)")
    session.highlights()
    assert session.problems == []


def test_a_syntax_error_is_a_result() -> None:
    result = Session().run("c", "x = = 1")
    assert isinstance(result.error, SyntaxError)


def test_nothing_of_ours_is_left_in_the_namespace() -> None:
    session = Session()
    session.run("c", "def f():\n    return k\nk = 1\nfor i in range(2):\n    y = f()")
    assert set(session.namespace) == {"__name__", "__builtins__", "f", "k", "i", "y"}


def test_user_objects_are_not_kept_alive() -> None:
    session = Session()
    session.run(
        "c1", "import weakref\nclass Big:\n    pass\nx = Big()\nx.part = Big()\nr = weakref.ref(x), weakref.ref(x.part)"
    )
    session.run("c2", "y = x.part\nz = [x]")
    result = session.run("c3", "del x, y, z\nimport gc\n_ = gc.collect()\nprint([ref() for ref in r])")
    assert result.output == "[None, None]\n"


def test_a_function_pickled_by_value_runs_without_the_package() -> None:
    session = Session()
    session.run("c", "k = 3\ndef f(n):\n    return n * k if n else k")
    made = session.namespace["f"]
    assert isinstance(made, FunctionType)
    code = made.__code__
    copies = [pickle.loads(pickle.dumps(constant)) for constant in code.co_consts if not inspect.iscode(constant)]
    assert "whence" not in repr([type(copy).__module__ for copy in copies])
    function = FunctionType(code.replace(co_consts=tuple(copies)), {"k": 3})
    assert function(2) == 6


def test_the_source_of_a_function_is_found() -> None:
    session = Session()
    result = session.run("c", "import inspect\ndef f():\n    return 1\nprint(inspect.getsource(f))")
    assert result.output == "def f():\n    return 1\n\n"
