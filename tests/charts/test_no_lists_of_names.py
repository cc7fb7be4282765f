"""No code asks which geom, stat, position or scale it has: what it needs to know is a trait or a method."""

from __future__ import annotations

import pytest

from tests.charts.operator_names import importers, named_by_the_page, questions, violations

HEAD = """
from whence.charts.stats.sample import Sample
_MARKS = {"bin": 30, "bin2d": 900}
_LISTING = ("band", "point")
"""

CAUGHT = [
    'geom.name == "bar"',
    '"violin" != branch.geom.name',
    'branch.geom.name in ("line", "area")',
    'call.name not in ("identity", "sort")',
    'name == "identity"',
    'call.name in frozenset({"stack", "fill"})',
    "scale.name in _LISTING",
    "_MARKS[call.name]",
    "_MARKS.get(call.name, 0)",
    "call.name in _MARKS",
    'scale.name == "log"',
    'geom == "text"',
    'match chart:\n    case "violin":\n        pass',
    "isinstance(stat, Sample)",
    "isinstance(stat, (int, Sample))",
    "type(stat) is Sample",
    "match stat:\n    case Sample():\n        pass",
]

ALLOWED = [
    'Call("bar", {}, path)',
    'kinds.get("x") == "text"',
    'kind == "time"',
    'function in ("count", "distinct")',
    'mark["type"] in ("bar", "rect")',
    '"density" in table.column_names',
    "geom.traits.connects",
    'spec = {"geom": "histogram"}',
    "made = Sample()",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_a_question_of_name_or_class_is_caught(text: str) -> None:
    assert questions(HEAD + text)


@pytest.mark.parametrize("text", ALLOWED)
def test_naming_an_operator_and_asking_for_kinds_is_allowed(text: str) -> None:
    assert questions(HEAD + text) == []


def test_no_file_asks_for_the_name_or_class_of_an_operator() -> None:
    assert violations() == {}


def test_only_registries_know_the_classes_of_operators() -> None:
    assert importers() == {}


def test_the_page_names_no_operator() -> None:
    assert named_by_the_page() == {}
