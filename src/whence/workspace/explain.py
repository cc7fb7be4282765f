"""`whence.explain`: checks the question about values that look odd, and searches for explanations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypedDict, Unpack

from whence.explain.answer import Answer, Answers
from whence.explain.distributed.search_in_spark import search_in_spark
from whence.explain.fetch import MarkedRows, fetch
from whence.explain.find import find
from whence.explain.influence import Scorer
from whence.explain.meaning import Meaning
from whence.explain.question import Direction, check_numbers, marked_rows
from whence.explain.request import Request
from whence.explain.search.archive import Archive
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.workspace.checked import checked_column
from whence.workspace.context import Context
from whence.workspace.explanations import D, Explanations, ExplanationServices


class ExplainOptions(TypedDict, total=False):
    """The options of `explain`, besides the column and the outliers.

    `holdouts`: rows that look right, or "others" for all others. `direction` may differ by row: {3: "low", 4: 20.5}.
    `c`: 0 ranks by total effect, 1 by effect per row, None tries all. `aggregate` with `measure`: your own function.
    The search calls `partial` with its answers so far, and stops with the best ones if it returns True.
    """

    holdouts: Sequence[int] | str
    direction: Direction
    attributes: Sequence[str] | None
    c: float | None
    lam: float
    method: str
    top: int
    aggregate: Callable[..., float] | None
    measure: str | Sequence[str]
    most_clauses: int
    time_limit: float | None
    partial: Callable[[Explanations[Any]], bool | None] | None


class Explainable(Protocol[D]):
    """A dataset handle with the method `explain`."""

    def explain(self, column: str, outliers: Sequence[int], **options: Unpack[ExplainOptions]) -> Explanations[D]: ...


def explain(
    dataset: Explainable[D], column: str, outliers: Sequence[int], **options: Unpack[ExplainOptions]
) -> Explanations[D]:
    """Explain why these values of an aggregate look odd: predicates over the rows behind them, broad to narrow.

    >>> rows = [(hour, sensor, 100.0 if (hour, sensor) == (2, 3) else 20.0 + sensor) for hour in range(4)
    ...         for sensor in range(1, 5) for _ in range(20)]
    >>> readings = ws.create("readings", rows, schema="hour int, sensor int, temp double")
    >>> hourly = ws.sql("select hour, avg(temp) t from readings group by hour order by hour", name="hourly")
    >>> answers = whence.explain(hourly, column="t", outliers=[2], holdouts=[0, 1, 3], direction="high")
    >>> answers[0].predicate.sql, answers[0].rows.count, round(answers[0].effect[0].after, 2)
    ('sensor = 3', 20, 22.33)
    """
    return dataset.explain(column, outliers, **options)


def explain_values(
    context: Context,
    record: DatasetRecord,
    make: Callable[[DatasetRecord], D],
    column: str,
    outliers: Sequence[int],
    holdouts: Sequence[int] | str = (),
    direction: Direction = "high",
    attributes: Sequence[str] | None = None,
    c: float | None = None,
    lam: float = 0.5,
    method: str = "auto",
    top: int = 10,
    aggregate: Callable[..., float] | None = None,
    measure: str | Sequence[str] = (),
    most_clauses: int = 4,
    time_limit: float | None = None,
    partial: Callable[[Explanations[Any]], bool | None] | None = None,
) -> Explanations[D]:
    """Check the question and search for explanations. `make` turns the record of a result into a handle."""
    checked_column(record, column)
    complaints, kept = marked_rows(record, outliers, holdouts, direction)
    measures = [measure] if isinstance(measure, str) and measure else list(measure)
    if aggregate is not None and not measures:
        raise UserError("An aggregate of your own needs to know what it reads.", "Pass measure=column.")
    check_numbers(c, lam, top)
    marked = MarkedRows(complaints, kept, attributes, aggregate, measures)
    fetched = fetch(context.store, context.readers.edges, context.engine, record=record, column=column, marked=marked)
    services = ExplanationServices(context, Meaning(fetched, column), make)
    request = Request(c=c, lam=lam, method=method, top=top, most_clauses=most_clauses, time_limit=time_limit)
    if partial is not None:
        request = replace(request, partial=_telling(services, request, partial))
    if fetched.spark_problem is not None:
        found = search_in_spark(fetched.spark_problem, request)
        return Explanations(services, request, found.answers, found)
    return Explanations(services, request, find(fetched.problem, request))


def _telling(
    services: ExplanationServices[D], request: Request, partial: Callable[[Explanations[D]], bool | None]
) -> Callable[[list[Answer]], bool]:
    """Return a callback that reports the answers so far, and tells the search whether to stop."""
    scorer = Scorer(services.problem, is_light=True)  # standard errors would cost a pass over the rows for each report

    def tell(items: list[Answer]) -> bool:
        answers = Answers(tuple(items), "still searching", scorer.before, Archive(), is_complete=False)
        return bool(partial(Explanations(services, request, answers)))

    return tell
