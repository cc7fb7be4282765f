"""Which caveats make up a width: against all possible worlds, and against really acknowledging them."""

from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from whence import Dataset, Workspace

Values = list[int]
Ranges = dict[int, tuple[int, int]]
"""By the row of a doubtful cell, its least and greatest value."""


def case(rng: Random) -> tuple[Values, Ranges]:
    values = [rng.randint(-4, 9) for _ in range(5)]
    return values, {row: (values[row] - rng.randint(0, 2), values[row] + rng.randint(0, 2)) for row in (0, 2, 3)}


def in_words(values: Values) -> tuple[int, int, int]:
    """What the query below computes, in plain Python."""
    kept = [value for value in values if value != 4]
    return sum(values), max(kept, default=-99), 3 * sum(kept)


def hull(values: Values, ranges: Ranges, place: int) -> tuple[int, int]:
    """The least and the greatest result in all worlds."""
    results = []
    for world in product(*(range(low, high + 1) for low, high in ranges.values())):
        told = list(values)
        for row, value in zip(ranges, world, strict=True):
            told[row] = value
        results.append(in_words(told)[place])
    return min(results), max(results)


def source(ws: "Workspace", name: str, values: Values, ranges: Ranges) -> "Dataset":
    doubts = [(row, "x", f"doubt about {row}", ends) for row, ends in ranges.items()]
    return ws.create(name, [(row, x) for row, x in enumerate(values)], schema="id int, x int", cell_caveats=doubts)


@pytest.mark.parametrize("seed", range(2))
def test_parts_of_a_sum_are_what_all_worlds_say(ws: "Workspace", seed: int) -> None:
    values, ranges = case(Random(seed))
    source(ws, f"given{seed}", values, ranges)
    ws.sql(f"select id, 3 * x as x from given{seed}", name=f"tripled{seed}")
    total = ws.sql(f"select sum(x) as total from tripled{seed}", name=f"total{seed}")
    parts = total.caveats.width_parts(0, "total")
    assert len(parts) == 3
    least, most = hull(values, ranges, 0)
    left = dict(ranges)
    for part in parts:
        (reference,) = part.caveats.references
        row = reference.row
        assert row is not None
        alone = hull(values, {each: ends for each, ends in ranges.items() if each != row}, 0)
        assert (part.alone.low, part.alone.high) == (3 * alone[0], 3 * alone[1])
        assert part.takes == 3 * ((most - least) - (alone[1] - alone[0]))
        assert part.share == pytest.approx(part.takes / (3 * (most - least)))
        del left[row]
        together = hull(values, left, 0)
        assert (part.together.low, part.together.high) == (3 * together[0], 3 * together[1])
    taken = [part.takes or 0 for part in parts]
    assert taken == sorted(taken, reverse=True)


def test_parts_agree_with_acknowledging(ws: "Workspace") -> None:
    given = source(ws, "given", [7, 1, 4, 2, 9], {0: (5, 9), 2: (3, 6), 3: (2, 2)})
    made = ws.sql(
        "select max(x) as most, count(*) as n, sum(caveat_if(x, x > 8, 'large', 0, 20)) as s from given where x <> 4",
        name="made",
    )
    for column in ("most", "n", "s"):
        before = str(made.caveats.bounds(0, column))
        for part in made.caveats.width_parts(0, column):
            owner = made if part.caveats.made_by == "sql made@1" else given
            owner.caveats.acknowledge(part.caveats)
            assert str(made.caveats.bounds(0, column)) == str(part.alone)
            owner.caveats.revoke(part.caveats)
        assert str(made.caveats.bounds(0, column)) == before


def test_parts_acknowledge_nothing_and_leave_no_files(ws: "Workspace") -> None:
    source(ws, "given", [7, 1, 4, 2, 9], {0: (5, 9)})
    total = ws.sql("select sum(x) as total from given", name="total")
    total.caveats.bounds(0, "total")
    before = {path for path in (ws.path / "tmp").rglob("*") if path.is_file()}
    assert [part.share for part in total.caveats.width_parts(0, "total")] == [1.0]
    assert {path for path in (ws.path / "tmp").rglob("*") if path.is_file()} == before
    assert total.caveats.marks()["total"].to_pylist() == [True]
    assert not total.caveats.list()[0].acknowledged


def test_caveats_without_a_range_come_first(ws: "Workspace") -> None:
    ws.create(
        "torn",
        [(3,), (4,), (5,)],
        schema="x int",
        cell_caveats=[(0, "x", "1 to 5", (1, 5)), (1, "x", "torn"), (2, "x", "lost")],
    )
    total = ws.sql("select sum(x) as total from torn", name="total")
    parts = total.caveats.width_parts(0, "total")
    assert [part.caveats.message for part in parts] == ["torn", "lost", "1 to 5"]
    assert [part.share for part in parts] == [None, None, None]
    assert [str(part.together) for part in parts] == ["12 (could be anything)", "12 (between 10 and 14)", "12"]


def test_narrow_tells_which_doubts_to_resolve_first(ws: "Workspace") -> None:
    ws.create(
        "tons",
        [("a", 5), ("a", 3), ("b", 7), ("c", 2)],
        schema="k string, x int",
        cell_caveats=[
            (0, "x", "5 or 6", (5, 6)),
            (1, "x", "2 to 9", (2, 9)),
            (2, "x", "blotted"),
            (3, "x", "1 to 4", (1, 4)),
        ],
    )
    by_k = ws.sql("select k, sum(x) as x from tons group by k", name="by_k")
    found = [
        (doubt.caveats.message, doubt.takes, doubt.becomes_known, doubt.left, doubt.left_unknown)
        for doubt in by_k.caveats.narrow("x")
    ]
    assert found == [
        ("blotted", 0, 1, 11, 0),
        ("2 to 9", 7, 0, 4, 0),
        ("1 to 4", 3, 0, 1, 0),
        ("5 or 6", 1, 0, 0, 0),
    ]


def test_many_caveats_are_compared_by_group(ws: "Workspace") -> None:
    doubts = [(row, "x", "rounded", (row - 1, row + 1)) for row in range(30)]
    doubts += [(row, "y", "guessed", (row - 2, row + 2)) for row in range(30)]
    ws.create("many", [(row, row) for row in range(30)], schema="x int, y int", cell_caveats=doubts)
    total = ws.sql("select sum(x + y) as total from many", name="total")
    parts = total.caveats.width_parts(0, "total")
    assert [(part.caveats.count, part.takes, str(part.together)) for part in parts] == [
        (30, 120, "870 (between 840 and 900)"),
        (30, 60, "870"),
    ]
