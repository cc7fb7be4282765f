"""Lenses that gather, add or point at rows, against plain Python on random tables."""

from __future__ import annotations

import random
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest

import whence
from tests.transformations.looks import each_its_own, marks, messages, origins, raised, rows
from whence.model.errors import UnknownRow, UserError

SEEDS = [pytest.param(seed, marks=() if seed == 0 else pytest.mark.long) for seed in range(20)]
Table = list[tuple[object, ...]]


def random_table(seed: int, size: int = 60) -> Table:
    chance = random.Random(seed)
    return [
        (chance.choice([None, 1, 2, 3]), chance.choice([None, "a", "b"]), chance.choice([None, 1.5, 2.0, -7.0]))
        for _ in range(size)
    ]


def create(ws: whence.Workspace, table: Table) -> whence.Dataset:
    return ws.create("t", table, schema="`k.1` int, g string, `x✨` double")


def grouped(table: Table, key: Callable[[tuple[object, ...], int], object]) -> dict[object, list[int]]:
    """Row numbers by key, in the order in which keys are met."""
    groups: dict[object, list[int]] = defaultdict(list)
    for number, row in enumerate(table):
        groups[key(row, number)].append(number)
    return groups


def differing(table: Table, groups: list[list[int]], columns: dict[str, int]) -> set[tuple[int, str]]:
    return {
        (out, name)
        for out, members in enumerate(groups)
        for name, position in columns.items()
        if len({table[member][position] for member in members}) > 1
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_repair_key_keeps_one_row_and_marks_where_the_others_differ(ws: whence.Workspace, seed: int) -> None:
    table = random_table(seed)
    given = create(ws, table)
    groups = list(grouped(table, lambda row, n: ("none", n) if row[0] is None else row[0]).values())
    differ = differing(table, groups, {"g": 1, "x✨": 2})
    first = ws.lens("repair_key", given, name="first", column="k.1")
    assert rows(first) == [table[members[0]] for members in groups]
    last = ws.lens("repair_key", given, name="last", column="k.1", choose="last", order="x✨")

    def latest(members: list[int]) -> int:
        return max(members, key=lambda n: (table[n][2] is not None, table[n][2] or 0, n))

    assert rows(last) == [table[latest(members)] for members in groups]
    for made in (first, last):
        assert origins(made) == groups
        assert marks(made) == raised(made) == differ


def test_the_alternatives_of_a_key_are_listed(ws: whence.Workspace) -> None:
    given = ws.create("t", [(1, "a"), (1, None), (1, ""), (2, "b")], schema="k int, v string")
    made = ws.lens("repair_key", given, column="k", choose="most frequent")
    assert messages(made, "v") == {
        0: "Rows with the same k have several values of v: a, nothing, empty text; empty text was chosen."
    }
    assert made.lens_report is not None
    assert made.lens_report.learned == {"repeated keys": 1, "their rows": 3}
    assert {(cell.row, cell.column) for cell in made.lineage.cell(0, "v")} >= {(0, "v"), (1, "v"), (2, "v")}
    assert {cell.column for cell in made.lineage.cell(0, "v")} <= {"k", "v"}
    chosen = ws.sql("select v, count(*) as n from t group by v", name="counted")
    assert [group.family for group in chosen.caveats.list(column="n")] == ["chosen"]


@pytest.mark.parametrize("seed", SEEDS)
def test_duplicates_are_dropped_exactly_or_by_columns(ws: whence.Workspace, seed: int) -> None:
    table = random_table(seed)
    given = create(ws, table)
    exact = ws.lens("drop_duplicates", given, name="exact")
    groups = list(grouped(table, lambda row, _: row).values())
    assert rows(exact) == [table[members[0]] for members in groups]
    assert origins(exact) == [members[:1] for members in groups]
    assert marks(exact) == set()
    by_columns = ws.lens("drop_duplicates", given, name="by", columns=["k.1", "g"], keep="last")
    groups = sorted(grouped(table, lambda row, _: row[:2]).values(), key=lambda members: members[-1])
    assert rows(by_columns) == [table[members[-1]] for members in groups]
    assert origins(by_columns) == [members[-1:] for members in groups]
    assert marks(by_columns) == raised(by_columns) == differing(table, groups, {"x✨": 2})
    assert by_columns.lens_report is not None
    assert by_columns.lens_report.learned == {"rows left out": len(table) - len(groups)}


@pytest.mark.parametrize("seed", SEEDS)
def test_pivot_takes_the_only_value_and_marks_where_there_are_several(ws: whence.Workspace, seed: int) -> None:
    table = random_table(seed, 25)
    made = ws.lens("pivot", create(ws, table), name="wide", keys="k.1", column="g", value="x✨")
    groups = list(grouped(table, lambda row, _: row[0]).items())
    columns = sorted({str(row[1] or "nothing") for row in table})
    assert made.columns == ["k.1", *columns]
    expected, several = [], set()
    for out, (key, members) in enumerate(groups):
        cells = []
        for column in columns:
            found = [
                table[n][2] for n in members if str(table[n][1] or "nothing") == column and table[n][2] is not None
            ]
            cells.append(found[0] if found else None)
            several |= {(out, column)} if len(set(found)) > 1 else set()
        expected.append((key, *cells))
    assert rows(made) == expected
    assert origins(made) == [members for _, members in groups]
    assert marks(made) == raised(made) == several


def test_pivot_computes_without_guessing_and_refuses_too_many_columns(ws: whence.Workspace) -> None:
    given = ws.create("t", [(n % 2, n, 1) for n in range(1001)], schema="k int, c int, v int")
    few = ws.create("few", [(1, "a", 2), (1, "a", 3), (2, "b", 4)], schema="k int, c string, v int")
    made = ws.lens("pivot", few, keys=["k"], column="c", value="v", method="sum")
    assert rows(made) == [(1, 5, None), (2, None, 4)]
    assert marks(made) == set()
    with pytest.raises(UserError, match="c has more than 1,000 values, too many to be columns"):
        ws.lens("pivot", given, keys=["k"], column="c", value="v")


@pytest.mark.parametrize("seed", SEEDS)
def test_gaps_of_a_sequence_get_rows_in_doubt(ws: whence.Workspace, seed: int) -> None:
    chance = random.Random(seed)
    keys = [key for key in range(10, 100, 5) if chance.random() < 0.8] + [10, 95]
    table = [(key, "x") for key in chance.sample(keys, len(keys))] + [(None, "y")]
    made = ws.lens("repair_sequence", ws.create("t", table, schema="k int, v string"), name="full", column="k")
    filled = [key for key in range(10, 100, 5) if key not in keys]
    found = rows(made)
    assert Counter(found) == Counter([*table, *((key, None) for key in filled)])
    assert [row[0] for row in found] == [*sorted([*keys, *filled]), None]
    new = {number for number, row in enumerate(found) if row[0] in filled}
    assert marks(made) == raised(made) == {(number, "_row") for number in new}
    for number, came in enumerate(origins(made)):
        assert [table[rid] for rid in came] == ([] if number in new else [found[number]])


def test_sequences_of_dates_and_given_steps(ws: whence.Workspace) -> None:
    months = [date(2020, 1, 31), date(2020, 3, 31), date(2020, 4, 30)]
    given = ws.create("t", [(day,) for day in months[:2]], schema="d date")
    monthly = ws.lens("repair_sequence", given, name="monthly", column="d", step="month", high="2020-04-30")
    assert [row[0] for row in rows(monthly)] == [date(2020, 1, 31), date(2020, 2, 29), *months[1:]]
    weekly = ws.lens("repair_sequence", given, name="weekly", column="d", step="1 week")
    assert weekly.count == 2 + len([n for n in range(1, 9) if date(2020, 1, 31) + timedelta(7 * n) < months[1]])
    numbers = ws.create("n", [(1,), (5,)], schema="n bigint")
    assert ws.lens("repair_sequence", numbers, name="by2", column="n", step=2, low=-1, high=6).count == 4
    with pytest.raises(UserError, match=r"0 is no step for repair_sequence\. Give a whole number above 0"):
        ws.lens("repair_sequence", numbers, column="n", step=0)
    with pytest.raises(UserError, match=r"high x is no value of n, which holds bigint"):
        ws.lens("repair_sequence", numbers, column="n", high="x")
    with pytest.raises(UserError, match="there are more than 1,000,000 keys"):
        ws.lens("repair_sequence", numbers, column="n", step=1, high=10**9)


@pytest.mark.parametrize("seed", SEEDS)
def test_missing_values_are_filled_by_group(ws: whence.Workspace, seed: int) -> None:
    table = random_table(seed)
    given = create(ws, table)
    made = ws.lens("impute", given, name="filled", column="x✨", method="median", by=["k.1", "g"])
    everyone: list[Any] = [row[2] for row in table if row[2] is not None]
    expected = []
    for key, group, value in table:
        own: list[Any] = [row[2] for row in table if row[:2] == (key, group) and row[2] is not None]
        stand_in = statistics.median(own or everyone)
        expected.append((key, group, stand_in if value is None else value))
    assert rows(made) == expected
    assert marks(made) == raised(made) == {(n, "x✨") for n, row in enumerate(table) if row[2] is None}
    assert each_its_own(made)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", ["robust z", "iqr"])
def test_outliers_are_far_from_the_rest(ws: whence.Workspace, seed: int, method: str) -> None:
    chance = random.Random(seed)
    values = [
        None if chance.random() < 0.1 else round(chance.gauss(0, 1) * chance.choice([1, 1, 20]), 3) for _ in range(80)
    ]
    numbers = np.array([value for value in values if value is not None])
    if method == "iqr":
        low, high = np.quantile(numbers, [0.25, 0.75])
        low, high = low - 1.5 * (high - low), high + 1.5 * (high - low)
    else:
        middle = np.median(numbers)
        reach = 3.5 * np.median(np.abs(numbers - middle)) / 0.6745
        low, high = middle - reach, middle + reach
    far = [None if value is None else bool(value < low or value > high) for value in values]
    given = ws.create("t", [(value,) for value in values], schema="x double")
    made = ws.lens("flag_outliers", given, name="flagged", column="x", method=method, show="both")
    assert rows(made) == list(zip(values, far, strict=True))
    assert marks(made) == raised(made) == {(n, "x") for n, is_far in enumerate(far) if is_far}
    assert each_its_own(made)


def test_outliers_need_a_free_name_only_for_a_flag_column(ws: whence.Workspace) -> None:
    table = [(1.0, "own"), (2.0, None), (3.0, "own"), (99.0, "own")]
    given = ws.create("t", table, schema="x double, x_outlier string")
    made = ws.lens("flag_outliers", given, name="flagged", column="x", method="iqr")
    assert (rows(made), marks(made)) == (table, {(3, "x")})
    with pytest.raises(UserError, match="already has a column x_outlier"):
        ws.lens("flag_outliers", given, name="flagged", column="x", show="flag")


def test_the_shape_is_learned_and_a_later_version_compared(ws: whence.Workspace) -> None:
    table = [("red", 1, "u1"), ("blue", 5, "u2"), ("red", 3, "u3"), ("blue", None, "u4")]
    given = ws.create("t", table, schema="colour string, n int, id string")
    learned = ws.lens("watch_shape", given, name="watched")
    assert marks(learned) == set()
    again = ws.lens("watch_shape", given, name="watched")
    assert again.lens_report is not None
    assert (marks(again), again.lens_report.sentence) == (set(), "Everything looks as it did before.")
    later = ws.create(
        "t", [("green", 9, 1.0), (None, 2, 2.0), (None, 3, 3.0)], schema="colour string, n int, extra double"
    )
    broken = ws.lens("watch_shape", later, name="watched")
    assert marks(broken) == {
        (0, "colour"), (1, "colour"), (2, "colour"), (0, "n"), *((n, "extra") for n in range(3)),
        *((n, "_row") for n in range(3)),
    }  # fmt: skip
    assert raised(broken) == {(0, "colour"), (1, "colour"), (2, "colour"), (0, "n")}
    assert messages(broken, "colour")[0] == "'green' is new: colour has held only blue, red so far."
    assert messages(broken, "n")[0] == "9 is outside of 1 to 5, where n has been so far."
    assert {group.message for group in broken.caveats.list(column="extra")} >= {"The column extra is new."}
    assert broken.version == 3
    relearned = ws.lens("watch_shape", later, name="watched", learn_again=True)
    assert marks(relearned) == set()


def test_a_column_of_another_type_is_marked_as_a_whole_with_one_caveat(ws: whence.Workspace) -> None:
    report = ws.lens("watch_shape", ws.create("a", [(1,)], schema="x int"), name="w").lens_report
    assert report is not None
    expected = report.learned["columns"]
    made = ws.lens("watch_shape", ws.create("b", [("1",), ("2",)], schema="x string"), name="v", expected=expected)
    assert marks(made) == {(0, "x"), (1, "x")}
    (group,) = made.caveats.list(column="x")
    assert (group.message, group.count) == ("x held int and now holds string.", 1)
    with pytest.raises(UserError, match="expected takes what watch_shape has learned"):
        ws.lens("watch_shape", "a", name="u", expected=[{"nam": "x"}])


def test_comments_mark_what_they_are_on_and_nothing_else(ws: whence.Workspace) -> None:
    given = ws.create("t", [(1, "a"), (2, "b"), (3, "c")], schema="n int, `it's` string")
    comments = [
        {"row": 1, "column": "it's", "text": "smudged"},
        {"row": 1, "column": "it's", "text": "Twice."},
        {"row": 2, "text": "maybe a test"},
        {"where": "n < 2", "column": "n", "text": "too small"},
    ]
    made = ws.lens("comment", given, comments=comments, name="said")
    assert rows(made) == rows(given)
    assert marks(made) == raised(made) == {(1, "it's"), (2, "_row"), (0, "n")}
    assert messages(made, "it's") == {1: "smudged Twice."}
    assert [group.message for group in made.caveats.list(row=2)] == ["maybe a test"]
    whole = ws.lens("comment", given, column="n", text="from memory", name="whole")
    assert marks(whole) == {(n, "n") for n in range(3)}
    assert [(group.message, group.count) for group in whole.caveats.list()] == [("from memory", 1)]
    with pytest.raises(UnknownRow, match=r"t@1 has no row 3\. It has 3 rows"):
        ws.lens("comment", given, row=3, text="x")
    with pytest.raises(UserError, match="A comment needs row, column or where"):
        ws.lens("comment", given, text="x")
