"""One shape over one batch: run it, find the cases that go wrong, and show the smallest of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.oracles.asking import Answer, AnswerRow, ask, cell_problems, create_tables, spot_checks
from tests.oracles.batches import case_column, with_cases
from tests.oracles.cases import SCHEMAS, Batch, Case, single
from tests.oracles.comparing import Counts, judge, wrong_lineage
from tests.oracles.evaluate import Evaluator, Tables, prepare
from tests.oracles.queries import Aggregate, InQuery, Join, Query, Scan, SetOperation, Sort, Windowed, WithScalar
from tests.oracles.render import Style, to_sql
from tests.oracles.shrinking import Trial, shrink
from tests.oracles.worlds import doubts

if TYPE_CHECKING:
    from whence import Workspace

SHRINKING_ATTEMPTS = 25


@dataclass(frozen=True)
class Failure:
    """A case that went wrong, and how."""

    sql: str
    case: Case
    problems: list[str]

    def __str__(self) -> str:
        tables = [f"{name} = {list(rows)}  # {_columns(name)}" for name, rows in self.case.tables.items()]
        suspects = [f"suspect: {one}" for one in self.case.suspects]
        return "\n".join([self.sql, *tables, *suspects, *self.problems[:8]])


def _columns(table: str) -> str:
    return ", ".join(column.name for column in SCHEMAS[table])


@dataclass
class Bench:
    """A workspace holding one batch; answers get numbered names."""

    ws: "Workspace"
    batch: Batch
    style: Style = "nested"
    numbers: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        create_tables(self.ws, self.batch)

    def ask(self, query: Query, marks: bool) -> Answer | Failure:
        """The answer, or the failure to give one."""
        try:
            return ask(self.ws, query, f"out{next(self.numbers)}", self.style, marks)
        except Exception as error:
            case = max(self.batch.cases, key=lambda one: len(one.suspects))
            return Failure(to_sql(query, self.style), case, [f"{type(error).__name__}: {error}"])

    def shaped(self, query: Query) -> Query:
        return with_cases(query) if self.batch.cased else query

    def rows_of(self, query: Query, answer: Answer) -> list[list[AnswerRow]]:
        """The answer's rows by case."""
        if not self.batch.cased:
            return [list(answer.rows)]
        position = self.shaped(query).names.index(case_column(query))
        apart: list[list[AnswerRow]] = [[] for _ in self.batch.cases]
        for row in answer.rows:
            case = row.values[position]
            assert isinstance(case, int)
            apart[case].append(row)
        return apart


def lineage_failures(bench: Bench, query: Query) -> list[Failure]:
    """Where rows, lineage, single questions or re-execution go wrong."""
    shaped = bench.shaped(query)
    evaluate, answer = prepare(shaped), bench.ask(shaped, marks=False)
    if isinstance(answer, Failure):
        return [answer]
    failures = []
    for number, found in enumerate(bench.rows_of(query, answer)):
        tables = bench.batch.traced(number)
        problems = wrong_lineage(replace(answer, rows=tuple(found)), evaluate(tables))
        if not problems and gives_rows_again(shaped):
            problems = [_lost(row) for row in found[:4] if not _comes_back(evaluate, tables, row)]
        if problems:
            failures.append(Failure(answer.sql, bench.batch.cases[number], problems))
    return failures or _single_questions(bench, shaped, answer)


def _single_questions(bench: Bench, query: Query, answer: Answer) -> list[Failure]:
    """Some rows asked about one by one, once the bulk answer is known to be right."""
    some = sorted({0, len(answer.rows) // 2, len(answer.rows) - 1}) if answer.rows else []
    problems = spot_checks(bench.ws, query, answer, some)
    evaluate, tables = prepare(query), bench.batch.all_tables()
    defined = {(row.values, row.lineage): row for row in evaluate(tables)}
    same = Counter((row.values, row.lineage) for row in answer.rows)
    for number in some:
        identity = answer.rows[number].values, answer.rows[number].lineage
        if same[identity] == 1:
            problems += cell_problems(query, answer, number, defined[identity])
    return [Failure(answer.sql, bench.batch.cases[0], problems)] if problems else []


def gives_rows_again(query: Query) -> bool:
    """Whether traced rows alone must give a row again: a table read twice can bring back half a group the other way."""
    if any(isinstance(step, Windowed | WithScalar) for step in query.walk()) and not _shows_all(query):
        return False
    scans = [step.table for step in query.walk() if isinstance(step, Scan)]
    return len(scans) == len(set(scans)) or not any(map(_looks_at_many, query.walk()))


def _shows_all(query: Query) -> bool:
    """Windows and subqueries stand on top of everything, where what they read is shown, and adjoins the row."""
    again = isinstance(query, WithScalar) or (
        isinstance(query, Windowed) and all(one.adjoins for one in query.functions)
    )
    below = [step for inner in query.inputs for step in inner.walk()]
    return again and not any(isinstance(step, Windowed | WithScalar) for step in below)


def _looks_at_many(step: Query) -> bool:
    """What a row more on the other side can change."""
    return (
        isinstance(step, Aggregate | SetOperation | InQuery | Windowed | WithScalar)
        or (isinstance(step, Sort) and step.limit is not None)
        or (isinstance(step, Join) and step.kind not in ("inner", "semi"))
    )


def _comes_back(evaluate: Evaluator, tables: Tables, row: AnswerRow) -> bool:
    kept = {name: [one for one in rows if one.key in row.lineage] for name, rows in tables.items()}
    return any(again.values == row.values for again in evaluate(kept))


def _lost(row: AnswerRow) -> str:
    return f"its traced rows alone do not give it again: {row.values} from {sorted(row.lineage)}"


@dataclass(frozen=True)
class MarkCheck:
    """The verdict on the marks of one shape: changes that are not marked, marks that nothing changes."""

    failures: list[Failure]
    counts: Counts
    over: list[Failure]


def check_marks(bench: Bench, query: Query, limit: int) -> MarkCheck:
    """Enumerate the worlds of every case and compare them with the marks; row_set is one for all cases."""
    shaped = bench.shaped(query)
    evaluate, answer = prepare(shaped), bench.ask(shaped, marks=True)
    if isinstance(answer, Failure):
        return MarkCheck([answer], Counts(shapes=1), [])
    check, may_gain = MarkCheck([], Counts(), []), []
    for number, found in enumerate(bench.rows_of(query, answer)):
        case = bench.batch.cases[number]
        if wrong := wrong_lineage(replace(answer, rows=tuple(found)), evaluate(bench.batch.traced(number))):
            check.failures.append(Failure(answer.sql, case, wrong))
            continue
        known = doubts(shaped, evaluate, bench.batch, number, limit)
        judged = judge(shaped.names, found, known)
        check.counts.add(judged.counts)
        may_gain += [case] if known.row_set else []
        if judged.misses:
            check.failures.append(Failure(answer.sql, case, judged.misses))
        if judged.over:
            check.over.append(Failure(answer.sql, case, judged.over))
    if may_gain and not answer.row_set:
        check.failures.append(Failure(answer.sql, may_gain[0], ["row_set not marked, some world has a new row"]))
    check.counts.shapes, check.counts.sets, check.counts.sets_marked = 1, 1, int(answer.row_set)
    if answer.row_set and not may_gain:
        check.counts.sets_over += 1
        check.over.append(Failure(answer.sql, bench.batch.cases[0], ["row_set marked, no world has a new row"]))
    return check


def verify(bench: Bench, queries: Iterable[Query], failures: Callable[[Bench, Query], list[Failure]]) -> None:
    """Fail with the smallest repetition of the first thing that goes wrong."""
    for number, query in enumerate(queries):
        bench.style = ("nested", "cte")[number % 2]
        if found := failures(bench, query):
            least = _smallest(bench, query, found[0], failures)
            size = len(bench.batch.cases)
            pytest.fail(f"query {number}, {len(found)} of {size} cases; the smallest found:\n{least}", pytrace=False)


def _smallest(
    bench: Bench, query: Query, failure: Failure, failures: Callable[[Bench, Query], list[Failure]]
) -> Failure:
    """The failure again on its case alone and made smaller, or as it was if it needs its batch."""

    def failed(trial: Trial) -> list[Failure]:
        return failures(Bench(bench.ws, single(trial.case), bench.style), trial.query)

    whole = Trial(query, failure.case)
    if not failed(whole):
        return failure
    return failed(shrink(whole, lambda trial: bool(failed(trial)), SHRINKING_ATTEMPTS))[0]
