"""Writes the page that lists every operator with its rules, and every construct of a query with its lineage."""

from __future__ import annotations

import inspect
import re

from tools.sql_constructs import REFUSED, SQL_CONSTRUCTS, SqlConstruct
from whence.plan.step import Operator
from whence.plan.steps.registry import OPERATORS
from whence.plan.steps.without_rules import WITHOUT_RULES, WithoutRules

HEAD = """\
# Operators

This page says what each operator of a query does to lineage and to doubts. A query with an operator that has no rule
runs all the same. Its lineage is then coarse (every row from every row), and the result says so. So is that of a plan
of more than 120 operators over each other, because Python limits how deep rules can go. A chain of UNION ALL, or of
projections, counts as one operator.

How to read the columns:

- **Exact**: whether whence knows which input rows each row came from.
- **Lineage**: the input rows that a row of the result comes from. Rows and columns that *influence* only decided
  whether the row is there.
- **Doubts**: which cells and rows are in doubt. A *ghost row* is a row that is absent and might belong.
  [What a caveat promises](promise.md) explains these rules.
- **Repeatable**: whether a second run over the same input gives the same rows in the same order.

| Operator | Exact | Lineage | Doubts | Repeatable |
|---|---|---|---|---|
"""

CONSTRUCTS_HEAD = """
## What analysts write

The same, sorted by the constructs of SQL. Tests nest all of them in random queries. They compare rows, the rows behind
them and doubts with what Spark without whence gives.

| Construct | For example | Lineage | Why so, or what to write instead |
|---|---|---|---|
"""

COARSE = "every row of each input"


def write_page() -> str:
    """The text of docs/operators.md."""
    known = "".join(_row(operator) for operator in OPERATORS if operator.lineage_rule)
    coarse = "".join(map(_coarse, WITHOUT_RULES))
    return HEAD + known + coarse + CONSTRUCTS_HEAD + "".join(map(_construct, (*SQL_CONSTRUCTS, *REFUSED)))


def _row(operator: type[Operator]) -> str:
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", operator.__name__).capitalize()
    title = f"**{name}**: {inspect.getdoc(operator)}".splitlines()[0]
    return f"| {title} | exact | {operator.lineage_rule} | {operator.caveat_rule} | {operator.repeatable} |\n"


def _coarse(operator: WithoutRules) -> str:
    return f"| **{operator.name}** | coarse | {COARSE}: {operator.reason} | {operator.doubts} | never |\n"


def _construct(construct: SqlConstruct) -> str:
    """A line of the table; a bar inside a cell would end it."""
    example = construct.example.replace("|", "\\|")
    return f"| {construct.name} | `{example}` | {construct.standing} | {construct.note} |\n"
