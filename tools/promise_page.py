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

So a possible world is the data with any values in the doubtful cells and any of the doubtful rows left out. A cell
that has the same value in every world, and a row that is in every world, need no mark; everything else has one. Rows
of two worlds are the same row if their [row key](storage.md) is: for GROUP BY, DISTINCT, UNION, INTERSECT and EXCEPT
that is the values of the key, so a key cell is never doubtful by itself: doubt about a key marks the row (unless a
certain row supports the same values), the aggregates of every group that might gain or lose rows, and `row_set`.

Inside one query, rows that a doubtful condition removed are followed exactly, as *ghosts*: absent rows that might
belong. Where an expression fails on a ghost (`10 / x` of a zero that `where x <> 0` removed), the query runs once more
and follows none: that rows might be missing is then said of all of them together. Where a stored dataset has
`row_set`, every aggregate, anti join, EXCEPT and limit over it is marked. A caveat
whose condition could come to hold counts as one that holds.

## Expressions

| Expression | In doubt |
|---|---|
"""

OPERATOR_HEAD = """
## Operators

| Operator | Marks |
|---|---|
"""

PRECISION = """
## Precision

Marks may also stand where nothing can change. On random small tables with random doubts every possible world is
enumerated and the query evaluated in each, in plain Python. No change goes unmarked; of the marks that nothing needs,
this run of `pytest tests/oracles/test_caveat_oracle.py` counted, as a share of all cells and all rows:

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

Where rules can be exact they are, and a test says so: AND, OR, NOT, CASE, IF, coalesce and IS NULL settling (0 of
7,290 cells), filters, certain support of groups and distinct rows, counts over a filter.

What is left, and why:

- **Over a stored dataset from which rows may be missing** every aggregate is marked: nothing is known of rows that
  are not stored. Write both steps as one query, and they are followed one by one.
- **Aggregates that cancel out.** A row that might go and holds 0 does not change a sum, nor one among equal values a
  count of distinct ones; each is marked. A minimum or maximum is marked only if a doubtful row goes beyond all
  certain ones.
- **HAVING and comparisons of doubtful aggregates** take the aggregate for any value, though a count can only be a
  little larger or smaller.
- **An expression that reads a doubtful cell twice**, as `x - x`, is marked although it cannot change.
"""
