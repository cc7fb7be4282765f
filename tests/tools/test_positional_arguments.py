"""Arguments are named where a call has many of them: of six in a row nobody knows which is which."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.environment import ROOT

MOST = 5
TAKES_ANY_NUMBER = {
    "Table",  # of SQLAlchemy: a name, the metadata, then any number of columns
    "make",  # of the bridge to the JVM: a class, then what its constructor takes, which has no names there
    "coo_tocsr",  # of SciPy, written in C: it takes no names
}


def calls_with_many(text: str) -> Iterator[str]:
    """Line and callee of every call with more positional arguments than allowed; `*values` counts as one."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and len(node.args) > MOST:
            callee = ast.unparse(node.func)
            if callee.rpartition(".")[2] not in TAKES_ANY_NUMBER:
                yield f"{node.lineno}: {callee}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("f(1, 2, 3, 4, 5)", []),
        ("f(1, 2, 3, 4, 5, 6)", ["1: f"]),
        ("f(1, 2, 3, x=4, y=5, z=6)", []),
        ("jvm.make(1, 2, 3, 4, 5, 6)", []),
        ("f(\n a.g(1, 2, 3, 4, 5, *rest))", ["2: a.g"]),
    ],
)
def test_many_positional_arguments_are_found(text: str, found: list[str]) -> None:
    assert list(calls_with_many(text)) == found


def test_no_call_has_six_positional_arguments() -> None:
    sources = sorted((ROOT / "src").rglob("*.py"))
    wrong = [f"{_shown(file)}:{call}" for file in sources for call in calls_with_many(file.read_text("utf-8"))]
    assert wrong == []


def _shown(file: Path) -> str:
    return str(file.relative_to(ROOT))
