"""INTERSECT ALL and EXCEPT ALL over random tables: how often each row comes, and rows that may be said to be behind it.

Which of several equal left rows a result row comes from is Spark's choice, so the definition gives the choices there
are: one equal left row each, no left row twice; of INTERSECT ALL every equal right row besides, of EXCEPT ALL none.
Many small cases are one table, told apart by the column `c`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import whence

Row = tuple[Any, ...]
CASES = 80
SCHEMA = "c int, k string, x double, n int"
FILTERS: dict[str, Callable[[Row], bool]] = {
    "": lambda row: True,
    "n > 1": lambda row: row[3] is not None and row[3] > 1,
    "k = 'a'": lambda row: row[1] == "a",
}


def made_up(dice: Random) -> list[Row]:
    rows = [
        (case, dice.choice(["a", "b", None]), dice.choice([0.0, 1.5, float("nan"), None]), dice.choice([1, 2, 3, None]))
        for case in range(CASES)
        for _ in range(dice.randint(0, 6))
    ]
    dice.shuffle(rows)
    return rows


def same(values: Row) -> Row:
    """Values as set operations compare them: NaN is NaN."""
    return tuple("nan" if value != value else value for value in values)


def behind(rows: list[Row], condition: str) -> dict[Row, set[int]]:
    """The rows that pass the condition, by what they show."""
    found: dict[Row, set[int]] = defaultdict(set)
    for rid, row in enumerate(rows):
        if FILTERS[condition](row):
            found[same(row[:3])].add(rid)
    return found


def side(table: str, condition: str) -> str:
    return f"select c, k, x from {table}" + (f" where {condition}" if condition else "")


def check(ws: whence.Workspace, kind: str, left: dict[Row, set[int]], right: dict[Row, set[int]], text: str) -> None:
    made = ws.sql(text, name="out")
    shown = [same(tuple(row.values())) for row in made.to_arrow().to_pylist()]
    often = {
        row: min(len(rids), len(right.get(row, ()))) if kind == "intersect" else len(rids) - len(right.get(row, ()))
        for row, rids in left.items()
    }
    assert Counter(shown) == Counter({row: count for row, count in often.items() if count > 0}), text
    assert made.lineage.exact
    taken: set[int] = set()
    for rid, row in enumerate(shown):
        (own,) = made.lineage.backward([rid], to="t").ids.tolist()
        assert own in left[row] - taken, (text, row)
        taken.add(own)
        others = set(made.lineage.backward([rid], to="u").ids.tolist())
        assert others == (right[row] if kind == "intersect" else set()), (text, row)
    assert ws["t"].lineage.forward(sorted(taken), to="out").count == len(shown)
    grouped = ws.sql(f"select c, count(*) many from ({text}) group by c", name="grouped")
    for rid, row in enumerate(grouped.to_arrow().to_pylist()):
        rows = set(grouped.lineage.backward([rid], to="t").ids.tolist())
        assert len(rows) == row["many"] == sum(each[0] == row["c"] for each in shown), text
        assert all(rows & left[each] for each in shown if each[0] == row["c"]), text


@pytest.mark.parametrize("seed", range(2))
def test_multisets(ws: whence.Workspace, seed: int) -> None:
    run(ws, Random(300 + seed))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(400, 430))
def test_many_multisets(ws: whence.Workspace, seed: int) -> None:
    run(ws, Random(seed))


def run(ws: whence.Workspace, dice: Random) -> None:
    t, u = made_up(dice), made_up(dice)
    ws.create("t", t, schema=SCHEMA)
    ws.create("u", u, schema=SCHEMA)
    for kind in ("intersect", "except"):
        of_t, of_u = dice.choice(list(FILTERS)), dice.choice(list(FILTERS))
        text = f"{side('t', of_t)} {kind} all {side('u', of_u)}"
        check(ws, kind, behind(t, of_t), behind(u, of_u), text)
