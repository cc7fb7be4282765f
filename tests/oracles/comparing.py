"""Answers against definitions: what is wrong with an answer, and how much it marks without need."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import permutations

from tests.oracles.asking import Answer, AnswerRow
from tests.oracles.evaluate import Lineage, Row
from tests.oracles.expressions import Values
from tests.oracles.worlds import Doubted, Doubts

Identity = tuple[Values, Lineage]


def wrong_lineage(answer: Answer, expected: Iterable[Row]) -> list[str]:
    """Rows, with their source rows, that one side has and the other has not."""
    found = Counter((row.values, row.lineage) for row in answer.rows)
    defined = Counter((row.values, row.lineage) for row in expected)
    missing = [f"missing: {_shown(identity)}" for identity in (defined - found).elements()]
    return missing + [f"not by definition: {_shown(identity)}" for identity in (found - defined).elements()]


def _shown(identity: Identity) -> str:
    values, lineage = identity
    return f"{values} from {sorted(lineage)}"


@dataclass
class Counts:
    """How much was judged, how many cells, rows and row sets were marked, and how many of those never change."""

    shapes: int = 0
    cases: int = 0
    worlds: int = 0
    cells: int = 0
    cells_marked: int = 0
    cells_over: int = 0
    rows: int = 0
    rows_marked: int = 0
    rows_over: int = 0
    sets: int = 0
    sets_marked: int = 0
    sets_over: int = 0

    def add(self, other: "Counts") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def __str__(self) -> str:
        if not self.worlds:
            return f"{self.shapes} queries, {self.cases} cases"
        return f"{self.shapes} queries, {self.cases} cases, {self.worlds} worlds; over-marked {self.over_marked()}"

    def over_marked(self) -> str:
        return (
            f"cells {self.cells_over}/{self.cells} ({self.cells_over / max(self.cells, 1):.1%}), "
            f"rows {self.rows_over}/{self.rows} ({self.rows_over / max(self.rows, 1):.1%}), "
            f"row sets {self.sets_over}/{self.sets}"
        )


@dataclass
class Judged:
    """The verdict on one case: changes without a mark, and marks without a change."""

    misses: list[str] = field(default_factory=list)
    over: list[str] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)


def judge(names: tuple[str, ...], found: Iterable[AnswerRow], doubts: Doubts) -> Judged:
    """Compare the marks of one case with what its worlds show."""
    judged = Judged()
    judged.counts.cases, judged.counts.worlds = 1, doubts.worlds
    for row, doubted in _matched(found, doubts.rows):
        shown = _shown((row.values, row.lineage))
        judged.counts.rows += 1
        _judge_cells(judged, names, row, doubted, shown)
        judged.counts.rows_marked += row.row_mark
        if doubted.absent and not row.row_mark:
            judged.misses.append(f"_row not marked, absent in some world: {shown}")
        if row.row_mark and not doubted.absent:
            judged.counts.rows_over += 1
            judged.over.append(f"_row marked, present in all worlds: {shown}")
    return judged


def _judge_cells(judged: Judged, names: tuple[str, ...], row: AnswerRow, doubted: Doubted, shown: str) -> None:
    for name, marked, differs in zip(names, row.marks, doubted.cells, strict=True):
        judged.counts.cells += 1
        judged.counts.cells_marked += marked
        if differs and not marked:
            judged.misses.append(f"{name} not marked, differs in some world: {shown}")
        if marked and not differs:
            judged.counts.cells_over += 1
            judged.over.append(f"{name} marked, same in all worlds: {shown}")


def _matched(found: Iterable[AnswerRow], doubted: Iterable[Doubted]) -> Iterator[tuple[AnswerRow, Doubted]]:
    """Pairs of the same row; rows alike in values and sources are paired as favourably as possible."""
    alike: dict[Identity, tuple[list[AnswerRow], list[Doubted]]] = defaultdict(lambda: ([], []))
    for row in found:
        alike[row.values, row.lineage][0].append(row)
    for one in doubted:
        alike[one.row.values, one.row.lineage][1].append(one)
    for rows, ones in alike.values():
        assert len(rows) == len(ones), "compare rows and lineage before marks"
        orders = permutations(rows) if len(rows) < 6 else [sorted(rows, key=_doubt_of_found)]
        ones.sort(key=_doubt_of_one)
        yield from min((list(zip(order, ones, strict=True)) for order in orders), key=_cost)


def _doubt_of_found(row: AnswerRow) -> tuple[bool, tuple[bool, ...]]:
    return row.row_mark, row.marks


def _doubt_of_one(one: Doubted) -> tuple[bool, tuple[bool, ...]]:
    return one.absent, one.cells


def _cost(pairs: list[tuple[AnswerRow, Doubted]]) -> tuple[int, int]:
    missed = over = 0
    for row, one in pairs:
        for marked, differs in zip((*row.marks, row.row_mark), (*one.cells, one.absent), strict=True):
            missed += differs and not marked
            over += marked and not differs
    return missed, over
