"""Bounds against possible worlds: what a cell holds in any lies within its bounds, and some are as small as can be."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.oracles.asking import Answer, read_answer
from tests.oracles.batches import case_column
from tests.oracles.checking import Bench, Failure
from tests.oracles.comparing import Identity
from tests.oracles.evaluate import Evaluator, Key, prepare
from tests.oracles.expressions import Value, Values
from tests.oracles.queries import Query
from tests.oracles.worlds import constants_of, worlds

if TYPE_CHECKING:
    from whence.workspace.cell_bounds import CellBounds

ROUNDING = 1e-9
"""Sums of the same numbers in another order."""


@dataclass
class BoundCounts:
    """How many cases, worlds and doubtful cells were looked at, how many have ends, and how many the smallest range."""

    cases: int = 0
    worlds: int = 0
    cells: int = 0
    finite: int = 0
    smallest: int = 0

    def __str__(self) -> str:
        finite, smallest = (count / max(self.cells, 1) for count in (self.finite, self.smallest))
        return (
            f"{self.cases} cases, {self.worlds} worlds, {self.cells} doubtful cells; "
            f"bounded {finite:.1%}, as closely as possible {smallest:.1%}"
        )


@dataclass
class Hull:
    """What one cell holds in the worlds tried."""

    values: set[Any] = field(default_factory=set)
    is_missing: bool = False

    def add(self, value: Value | float) -> None:
        """See one world more."""
        if value is None:
            self.is_missing = True
        else:
            self.values.add(value)

    def misses(self, bounds: "CellBounds") -> str:
        """What the bounds do not hold; an empty text if they hold all."""
        low, high = bounds.low, bounds.high
        outside = [value for value in self.values if not _lies(value, low, high)]
        if outside:
            return f"{outside[0]} lies outside {low}..{high}"
        return "is missing in some world" if self.is_missing and not bounds.may_be_missing else ""

    def is_met(self, bounds: "CellBounds") -> bool:
        """The bounds are its least and its greatest value."""
        return (
            bool(self.values)
            and _lies(bounds.low, min(self.values), None)
            and _lies(bounds.high, None, max(self.values))
        )


def _lies(value: Any, low: Any, high: Any) -> bool:  # noqa: ANN401 - a number or a text
    if value is None:
        return False
    slack = ROUNDING * max(1, abs(value)) if isinstance(value, float) else 0
    is_above = low is None or (value >= low - slack if slack else value >= low)
    is_below = high is None or (value <= high + slack if slack else value <= high)
    return is_above and is_below


Known = dict[tuple[int, str], "CellBounds"]
"""Bounds by row and column."""

AskBounds = Callable[[Bench, Query], tuple[Answer, Known] | Failure]


def ask_the_dataset(bench: Bench, query: Query) -> tuple[Answer, Known] | Failure:
    """The answer, and what the dataset says of its bounds."""
    answer = bench.ask(query, marks=True)
    return answer if isinstance(answer, Failure) else (answer, _bounds(answer, query.names))


def ask_in_sql(bench: Bench, query: Query) -> tuple[Answer, Known] | Failure:
    """The answer, and what `bound_low` and `bound_high` say over the query, in one run."""
    from whence.workspace.cell_bounds import CellBounds

    plain = bench.ask(query, marks=False)
    if isinstance(plain, Failure):
        return plain
    text = plain.sql.rsplit(";\n", 1)[-1]
    ends = ", ".join(f"bound_low({name}), bound_high({name})" for name in query.names)
    sql = f"select *, {ends} from ({text})"
    try:
        ds = bench.ws.sql(sql, name=f"ends{next(bench.numbers)}")
    except Exception as error:
        return Failure(sql, bench.batch.cases[0], [f"{type(error).__name__}: {error}"])
    answer = read_answer(ds, sql, query, marks=True)
    known: Known = {}
    for number, row in enumerate(ds.to_arrow().to_pylist()):
        values = list(row.values())
        for place, name in enumerate(query.names):
            low, high = values[len(query.names) + 2 * place :][:2]
            if answer.rows[number].marks[place]:
                known[number, name] = CellBounds(low, values[place], high, may_be_missing=True)
            elif not low == values[place] == high:
                return Failure(sql, bench.batch.cases[0], [f"{name} is certain, but {low}..{high}"])
    return answer, known


def bound_failures(
    bench: Bench, query: Query, counts: BoundCounts, limit: int, ask: AskBounds = ask_the_dataset
) -> list[Failure]:
    """The cases in which some world leaves the bounds."""
    shaped = bench.shaped(query)
    evaluate, asked = prepare(shaped), ask(bench, shaped)
    if isinstance(asked, Failure):
        return [asked]
    answer, known = asked
    by_case: dict[int, list[int]] = defaultdict(list)
    place = shaped.names.index(case_column(query)) if bench.batch.cased else None
    for number, row in enumerate(answer.rows):
        shown = 0 if place is None else row.values[place]
        assert isinstance(shown, int)
        by_case[shown].append(number)
    failures = []
    for number, case in enumerate(bench.batch.cases):
        hulls, tried = _hulls(shaped, evaluate, bench, number, limit)
        problems = _compare(answer, by_case[number], hulls, known, shaped.names, counts)
        counts.cases, counts.worlds = counts.cases + 1, counts.worlds + tried
        if problems:
            failures.append(Failure(answer.sql, case, problems))
    return failures


def _bounds(answer: Answer, names: Iterable[str]) -> Known:
    """The bounds of every cell that is in doubt."""
    caveats = answer.dataset.caveats
    return {
        (number, name): caveats.bounds(number, name)
        for number, row in enumerate(answer.rows)
        for name, mark in zip(names, row.marks, strict=True)
        if mark
    }


def _hulls(
    query: Query, evaluate: Evaluator, bench: Bench, number: int, limit: int
) -> tuple[dict[Identity, list[list[Hull]]], int]:
    """For each row that is there, by what it is, what its cells hold in the worlds that have it."""
    given = {row.key: row for row in evaluate(bench.batch.traced(number))}
    hulls: dict[Key, list[Hull]] = {key: [Hull() for _ in row.values] for key, row in given.items()}
    tried = 0
    for world in worlds(bench.batch, number, constants_of(query), limit):
        tried += 1
        for row in evaluate(world):
            for hull, value in zip(hulls.get(row.key, ()), row.values, strict=False):
                hull.add(value)
    by_identity: dict[Identity, list[list[Hull]]] = defaultdict(list)
    for key, row in given.items():
        by_identity[_rounded(row.values), row.lineage].append(hulls[key])
    return by_identity, tried


def _rounded(values: Values) -> Values:
    """Sums of squares differ in their last digits."""
    return tuple(round(value, 6) if isinstance(value, float) else value for value in values)


def _compare(
    answer: Answer,
    rows: list[int],
    hulls: dict[Identity, list[list[Hull]]],
    known: Known,
    names: tuple[str, ...],
    counts: BoundCounts,
) -> list[str]:
    """Rows that are alike may stand for each other: each row of the worlds must fit one that was found."""
    problems = []
    alike: dict[Identity, list[int]] = defaultdict(list)
    for number in rows:
        alike[_rounded(answer.rows[number].values), answer.rows[number].lineage].append(number)
    for identity, numbers in alike.items():
        if identity not in hulls:
            problems.append(f"{identity[0]} is in no world")
        for cells in hulls.get(identity, []):
            for place, (name, hull) in enumerate(zip(names, cells, strict=True)):
                told = [known[number, name] for number in numbers if (number, name) in known]
                if not told:
                    continue
                wrong = [hull.misses(each) for each in told]
                counts.cells += 1
                counts.finite += any(each.low is not None and each.high is not None for each in told)
                counts.smallest += any(map(hull.is_met, told))
                if all(wrong) and len(told) == len(numbers):
                    problems.append(f"{name} of {identity[0]} (at {place}): {wrong[0]}")
    return problems
