"""The caveats listed for a mark against marks themselves: those listed are enough to put it there, the rest are not.

Each case of a batch has one mark chosen; the query then runs over the same tables in which only the listed suspects, or
only the others, are in doubt. The marks that acknowledging leaves are those of a run without what was acknowledged.
"""

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.oracles.asking import Answer, AnswerRow, create_tables
from tests.oracles.batches import case_column
from tests.oracles.cases import Batch, Profile, Suspect, random_batch
from tests.oracles.checking import Bench, Failure
from tests.oracles.queries import Query
from tests.oracles.random_queries import Queries

if TYPE_CHECKING:
    from whence import Workspace

CASES = 25
DOUBTFUL = Profile(rows=(1, 4), suspects=(1, 4))
FAMILIES = ["project", "filter", "join", "aggregate", "union_all", "distinct", "in_query", "windowed", "with_scalar"]


@dataclass(frozen=True)
class ListedMark:
    """One mark of one case: its row as values and sources, where it stands, and the suspects listed for it."""

    row: AnswerRow
    column: int | None
    listed: frozenset[Suspect]


def ask(bench: Bench, query: Query) -> Answer:
    answer = bench.ask(bench.shaped(query), marks=True)
    assert not isinstance(answer, Failure), answer
    return answer


def by_case(bench: Bench, query: Query, answer: Answer) -> list[list[tuple[int, AnswerRow]]]:
    position = bench.shaped(query).names.index(case_column(query))
    apart: list[list[tuple[int, AnswerRow]]] = [[] for _ in bench.batch.cases]
    for rid, row in enumerate(answer.rows):
        case = row.values[position]
        assert isinstance(case, int)
        apart[case].append((rid, row))
    return apart


def listed(answer: Answer, rid: int, column: str | None) -> frozenset[Suspect]:
    groups = answer.dataset.caveats.list(row=rid, column=column)
    assert groups, f"nothing is listed for the mark on row {rid}, {column} of\n{answer.sql}"
    assert all(len(group.references) == group.count for group in groups)
    return frozenset(Suspect(ref.dataset, ref.row or 0, ref.column) for group in groups for ref in group.references)


def choose(rng: Random, bench: Bench, query: Query, answer: Answer) -> dict[int, ListedMark]:
    """A mark for each case that has one, on a row that has no twin."""
    chosen = {}
    names = bench.shaped(query).names
    for number, rows in enumerate(by_case(bench, query, answer)):
        identities = [(row.values, row.lineage) for _, row in rows]
        places: list[tuple[int, AnswerRow, int | None]] = []
        for rid, row in rows:
            if identities.count((row.values, row.lineage)) == 1:
                places += [(rid, row, position) for position, is_marked in enumerate(row.marks) if is_marked]
                places += [(rid, row, None)] if row.row_mark else []
        if places:
            rid, row, column = rng.choice(places)
            # A question about a cell is one about its row as well; where only one of them is marked they are the same.
            name = None if column is None else names[column]
            if column is None and any(row.marks):
                continue
            chosen[number] = ListedMark(row, column, listed(answer, rid, name))
    return chosen


def with_suspects(batch: Batch, kept: dict[int, frozenset[Suspect]]) -> Batch:
    """The same cases with fewer suspects, given by row numbers of the batch."""
    cases = []
    for number, case in enumerate(batch.cases):
        pairs = zip(case.suspects, batch.suspects(number), strict=True)
        wanted = kept.get(number, frozenset())
        cases.append(replace(case, suspects=tuple(own for own, numbered in pairs if numbered in wanted)))
    return Batch(tuple(cases))


def is_marked(rows: list[tuple[int, AnswerRow]], wanted: ListedMark) -> bool:
    ((_, row),) = [
        each for each in rows if (each[1].values, each[1].lineage) == (wanted.row.values, wanted.row.lineage)
    ]
    cell = wanted.column is not None and row.marks[wanted.column]
    return cell or row.row_mark


def check(ws: "Workspace", rng: Random, query: Query) -> int:
    batch = random_batch(rng, DOUBTFUL, CASES)
    bench = Bench(ws, batch)
    answer = ask(bench, query)
    chosen = choose(rng, bench, query, answer)
    everyone = {number: frozenset(batch.suspects(number)) for number in range(CASES)}
    # Where a rule marks wholesale, suspects of one case stand behind the marks of others.
    all_listed = frozenset[Suspect]().union(*(each.listed for each in chosen.values()))
    for kept, expected in (
        ({number: each.listed for number, each in chosen.items()}, True),
        ({number: everyone[number] - all_listed for number in chosen}, False),
    ):
        again = Bench(ws, with_suspects(batch, kept))
        rows = by_case(again, query, ask(again, query))
        for number, each in chosen.items():
            assert is_marked(rows[number], each) == expected, (answer.sql, batch.cases[number], each, expected)
    acknowledging(ws, rng, batch, query)
    return len(chosen)


def acknowledging(ws: "Workspace", rng: Random, batch: Batch, query: Query) -> None:
    """What stays marked when some caveats are acknowledged is what the others mark on their own, and no more."""
    done = {number: frozenset(s for s in batch.suspects(number) if rng.random() < 0.5) for number in range(CASES)}
    everyone = {number: frozenset(batch.suspects(number)) for number in range(CASES)}
    rest = Bench(ws, with_suspects(batch, {number: everyone[number] - done[number] for number in everyone}))
    alone = ask(rest, query)
    needed = by_case(rest, query, alone)
    create_tables(ws, batch)
    bench = Bench(ws, batch)
    answer = ask(bench, query)
    for table in ("t", "u"):
        for group in ws[table].caveats.list():
            wanted = [
                place
                for place, ref in zip(group.places, group.references, strict=True)
                if any(Suspect(ref.dataset, ref.row or 0, ref.column) in each for each in done.values())
            ]
            if wanted:
                ws[table].caveats.acknowledge(replace(group, places=wanted), note="seen")
    marks = answer.dataset.caveats.marks()
    *columns, rows = (column.to_pylist() for column in marks.columns)
    names = bench.shaped(query).names
    for number, found in enumerate(by_case(bench, query, answer)):
        left = {(row.values, row.lineage): (tuple(c[rid] for c in columns), rows[rid]) for rid, row in found}
        for _, row in needed[number] if len(left) == len(found) else []:
            assert left[row.values, row.lineage] == (row.marks, row.row_mark), (answer.sql, batch.cases[number], row)
    assert answer.dataset.caveats.row_set == alone.row_set, answer.sql
    for table in ("t", "u"):
        if any(group.acknowledged for group in ws[table].caveats.list()):
            ws[table].caveats.revoke("user")
    again = answer.dataset.caveats.marks()
    assert [column.to_pylist() for column in again.columns] == [
        [row.marks[position] for row in answer.rows] for position in range(len(names))
    ] + [[row.row_mark for row in answer.rows]]


@pytest.mark.parametrize("family", FAMILIES)
def test_listed_caveats_are_those_that_matter(ws: "Workspace", family: str) -> None:
    rng = Random(f"which {family}")
    assert check(ws, rng, getattr(Queries(rng), family)(1)) > 0


def test_listed_caveats_are_those_that_matter_in_nested_queries(ws: "Workspace") -> None:
    rng = Random("which, nested")
    checked = sum(check(ws, rng, Queries(rng).query(rng.randint(2, 3))) for _ in range(2))
    assert checked > 0


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_listed_caveats_are_those_that_matter_in_many_queries(ws: "Workspace", seed: int) -> None:
    rng = Random(9000 + seed)
    for _ in range(4):
        check(ws, rng, Queries(rng).query(rng.randint(1, 4)))
