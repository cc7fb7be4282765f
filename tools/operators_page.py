"""Writes the page that lists every operator with its rules, from the operators themselves."""

from __future__ import annotations

import inspect
import re

from whence.plan.step import Operator
from whence.plan.steps.registry import OPERATORS
from whence.plan.steps.without_rules import WITHOUT_RULES, WithoutRules

HEAD = """\
# Operators

What each operator of a query does to lineage and to doubts. A query with an operator that has no rule runs, but
its lineage is coarse (every row from every row), and the result says so.

| Operator | Exact | Lineage | Doubts | Repeatable |
|---|---|---|---|---|
"""

COARSE = "every row of each input"
COARSE_DOUBTS = "everything is in doubt as soon as something in the inputs is"


def write_page() -> str:
    """The text of docs/operators.md."""
    known = "".join(_row(operator) for operator in OPERATORS if operator.lineage_rule)
    return HEAD + known + "".join(_coarse(each) for each in WITHOUT_RULES)


def _row(operator: type[Operator]) -> str:
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", operator.__name__).capitalize()
    title = f"**{name}**: {inspect.getdoc(operator)}".splitlines()[0]
    return f"| {title} | exact | {operator.lineage_rule} | {operator.caveat_rule} | {operator.repeatable} |\n"


def _coarse(operator: WithoutRules) -> str:
    return f"| **{operator.name}** | coarse | {COARSE}: {operator.reason} | {COARSE_DOUBTS} | never |\n"
