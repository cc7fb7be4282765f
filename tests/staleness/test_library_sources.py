"""Real programs behave the same when followed: modules of the standard library, run as cells."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable
from types import ModuleType

import pytest

from whence.safety import Session
from whence.staleness.instrument import instrument

SAME = {"__builtins__", "__name__", "__spec__", "__loader__", "__package__", "__file__", "__cached__", "__path__"}
USES: list[tuple[str, Callable[[ModuleType], object]]] = [
    ("textwrap", lambda m: m.fill("a few words to fill in narrow lines", 12)),
    ("statistics", lambda m: (m.median([3, 1, 2]), m.stdev([1, 2, 4]), m.mode("aab"))),
    ("heapq", lambda m: (m.nsmallest(2, [3, 1, 2]), list(m.merge([1, 4], [2, 3])))),
    ("bisect", lambda m: m.bisect_left([1, 2, 3], 2)),
    ("fractions", lambda m: str(m.Fraction(3, 4) + m.Fraction("0.5"))),
    ("graphlib", lambda m: list(m.TopologicalSorter({"b": ["a"], "c": ["b"]}).static_order())),
    ("difflib", lambda m: (m.get_close_matches("appel", ["ape", "apple"]), list(m.ndiff(["a"], ["b"])))),
    ("colorsys", lambda m: m.rgb_to_hsv(0.2, 0.4, 0.4)),
    ("shlex", lambda m: m.split("a 'b c' d")),
    ("string", lambda m: m.Template("$a b").substitute(a=1)),
    ("csv", lambda m: m.Sniffer().sniff("a,b\n1,2\n").delimiter),
    ("html.parser", lambda m: m.HTMLParser().get_starttag_text()),
    ("json.decoder", lambda m: m.JSONDecoder().decode('{"a": [1, 2]}')),
    ("pprint", lambda m: m.pformat({"b": [1] * 30, "a": 2})),
    ("calendar", lambda m: m.month(2024, 2)),
    ("argparse", lambda m: m.ArgumentParser(prog="p").parse_args([]).__dict__),
]


@pytest.mark.parametrize(("name", "use"), USES, ids=[name for name, _ in USES])
def test_a_library_module_run_as_a_cell_works_as_before(name: str, use: Callable[[ModuleType], object]) -> None:
    original = importlib.import_module(name)
    copy = ModuleType(name)
    copy.__package__ = original.__package__
    session = Session(copy.__dict__)
    result = session.run("source", inspect.getsource(original))
    assert result.ok, result.error
    assert session.problems == []
    assert set(copy.__dict__) - SAME == set(original.__dict__) - SAME
    assert use(copy) == use(original)


@pytest.mark.parametrize(
    "name", ["asyncio.tasks", "dataclasses", "enum", "inspect", "typing", "unittest.mock", "ast", "re"]
)
def test_any_program_can_be_instrumented_and_compiled(name: str) -> None:
    source = inspect.getsource(importlib.import_module(name))
    instrumented = instrument(ast.parse(source), ast.parse(source), frozenset())
    assert compile(instrumented.tree, name, "exec", dont_inherit=True).co_name == "<module>"
    assert instrumented.sites
