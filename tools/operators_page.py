"""Writes the page that lists every operator with its rules, from the operators themselves."""

from __future__ import annotations

import inspect
import re

from whence.plan.step import Operator
from whence.plan.steps.registry import OPERATORS

HEAD = """\
# Operators

What each operator of a query does to lineage and to doubts. A query with an operator that is not listed here runs, but
its lineage is coarse (every row from every row), and the result says so.

| Operator | Lineage | Doubts | Repeatable |
|---|---|---|---|
"""


def write_page() -> str:
    """The text of docs/operators.md."""
    return HEAD + "".join(_row(operator) for operator in OPERATORS if operator.lineage_rule)


def _row(operator: type[Operator]) -> str:
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", operator.__name__).capitalize()
    title = f"**{name}**: {inspect.getdoc(operator)}".splitlines()[0]
    return f"| {title} | {operator.lineage_rule} | {operator.caveat_rule} | {operator.repeatable} |\n"
