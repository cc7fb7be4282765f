"""Row keys against their definition: queries run again over sources that were shuffled, grown, shrunk and changed."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import whence
from tests.lineage.rowkey_queries import QUERIES, T, Tagged, U, tagged
from whence.store.doctor import doctor

Row = tuple[Any, ...]
Run = dict[tuple[Any, ...], tuple[set[str], set[Any]]]
"""Content -> keys the run gave to rows that say so, and tokens they should stand for."""


def made_up(dice: random.Random) -> tuple[list[Row], list[Row]]:
    """Rows with repeats, NULLs and empty arrays."""
    t = [(_letter(dice), _number(dice), [dice.randint(1, 3) for _ in range(dice.randint(0, 3))]) for _ in range(9)]
    u = [(_letter(dice), _number(dice)) for _ in range(5)]
    return [*t, t[0], t[1], t[1]], [*u, u[0]]


def changed(rows: list[Row], dice: random.Random) -> list[Row]:
    """Some rows gone, some another value, some new, all in another order."""
    kept = [row for row in rows if dice.random() < 0.8]
    other = [(row[0], _number(dice), *row[2:]) if dice.random() < 0.3 else row for row in kept]
    new = [(_letter(dice), _number(dice), *row[2:]) for row in rows[:2]]
    return dice.sample([*other, *new], len(other) + len(new))


def _letter(dice: random.Random) -> str | None:
    return dice.choice(["A", "B", "C", "D", None])


def _number(dice: random.Random) -> int | None:
    return dice.choice([1, 2, 3, None])


def run_all(ws: whence.Workspace, t: list[Row], u: list[Row], texts: Sequence[str]) -> dict[str, Run]:
    ws.create("raw", t, schema=T)
    ws.create("u", u, schema=U)
    # A stored step between, so that keys of keys are met as well.
    ws.sql("select * from raw where k is null or k < 'Z'", name="t")
    return {text: run(ws, text, tagged(t), tagged(u)) for text in texts}


def run(ws: whence.Workspace, text: str, t: Tagged, u: Tagged) -> Run:
    made = ws.sql(text, name="out")
    keys = made.row_keys()
    assert len(set(keys)) == made.count, f"two rows of one key: {text}"
    found: Run = defaultdict(lambda: (set(), set()))
    for key, row in zip(keys, made.to_arrow().to_pylist(), strict=True):
        found[tuple(row.values())][0].add(key)
    for token, row in QUERIES[text](t, u):
        found[tuple(row)][1].add(repr(token))
    for row, (some, tokens) in found.items():
        assert len(some) == len(tokens), f"{text} has {len(some)} rows {row}, the definition {len(tokens)}"
    return found


def compare(text: str, first: Run, second: Run) -> int:
    """The same rows met again have the same keys, and no others do; how many were met again."""
    met = 0
    for row, (keys, tokens) in first.items():
        for other, (other_keys, other_tokens) in second.items():
            same = len(tokens & other_tokens)
            assert len(keys & other_keys) == same, f"{text}: {row} and {other} share {same} rows by definition"
            met += same
    return met


def check(ws: whence.Workspace, seed: int, times: int, texts: Sequence[str]) -> None:
    dice = random.Random(seed)
    t, u = made_up(dice)
    runs = [run_all(ws, t, u, texts)]
    for _ in range(times):
        t, u = changed(t, dice), changed(u, dice)
        runs.append(run_all(ws, t, u, texts))
    met = {text: sum(compare(text, runs[0][text], later[text]) for later in runs[1:]) for text in texts}
    assert sum(count > 0 for count in met.values()) > len(texts) * 0.75, met
    assert doctor(ws._context.store) == []


def test_rows_keep_their_keys_when_queries_run_again(ws: whence.Workspace) -> None:
    check(ws, 1, 1, list(QUERIES)[1::3])


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 8))
def test_rowkeys_hold_over_many_changes(ws: whence.Workspace, seed: int) -> None:
    check(ws, seed, 2, list(QUERIES))


def test_differences_between_derived_versions_are_told_by_key(ws: whence.Workspace) -> None:
    for rows in ([("a", 1), ("b", 2), ("b", 3)], [("b", 3), ("c", 9), ("a", 1), ("b", 7)]):
        ws.create("t", rows, schema="k string, x int")
        ws.sql("select sum(x) as total from t group by k", name="out")
    diff = ws.diff("out@1", "out@2")
    assert [row["total"] for row in diff.added.to_arrow().to_pylist()] == [9]
    assert diff.removed.count == 0
    assert [(cell.column, cell.before, cell.after) for cell in diff.changed] == [("total", 5, 10)]


def test_a_new_column_of_a_source_does_not_make_its_rows_new(ws: whence.Workspace) -> None:
    first = ws.create("t", [("a", 1), ("b", 2)], schema="k string, x int").row_keys()
    second = ws.create("t", [("b", 2, True), ("a", 1, False)], schema="k string, x int, seen boolean")
    assert second.row_keys() == first[::-1]
    third = ws.create("t", [("b", 2, False), ("a", 1, False)], schema="k string, x int, seen boolean")
    assert [(cell.column, cell.after) for cell in ws.diff(second, third).changed] == [("seen", False)]


def test_hidden_hashes_go_with_what_was_forgotten_and_keys_fall_back_on_content(ws: whence.Workspace) -> None:
    ws.create("t", [("secret", 1), ("b", 2)], schema="k string, x int")
    out = ws.sql("select sum(x) as total from t group by k", name="out")
    more = ws.sql("select total + 1 as t1 from out", name="more")
    store = ws._context.store
    hidden = store.lineage_path(out.record) / "rowkeys.arrow"
    assert hidden.exists()
    ws.forget("t", keep_dependants=True)
    assert not hidden.exists()
    assert doctor(store) == []
    assert len(set(ws["out"].row_keys())) == 2
    assert len(set(ws["more"].row_keys())) == more.count


@pytest.mark.parametrize(
    "text",
    [
        "select id, stack(2, 'x', x, 'y', y) as (what, value) from wide",
        "select id, inline(array(struct('x' w, x v), struct('y' w, y v))) as (what, value) from wide",
        "select id, inline_outer(array(struct('x' w, x v), struct('y' w, y v))) as (what, value) from wide",
        "select id, explode(array(x, y)) as value from wide",
    ],
)
def test_an_element_is_the_same_row_when_its_value_has_changed(ws: whence.Workspace, tmp_path: Path, text: str) -> None:
    (tmp_path / "wide.csv").write_text("id,x,y\na,1,10\nb,2,20\n")
    ws.load(tmp_path / "wide.csv", key="id")
    ws.sql(text, name="long")
    (tmp_path / "wide.csv").write_text("id,x,y\nb,2,21\na,1,10\n")
    ws.reload("wide")
    ws.sql(text, name="long")
    found = ws.diff("long@1", "long@2")
    assert (found.added.count, found.removed.count) == (0, 0)
    assert [(cell.column, cell.before, cell.after) for cell in found.changed] == [("value", 20, 21)]
