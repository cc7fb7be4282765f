"""What lenses that take rows for one state of the alternatives, against every choice of the rows."""

import random
from collections import defaultdict
from itertools import product
from typing import TYPE_CHECKING

import pytest

import whence
from whence.model.errors import UserError

if TYPE_CHECKING:
    from whence import Workspace

Row = tuple[str, str, int | None]


def random_rows(seed: int) -> list[Row]:
    chance = random.Random(seed)
    return [(chance.choice("abcd"), chance.choice("xy"), chance.choice([None, 1, 2, 5, -4, 9])) for _ in range(14)]


def by_key(rows: list[Row]) -> dict[tuple[str, str], list[int | None]]:
    groups: dict[tuple[str, str], list[int | None]] = defaultdict(list)
    for k, g, x in rows:
        groups[k, g].append(x)
    return groups


@pytest.mark.parametrize("lens", [("drop_duplicates", "columns"), ("repair_key", "column")])
def test_totals_hold_every_choice_among_duplicates(ws: "Workspace", lens: tuple[str, str]) -> None:
    name, parameter = lens
    for seed in range(2):
        rows = random_rows(seed)
        ws.create("t", rows, schema="k string, g string, x int")
        kept = ws.lens(name, ws["t"], name="kept", **{parameter: ["k", "g"]})
        totals = ws.sql("select g, sum(x) s, count(x) n, min(x) m from kept group by g order by g", name="totals")
        groups = by_key(rows)
        for number, g in enumerate(sorted({row[1] for row in rows})):
            choices = [set(values) for (_, own), values in groups.items() if own == g]
            known = {column: totals.caveats.bounds(number, column) for column in ("s", "n", "m")}
            for world in product(*choices):
                there = [value for value in world if value is not None]
                given = {"s": sum(there) if there else None, "n": len(there), "m": min(there, default=None)}
                for column, value in given.items():
                    bounds = known[column]
                    if value is None:
                        assert bounds.may_be_missing, (seed, g, column)
                    elif bounds.why == "":
                        assert bounds.low <= value <= bounds.high, (seed, g, column, world)  # type: ignore[operator]
            assert known["s"].why == ""
        for row, shown in enumerate(kept.to_arrow().to_pylist()):
            k, g = shown["k"], shown["g"]
            values = [value for value in groups[k, g] if value is not None]
            if len(set(groups[k, g])) > 1:
                bounds = kept.caveats.bounds(row, "x")
                assert (bounds.low, bounds.high) == (min(values), max(values))
                assert bounds.may_be_missing == (None in groups[k, g])


def test_alternatives_in_doubt_widen_the_range(ws: "Workspace") -> None:
    rows = [("a", 1), ("a", 5), ("b", 7), ("b", 8), ("c", 3)]
    ws.create("t", rows, schema="k string, x int", cell_caveats=[(1, "x", "faint", (2, 40)), (3, "x", "torn")])
    for name, parameter in (("drop_duplicates", "columns"), ("repair_key", "column")):
        kept = ws.lens(name, ws["t"], name=name, **{parameter: ["k"]})
        ends = [tuple(kept.caveats.bounds(row, "x")) for row in range(3)]
        assert ends == [(1, 1, 40), (None, 7, None), (3, 3, 3)], name


def test_values_that_were_merged_lie_between_all_of_them(ws: "Workspace") -> None:
    given = ws.create("t", [(1, 5, 3), (None, 2, None), (4, 4, 4)], schema="a int, b int, c int")
    merged = ws.lens("merge_columns", given, name="merged", columns=["a", "b", "c"])
    assert [tuple(merged.caveats.bounds(row, "a")) for row in range(3)] == [(1, 1, 5), (2, 2, 2), (4, 4, 4)]
    spread = ws.create("u", [("a", "m", 1), ("a", "m", 6), ("a", "n", 2)], schema="k string, c string, v int")
    wide = ws.lens("pivot", spread, name="wide", index=["k"], columns="c", values="v", aggregate="only")
    assert tuple(wide.caveats.bounds(0, "m")) == (1, 1, 6)


def test_a_row_that_repeats_another_may_be_absent(ws: "Workspace") -> None:
    rows = [("a", 1, 10), ("a", 1, 20), ("a", 2, -5), ("b", 1, 4), ("b", 1, 4), ("b", 1, 6)]
    given = ws.create("t", rows, schema="k string, d int, x int")
    kept = ws.lens("drop_duplicates", given, name="kept", columns=["k", "d"], keep="all")
    assert [tuple(row.values()) for row in kept.to_arrow().to_pylist()] == rows
    assert kept.caveats.marks().column("_row").to_pylist() == [False, True, False, False, True, True]
    assert not kept.caveats.row_set
    assert kept.caveats.list(row=1)[0].message == "Rows that agree on k, d may be one, and this is number 2 of them."
    totals = ws.sql("select k, count(*) n, sum(x) s from kept group by k order by k")
    for number, k in enumerate("ab"):
        own = [(repeats, x) for (key, _, x), repeats in zip(rows, [0, 1, 0, 0, 1, 1], strict=True) if key == k]
        worlds = [
            [x for (_, x), is_there in zip(own, there, strict=True) if is_there]
            for there in product(*((True, False) if repeats else (True,) for repeats, _ in own))
        ]
        counts, sums = [len(world) for world in worlds], [sum(world) for world in worlds]
        assert tuple(totals.caveats.bounds(number, "n"))[::2] == (min(counts), max(counts))
        assert tuple(totals.caveats.bounds(number, "s"))[::2] == (min(sums), max(sums))


AGES = [("a", 30), ("a", None), ("b", 50), ("b", 7)]


def test_filled_cells_lie_where_the_user_or_a_check_says(ws: "Workspace") -> None:
    ws.create("t", AGES, schema="k string, age int")
    stated = ws.lens("impute", ws["t"], name="stated", column="age", low=0, high=17.5)
    assert tuple(stated.caveats.bounds(1, "age")) == (0, 30, 30)
    assert stated.caveats.list(row=1)[0].message == (
        "age is missing; 30, the median, stands in for it. It is assumed to lie between 0 and 17, as was stated."
    )
    ws.expect("t", [whence.Check("between", "age", low=9.5, high=120), whence.Check("not_null", "k")])
    checked = ws.lens("impute", ws["t"], name="checked", column="age")
    assert tuple(checked.caveats.bounds(1, "age")) == (10, 30, 120)
    assert "between 10 and 120, as its check says." in checked.caveats.list(row=1)[0].message
    sums = ws.sql("select k, sum(age) s from checked group by k order by k")
    assert [tuple(sums.caveats.bounds(row, "s")) for row in range(2)] == [(40, 60, 150), (57, 57, 170)]
    for given in ({"range": "open"}, {"range": "observed"}, {"low": 5}):
        made = ws.lens("impute", ws["t"], name="made", column="age", **given)
        expected = {"open": (None, 30, None), "observed": (7, 30, 50)}.get(str(given.get("range")), (5, 30, None))
        assert tuple(made.caveats.bounds(1, "age")) == expected
    with pytest.raises(UserError, match="is no value of age"):
        ws.lens("impute", ws["t"], name="wrong", column="age", low="old")


def test_what_a_pipeline_changed_is_no_longer_what_was_checked(ws: "Workspace") -> None:
    ws.create("t", AGES, schema="k string, age int")
    ws.expect("t", [whence.Check("between", "age", low=10, high=120)])
    made = whence.Pipeline(ws["t"], name="made").transform({"age": "{} * 12"}).impute({"age": "median"}).result
    assert tuple(made.caveats.bounds(1, "age")) == (None, 360, None)
