"""No code outside a step's own file asks for its class: what a rule needs to know is a trait or a method."""

from __future__ import annotations

import pytest

from tests.plan.step_classes import questions_of_class, violations

HEAD = """
from whence.plan.step import Step
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project as Selection
from whence.plan.steps.sort import Sort
from whence.plan.steps import limit
"""

CAUGHT = [
    "isinstance(step, Sort)",
    "isinstance(step, Sort | Filter)",
    "isinstance(step, (int, Selection))",
    "isinstance(step, limit.Limit)",
    "issubclass(kind, Sort)",
    "type(step) is Sort",
    "type(step) != Sort",
    "type(step) in (Sort, Filter)",
    "kinds = (Sort, Filter)",
    "kinds = {Sort: 1}",
    "kinds = {'sort': Sort}",
    "kinds = Sort | Filter",
    "kinds = frozenset({Sort})",
    "Own = Sort\nisinstance(step, Own)",
    "match step:\n    case Sort():\n        pass",
    "match step:\n    case Step() | Filter(condition=c):\n        pass",
    "match step:\n    case limit.Limit():\n        pass",
    "type(step).__name__ == Sort.__name__",
    "type(step).__name__ != 'Sort'",
    "type(step).__name__ in ('Sort', 'Filter')",
    "type(step) is not Sort",
    "step.__class__ is Sort",
    "step.__class__ == limit.Limit",
    "kinds = [Sort]",
    "kinds = dict(sort=Sort)",
    "kinds = tuple([Sort, Filter])",
    "kinds: object = Sort | Filter",
    "kinds = Union[Sort, Filter]",
    "kinds[Sort] = 1",
    "kinds.append(Sort)",
    "kinds[isinstance(step, Sort)]",
    "find_steps(plan, Sort)",
    "find_steps(plan, kind=Sort)",
    "rule.register(Sort)",
    "Sort.__subclasscheck__(kind)",
    "kind = Sort if is_sorted else Filter",
    "def kind(): return Sort",
    "def kind(default=Sort): ...",
    "match type(step):\n    case limit.Limit:\n        pass",
    "from whence.plan import steps\nisinstance(step, steps.sort.Sort)",
    "from whence.plan.steps import sort as ordering\nisinstance(step, ordering.Sort)",
    "import whence.plan.steps.sort as ordering\nisinstance(step, ordering.Sort)",
    "from whence.derive.rewrite import Project\nisinstance(step, Project)",
    "from whence.plan.steps.registry import Generate as Explode\nisinstance(step, Explode)",
]

ALLOWED = [
    "isinstance(step, Step)",
    "made = Sort(step, ())",
    "made = (Sort(step, ()), Filter(step, c))",
    "plan == Sort(step, ())",
    "def top(step: Sort) -> Sort | None: ...",
    "step.traits.keeps_rows",
    "windows: tuple[Sort, ...] = ()",
    "made = list[Sort]()",
    "made = limit.Limit(step, 3)",
    "made = Sort.over(step)",
    "class Other(Sort): ...",
    "type(step).__name__ + ' left it out'",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_a_question_of_class_is_caught(text: str) -> None:
    assert questions_of_class(HEAD + text)


@pytest.mark.parametrize("text", ALLOWED)
def test_making_and_naming_steps_is_allowed(text: str) -> None:
    assert questions_of_class(HEAD + text) == []


def test_the_same_name_of_another_package_is_not_a_step() -> None:
    assert questions_of_class("from whence.charts.stats import Sample\nisinstance(stat, Sample)") == []


def test_no_file_asks_for_the_class_of_a_step() -> None:
    assert violations() == {}
