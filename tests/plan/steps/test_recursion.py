"""Recursive queries: lineage and marks against plain Python that walks every chain of rows of random small tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.oracles.reading import sources

if TYPE_CHECKING:
    from whence import Dataset, Workspace

Cells = tuple[tuple[object, frozenset[int]], ...]

CASES = 30
VALUES = range(4)


class Edge(NamedTuple):
    """A row of the table, with its row id."""

    rid: int
    case: int
    src: int
    dst: int
    weight: int


@dataclass(frozen=True)
class ResultRow:
    """A row of the result: its cells, each with the row ids that its value is made of, and its chain of row ids."""

    cells: Cells
    chain: tuple[int, ...]

    @property
    def values(self) -> tuple[object, ...]:
        return tuple(value for value, _ in self.cells)


@dataclass(frozen=True)
class Family:
    """A recursive query, and what it means: the first rows, and what one edge makes of a row."""

    sql: str
    first: Callable[[Edge], ResultRow | None]
    grow: Callable[[ResultRow, Edge], ResultRow | None]

    def rows(self, edges: Sequence[Edge]) -> list[ResultRow]:
        """Every row, round by round."""
        found: list[ResultRow] = []
        rows = [made for edge in edges if (made := self.first(edge)) is not None]
        while rows:
            found += rows
            rows = [made for row in rows for edge in edges if (made := self.grow(row, edge)) is not None]
        return found


def _start_path(edge: Edge) -> ResultRow | None:
    own = frozenset({edge.rid})
    cells: Cells = ((edge.case, own), (edge.src, own), (edge.dst, own), ((edge.src, edge.dst), own), (0, frozenset()))
    return ResultRow(cells, (edge.rid,)) if edge.src == 0 else None


def _grow_path(row: ResultRow, edge: Edge) -> ResultRow | None:
    (case, _), start, (end, _), (path, of_path), (far, _) = row.cells
    assert isinstance(far, int)
    assert isinstance(path, tuple)
    if case != edge.case or end != edge.src or far >= 2 or edge.weight == 3:
        return None
    own = frozenset({edge.rid})
    cells: Cells = ((case, own), start, (edge.dst, own), ((*path, edge.dst), of_path | own), (far + 1, frozenset()))
    return ResultRow(cells, (*row.chain, edge.rid))


def _start_part(edge: Edge) -> ResultRow:
    own = frozenset({edge.rid})
    return ResultRow(((edge.case, own), (edge.dst, own), (edge.weight, own)), (edge.rid,))


def _grow_part(row: ResultRow, edge: Edge) -> ResultRow | None:
    (case, _), (part, _), (amount, of_amount) = row.cells
    assert isinstance(amount, int)
    if case != edge.case or part != edge.src or edge.src >= edge.dst:
        return None
    own = frozenset({edge.rid})
    return ResultRow(((case, own), (edge.dst, own), (amount * edge.weight, of_amount | own)), (*row.chain, edge.rid))


def _start_day(edge: Edge) -> ResultRow:
    own = frozenset({edge.rid})
    return ResultRow(((edge.case, own), (date(2024, 1, 1), frozenset()), (edge.dst, own)), (edge.rid, 0))


def _next_day(row: ResultRow, edge: Edge) -> ResultRow | None:
    """A round reads no table: each row makes its own next one."""
    case, (day, _), (left, of_left) = row.cells
    assert isinstance(day, date)
    assert isinstance(left, int)
    if edge.rid != row.chain[0] or left <= 0:
        return None
    cells = (case, (day + timedelta(days=1), frozenset[int]()), (left - 1, of_left))
    return ResultRow(cells, (edge.rid, row.chain[1] + 1))


FAMILIES = {
    "paths": Family(
        """with recursive r(c, a, n, path, far) as (
             select c, src, dst, array(src, dst), 0 from edges where src = 0
             union all
             select e.c, r.a, e.dst, array_append(r.path, e.dst), r.far + 1
             from r join edges e on e.c = r.c and e.src = r.n where r.far < 2 and e.weight <> 3)
           select * from r""",
        _start_path,
        _grow_path,
    ),
    "parts": Family(
        """with recursive r(c, part, amount) as (
             select c, dst, weight from edges
             union all
             select e.c, e.dst, r.amount * e.weight
             from edges e join r on e.c = r.c and e.src = r.part where e.src < e.dst)
           select * from r""",
        _start_part,
        _grow_part,
    ),
    "days": Family(
        """with recursive r(c, day, remaining) as (
             select c, date '2024-01-01', dst from edges
             union all
             select c, date_add(day, 1), remaining - 1 from r where remaining > 0)
           select * from r""",
        _start_day,
        _next_day,
    ),
}


def _random_edges(dice: Random) -> list[Edge]:
    rows = [
        (case, *(dice.choice(VALUES) for _ in range(3))) for case in range(CASES) for _ in range(dice.randint(1, 5))
    ]
    return [Edge(rid, *row) for rid, row in enumerate(rows)]


def _suspects(dice: Random, edges: list[Edge]) -> list[tuple[int, str]]:
    """At most one cell of each case."""
    chosen = {edge.case: (edge.rid, dice.choice(["src", "dst", "weight"])) for edge in dice.sample(edges, len(edges))}
    return [suspect for case, suspect in sorted(chosen.items()) if case % 3]


def _worlds(edges: list[Edge], case: int, suspects: list[tuple[int, str]]) -> Iterator[list[Edge]]:
    own = [edge for edge in edges if edge.case == case]
    for rid, column in suspects:
        if edges[rid].case == case:
            for value in (*VALUES, -1, 9):
                yield [edge._replace(**{column: value}) if edge.rid == rid else edge for edge in own]


@pytest.fixture(name="asked", params=FAMILIES)
def _run_family(
    ws: Workspace, request: pytest.FixtureRequest
) -> tuple[Family, list[Edge], list[tuple[int, str]], Dataset, list[tuple[object, ...]]]:
    dice = Random(request.param)
    edges = _random_edges(dice)
    suspects = _suspects(dice, edges)
    ws.create(
        "edges",
        [edge[1:] for edge in edges],
        schema="c int, src int, dst int, weight int",
        cell_caveats=[(rid, column, "unsure") for rid, column in suspects],
    )
    family = FAMILIES[request.param]
    ds = ws.sql(family.sql, name="out")
    rows = [tuple(map(_hashable, row.values())) for row in ds.to_arrow().to_pylist()]
    return family, edges, suspects, ds, rows


def _hashable(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


Asked = tuple[Family, list[Edge], list[tuple[int, str]], "Dataset", list[tuple[object, ...]]]


def test_a_row_comes_from_the_rows_of_its_chain(asked: Asked) -> None:
    family, edges, _, ds, rows = asked
    length = 1 if "day" in ds.columns else None
    expected = Counter((made.values, frozenset(made.chain[:length])) for made in family.rows(edges))
    found = Counter(
        (row, frozenset(ds.lineage.backward([rid], to="edges").ids.tolist())) for rid, row in enumerate(rows)
    )
    assert found == expected
    assert ds.lineage.exact


def test_a_cell_comes_from_the_rounds_that_its_value_was_made_in(asked: Asked) -> None:
    family, edges, _, ds, rows = asked
    expected = {(made.values, _own_rows(made)): [rids for _, rids in made.cells] for made in family.rows(edges)}
    for rid, row in enumerate(rows[:: max(1, len(rows) // 40)]):
        rid *= max(1, len(rows) // 40)
        chain = frozenset(ds.lineage.backward([rid], to="edges").ids.tolist())
        cells = [
            frozenset(each.row for each in ds.lineage.cell(rid, column) if each.role in ("copied", "computed"))
            for column in ds.columns
        ]
        assert cells == expected[row, chain]


def test_what_some_world_changes_is_marked_and_nothing_far_from_a_suspect(asked: Asked) -> None:
    family, edges, suspects, ds, rows = asked
    marks: dict[tuple[object, frozenset[int]], list[list[bool]]] = {}
    for rid, (row, flags) in enumerate(zip(rows, ds.caveats.marks().to_pylist(), strict=True)):
        behind = frozenset(ds.lineage.backward([rid], to="edges").ids.tolist())
        marks.setdefault((row, behind), []).append(list(flags.values()))
        assert not any(flags.values()) or behind & {suspect for suspect, _ in suspects}
    for case in range(CASES):
        given = {made.chain: made for made in family.rows([edge for edge in edges if edge.case == case])}
        for world in _worlds(edges, case, suspects):
            other = {made.chain: made for made in family.rows(world)}
            assert ds.caveats.row_set or other.keys() <= given.keys()
            for chain, made in given.items():
                differs = (
                    [made.values[p] != other[chain].values[p] for p in range(len(made.cells))]
                    if chain in other
                    else [False] * len(made.cells)
                )
                for *cells, is_row_marked in marks[made.values, _own_rows(made)]:
                    if chain not in other:
                        assert is_row_marked
                    assert not any(d and not m for d, m in zip(differs, cells, strict=True))


def _own_rows(made: ResultRow) -> frozenset[int]:
    return frozenset(made.chain[:1] if isinstance(made.values[1], date) else made.chain)


def test_rows_of_windows_and_groups_that_rounds_join_are_told_apart(ws: Workspace) -> None:
    ws.create("t", [(1, 10), (2, 20), (3, 30)], schema="id int, v int", cell_caveats=[(2, "v", "unsure")])
    ds = ws.sql(
        """with recursive numbered as (select *, row_number() over (order by id) as rn from t),
             r(rn, total) as (select rn, v from numbered where rn = 1
               union all select n.rn, r.total + n.v from r join numbered n on n.rn = r.rn + 1)
           select total from r""",
        name="out",
    )
    assert sources(ds, "t") == [((10,), [0]), ((30,), [0, 1]), ((60,), [0, 1, 2])]
    assert ds.caveats.marks().column("total").to_pylist() == [False, False, True]


STEPS = [(1, 2), (2, 3), (3, 9), (5, 6)]
PADDED = (
    "with recursive r(n, m) as (select n, 0 from s union all "
    "select r.n, coalesce(t.dst, -1) from r left join t on t.src = if(r.m = 0, r.n, r.m) where r.m >= 0) "
    "select * from r"
)
KEPT = (
    "with recursive r(n, m) as (select n, 0 from s union all "
    "select r.n, r.m + 1 from r left anti join t on t.src = r.n + r.m where r.m < 3) select * from r"
)


def padded(starts: Sequence[int], steps: Sequence[tuple[int, int]]) -> Counter[tuple[int, int]]:
    """What PADDED means, round by round."""
    found, rows = Counter[tuple[int, int]](), [(n, 0) for n in starts]
    while rows:
        found.update(rows)
        rows = [
            (n, dst)
            for n, m in rows
            if m >= 0
            for dst in ([dst for src, dst in steps if src == (m or n)] or [-1])
        ]  # fmt: skip
    return found


def rows_of_rounds(starts: Sequence[int], steps: Sequence[tuple[int, int]]) -> Counter[tuple[int, int]]:
    """What KEPT means, round by round."""
    found, rows = Counter[tuple[int, int]](), [(n, 0) for n in starts]
    while rows:
        found.update(rows)
        rows = [(n, m + 1) for n, m in rows if m < 3 and n + m not in {src for src, _ in steps}]
    return found


@pytest.mark.parametrize(("sql", "meaning"), [(PADDED, padded), (KEPT, rows_of_rounds)], ids=["left join", "anti join"])
@pytest.mark.parametrize("doubted", ["row", "src", "dst"])
def test_rounds_that_join_rows_in_doubt_and_pad_or_drop_others_are_marked(
    ws: Workspace,
    sql: str,
    meaning: Callable[[Sequence[int], Sequence[tuple[int, int]]], Counter[tuple[int, int]]],
    doubted: str,
) -> None:
    ws.create("s", [(1,), (4,), (5,)], schema="n int")
    cells = [] if doubted == "row" else [(1, doubted, "unsure")]
    rows = [(1, "unsure")] if doubted == "row" else []
    ws.create("t", STEPS, schema="src int, dst int", cell_caveats=cells, row_caveats=rows)
    ds = ws.sql(sql, name="out")
    assert ds.lineage.exact, ds.lineage.strategy
    table = ds.to_arrow().to_pylist()
    given = Counter((row["n"], row["m"]) for row in table)
    assert given == meaning((1, 4, 5), STEPS)
    others = [[STEPS[0], *STEPS[2:]]]
    if doubted != "row":
        others = [
            [STEPS[0], (value, STEPS[1][1]) if doubted == "src" else (STEPS[1][0], value), *STEPS[2:]]
            for value in (7, 4, 5, 8)
        ]
    marks = ds.caveats.marks().to_pylist()
    for other in others:
        world = meaning((1, 4, 5), other)
        assert ds.caveats.row_set or not world - given
        for n, row in enumerate(table):
            key = (row["n"], row["m"])
            assert world[key] >= given[key] or marks[n]["_row"] or any(marks[n].values()), (doubted, key, other)


COARSE = {
    "a recursive query that reads its own rows twice": "select a.n + 1 from r a join r b on a.n = b.n where a.n < 3",
    "a caveat that a recursive query raises": "select caveat(n + 1, 'unsure') from r where n < 3",
    "a recursive query with a limit or a sample of its own rows": "(select n + 1 from r where n < 3 limit 1)",
    "a recursive query that groups or compares its own rows": (
        "select n + 1 from r where n < 3 and exists (select 1 from t where t.n = r.n)"
    ),
}


def test_rounds_without_a_rule_are_coarse_and_say_why(ws: Workspace) -> None:
    ws.create("t", [(1,), (2,)], schema="n int")
    for reason, rounds in COARSE.items():
        ds = ws.sql(f"with recursive r(n) as (select n from t union all {rounds}) select * from r")
        assert (ds.lineage.exact, ds.lineage.strategy.startswith(f"coarse: {reason} has no")) == (False, True), reason


def test_a_recursion_without_an_end_stops_at_the_limit_above_it(ws: Workspace) -> None:
    ws.create("t", [(1,), (5,)], schema="n int", cell_caveats=[(1, "n", "unsure")])
    ds = ws.sql(
        "with recursive r(n, k) as (select n, n from t union all select n + 1, k from r) select * from r limit 4"
    )
    assert sources(ds, "t") == [((1, 1), [0]), ((2, 1), [0]), ((5, 5), [1]), ((6, 5), [1])]
