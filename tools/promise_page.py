"""Writes the page that says what a mark promises: the guarantee, the rules as the code has them, the precision."""

from __future__ import annotations

import re

from whence.plan.doubt import RULES
from whence.plan.steps.registry import OPERATORS

HEAD = """\
# What a caveat promises

**What is not marked is certain, given that the marked inputs are the only doubtful ones.**

- A doubtful cell could hold any value of its type, NULL included.
- A doubtful row (`_row`) could be absent.
- `row_set` is True if a row that is absent might belong.

A *possible world* is the data with any values in the doubtful cells and with any of the doubtful rows left out. A cell
needs no mark if it has the same value in every world. A row needs none if it is in every world. Everything else has a
mark.

Rows of two worlds are the same row if they have the same [row key](storage.md#the-same-row-again). For GROUP BY,
DISTINCT, UNION, INTERSECT and EXCEPT the key is the values grouped by, so a key cell is never doubtful by itself.
Doubt about a key marks three things instead:

- the row, unless a certain row has the same values;
- the aggregates of every group that might gain or lose rows;
- `row_set`.

Inside one query, whence carries on the rows that a doubtful condition removed, as *ghost rows*: absent rows that might
belong. An expression may fail on a ghost row, such as `10 / x` where `x <> 0` removed a zero. The query then runs once
more without ghost rows, and `row_set` says that rows might be missing.

If a stored dataset has `row_set`, every aggregate, anti join, EXCEPT and limit over it is marked. A `caveat_if` whose
condition could hold in some world counts as one whose condition holds.

## Expressions

| Expression | In doubt |
|---|---|
"""

OPERATOR_HEAD = """
## Operators

*As in the input* means that cells and rows keep the marks they had. A row or group is *supported* by a certain row if
that row alone is enough for it to be there.

| Operator | Marks |
|---|---|
"""

PRECISION = """
## Precision

A mark may also stand where nothing can change. A test measures how often. It makes small random tables with random
doubts, evaluates a query in every possible world in plain Python, and compares. Every change has a mark. This table
counts the marks without need, as a share of all cells and all rows
(`pytest tests/oracles/test_caveat_oracle.py`):

"""


def write_page() -> str:
    """The text of docs/promise.md."""
    rules = "".join(f"| {title} | {rule} |\n" for title, rule in RULES.items())
    operators = "".join(
        f"| {_title(operator.__name__)} | {operator.caveat_rule} |\n" for operator in OPERATORS if operator.caveat_rule
    )
    return HEAD + rules + OPERATOR_HEAD + operators + PRECISION + MEASURED


def _title(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).capitalize()


MEASURED = """\
| Queries | Worlds tried | Cells marked without need | Rows marked without need |
|---|---|---|---|
| projection | 7,106 | 0 of 950 | 0 of 190 |
| filter | 6,489 | 0 of 865 | 0 of 173 |
| joins | 7,183 | 0 of 630 | 0 of 126 |
| group-by | 7,241 | 19 of 668 (2.8 %) | 0 of 167 |
| UNION ALL, INTERSECT, EXCEPT | 9,161 | 0 of 122 | 0 of 61 |
| DISTINCT | 5,524 | 0 of 573 | 0 of 191 |
| sort | 9,416 | 0 of 1,045 | 0 of 209 |
| one clause used twice | 7,267 | 0 of 100 | 0 of 20 |
| window functions | 22,882 | 83 of 3,822 (2.2 %) | 0 of 576 |
| scalar subqueries | 22,207 | 48 of 3,678 (1.3 %) | 0 of 613 |
| two or three operators over each other | 40,627 | 230 of 8,118 (2.8 %) | 7 of 1,152 (0.6 %) |
| a query over a stored query | 18,351 | 61 of 251 (24.3 %) | 0 of 68 |
| limits, totals over everything | 168 | 4 of 26 | 0 of 8 |
| *all of these* | 163,622 | 445 of 20,848 (2.1 %) | 7 of 3,554 (0.2 %) |

No mark is without need for AND, OR, NOT, CASE, IF, coalesce and IS NULL (0 of 7,290 cells), for filters, for groups
and distinct rows that a certain row supports, and for counts over a filter. A test checks this, too.

Marks without need come from four things:

- **A stored dataset from which rows may be missing.** Every aggregate over it is marked, because nothing is known of
  rows that are not stored. Write both steps as one query, and whence follows these rows one by one.
- **Aggregates that cancel out.** A row that might go does not change a sum if it holds 0, and one of several equal
  values does not change a count of distinct values. Both are marked. A minimum or maximum is marked only if a doubtful
  row goes beyond all certain ones.
- **HAVING, and comparisons of doubtful aggregates.** The rules allow such an aggregate any value, although a count, for
  example, can only be a little larger or smaller.
- **An expression that reads a doubtful cell twice**, such as `x - x`. It is marked although it cannot change.
"""
