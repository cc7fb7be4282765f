"""`Explanations`: the answers to why values look odd, with the effect of each and the datasets made from it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, overload

from whence.explain.answer import Answer, Answers
from whence.explain.apply import with_caveats, with_label, without_rows
from whence.explain.arrays import Floats
from whence.explain.distributed.search_in_spark import SparkAnswers
from whence.explain.few_rows import FewRows
from whence.explain.find import answers_from, find
from whence.explain.influence import Scorer
from whence.explain.meaning import Effect, Meaning
from whence.explain.predicate import Predicate, clauses_of
from whence.explain.problem import Problem
from whence.explain.request import Request
from whence.model.dataset import DatasetRecord
from whence.workspace.context import Context
from whence.workspace.rows import Rows

D = TypeVar("D")
"""The handle of a dataset, such as `as_filter` returns."""


@dataclass(frozen=True)
class ExplanationServices(Generic[D]):
    """What all answers to one question share: the workspace, the question, and how to make the handle of a dataset."""

    context: Context
    meaning: Meaning
    make: Callable[[DatasetRecord], D]

    @property
    def input(self) -> DatasetRecord:
        """The dataset that was aggregated."""
        return self.meaning.fetched.input

    @property
    def problem(self) -> Problem:
        """The problem that the search solves."""
        return self.meaning.fetched.problem


class Explanation(Generic[D]):
    """One predicate over the aggregate's input, and the effect of leaving out its rows."""

    def __init__(self, services: ExplanationServices[D], request: Request, answer: Answer, before: Floats) -> None:
        self._services = services
        self._request = request
        self._answer = answer
        self._before = before

    @property
    def predicate(self) -> Predicate:
        """The predicate that selects the rows: `predicate.sql` as a condition, `predicate.phrase` in words."""
        return self._answer.predicate

    @property
    def influence(self) -> float:
        """The influence score at the c of the question; without one, at the lowest c where this answer is best."""
        c = self._request.c
        return self.influence_at(self.c_range[0] if c is None else c)

    def influence_at(self, c: float) -> float:
        """Return the influence score at another c: 0 is total effect, 1 effect per row."""
        return float(self._answer.parts.influence(c, self._request.lam)[0])

    @property
    def c_range(self) -> tuple[float, float]:
        """The range of c in which this is the best answer. Answers at a lower c are broader."""
        return self._answer.c_range

    @property
    def p_value(self) -> float | None:
        """How often chance does as well on rows that the search did not see; None if there are too few such rows."""
        return self._answer.p_value

    @property
    def alternatives(self) -> tuple[Predicate, ...]:
        """Other predicates that select nearly the same rows."""
        return self._answer.alternatives

    @property
    def rows(self) -> Rows:
        """The matching rows behind the outliers, in the aggregate's input."""
        return Rows(self._services.context, self._services.input, self._services.meaning.rids_of(self._answer))

    @property
    def effect(self) -> list[Effect]:
        """Every marked value, before and after leaving out the rows."""
        return self._services.meaning.effect_of(self._answer, self._before)

    @property
    def sentence(self) -> str:
        """The answer in one sentence, in the aggregate's own units."""
        return self._services.meaning.sentence(self._answer, self._before)

    def sentence_about(self, called: str) -> str:
        """Return the sentence with another name for the column, such as "sum of amount"."""
        return self._services.meaning.sentence(self._answer, self._before, called)

    @property
    def clauses(self) -> list[dict[str, object]]:
        """The predicate as JSON clauses, which `ds.question(column).predicate` reads."""
        return clauses_of(self.predicate)

    def as_filter(self, name: str, *, keep: bool = False) -> D:
        """Make a dataset of the aggregate's input without the explained rows, or with `keep` of these rows alone."""
        services, condition = self._services, self._services.meaning.condition(self.predicate)
        return services.make(without_rows(services.context.derive, services.input, condition, name, keep=keep))

    def as_label(self, name: str, column: str = "explained") -> D:
        """Make a dataset of the aggregate's input with a boolean column that says whether a row is explained."""
        services, condition = self._services, self._services.meaning.condition(self.predicate)
        return services.make(with_label(services.context.derive, services.input, condition, name, column))

    def as_caveat(self, name: str, column: str | None = None) -> D:
        """Make a dataset of the aggregate's input with a caveat on the measure (or a column) of explained rows."""
        services, condition = self._services, self._services.meaning.condition(self.predicate)
        doubted = services.meaning.doubted(column)
        message, context = services.meaning.doubt(self.predicate, doubted), services.context.derive
        return services.make(with_caveats(context, services.input, condition, name, column=doubted, message=message))

    def to_json(self) -> dict[str, object]:
        """Return the answer as JSON data."""
        return {
            "predicate": self.predicate.sql,
            "clauses": self.predicate.to_json(),
            "influence": self.influence,
            "c_range": list(self.c_range),
            "p_value": self.p_value,
            "rows": self._services.meaning.count_of(self._answer),
            "effect": [each.__dict__ for each in self.effect],
            "alternatives": [each.sql for each in self.alternatives],
            "sentence": self.sentence,
        }

    def __repr__(self) -> str:
        rows = self._services.meaning.count_of(self._answer)
        return f"<{self.predicate.sql}: {rows} rows, influence {self.influence:.4g}>"


class SingleRows:
    """A few single rows that alone make values look odd: they share no pattern, but each deserves a look."""

    def __init__(self, services: ExplanationServices[Any], few: FewRows, before: Floats) -> None:
        self._services = services
        self._few = few
        self._before = before

    @property
    def rows(self) -> Rows:
        """The rows, in the aggregate's input."""
        return Rows(self._services.context, self._services.input, self._services.meaning.rids_of_few(self._few))

    @property
    def effect(self) -> list[Effect]:
        """Every marked value, before and after leaving out the rows."""
        return self._services.meaning.effect_of(self._few, self._before)

    @property
    def sentence(self) -> str:
        """The effect of the rows in one sentence, in the aggregate's own units, with a word of caution."""
        return self.sentence_about("")

    def sentence_about(self, called: str) -> str:
        """Return the sentence with another name for the column, such as "sum of amount"."""
        return self._services.meaning.few_sentence(self._few, self._before, called)

    def to_json(self) -> dict[str, object]:
        """Return the rows and their effect as JSON data."""
        return {
            "rows": self.rows.ids.tolist(),
            "effect": [each.__dict__ for each in self.effect],
            "sentence": self.sentence,
        }

    def __repr__(self) -> str:
        return f"<{self.sentence}>"


class Explanations(Sequence[Explanation[D]]):
    """The answers, broad to narrow; empty, with a `reason`, if nothing systematic explains the outliers."""

    def __init__(
        self,
        services: ExplanationServices[D],
        request: Request,
        answers: Answers,
        spark_answers: SparkAnswers | None = None,
    ) -> None:
        self._spark_answers = spark_answers
        self._services = services
        self._request = request
        self._answers = answers
        self._items = [Explanation(services, request, answer, answers.before) for answer in answers.items]

    @property
    def column(self) -> str:
        """The column that the question is about."""
        return self._services.meaning.column

    @property
    def reason(self) -> str:
        """The reason why there is no answer; empty if there is one."""
        return self._answers.reason

    @property
    def few_rows(self) -> SingleRows | None:
        """The few single rows whose removal alone makes the outliers look right; None if there are no such rows.

        >>> rows = [(day, 1.0) for day in (0, 1, 2) for _ in range(60)] + [(1, 500.0)]
        >>> sold = ws.create("sold", rows, schema="day int, amount double")
        >>> daily = ws.sql("select day, sum(amount) s from sold group by day order by day", name="daily")
        >>> found = whence.explain(daily, "s", outliers=[1], holdouts=[0, 2])
        >>> found.few_rows.rows.ids.tolist(), found.few_rows.effect[0].after
        ([180], 60.0)
        """
        few = self._answers.few
        return None if few is None else SingleRows(self._services, few, self._answers.before)

    @property
    def c(self) -> float | None:
        """The c of the question; None for all."""
        return self._request.c

    @property
    def lam(self) -> float:
        """The weight (lambda) of the outliers against the hold-outs."""
        return self._request.lam

    @property
    def left_out(self) -> dict[str, str]:
        """Columns that the search did not use, each with the reason. Name them in `attributes` to use them anyway."""
        return dict(self._services.meaning.fetched.left_out)

    @property
    def attributes(self) -> list[str]:
        """Columns that the search used, and parts of dates and times such as `hour(at)`."""
        return [attribute.label for attribute in self._services.problem.attributes]

    @property
    def seconds(self) -> float:
        """How long the search took."""
        return self._answers.seconds

    @property
    def is_complete(self) -> bool:
        """False if time ran out or the search was stopped: these are the best so far."""
        return self._answers.is_complete

    def at(self, c: float | None = None, lam: float | None = None) -> Explanations[D]:
        """Return the answers for another c or lambda, without reading the rows again.

        >>> rows = [(day, "MA", 5.0 + 40 * day) for day in (0, 1) for _ in range(20)]
        >>> rows += [(day, "CA", 5.0) for day in (0, 1) for _ in range(60)]
        >>> sold = ws.create("sold", rows, schema="day int, state string, amt double")
        >>> daily = ws.sql("select day, sum(amt) s from sold group by day order by day", name="daily")
        >>> whence.explain(daily, "s", outliers=[1], holdouts=[0]).at(c=0.2)[0].predicate.sql
        "state = 'MA'"
        """
        request = replace(self._request, c=c, lam=self.lam if lam is None else lam, partial=None)
        if self._spark_answers is not None:
            spark_answers = self._spark_answers.choose_for(request)
            return Explanations(self._services, request, spark_answers.answers, spark_answers)
        scorer = Scorer(self._services.problem)
        if request.lam == self.lam and (c is None or request.method not in ("auto", "boxes")):
            answers = answers_from(scorer, self._answers.archive, request, time.monotonic())
        else:
            answers = find(self._services.problem, request)
        return Explanations(self._services, request, answers)

    def to_json(self) -> str:
        """Return everything as a JSON text."""
        content = {
            "column": self.column,
            "input": self._services.input.label,
            "c": self.c,
            "lambda": self.lam,
            "reason": self.reason,
            "left_out": self.left_out,
            "explanations": [each.to_json() for each in self],
            "few_rows": None if self.few_rows is None else self.few_rows.to_json(),
        }
        return json.dumps(content, default=float)

    @property
    def text(self) -> str:
        """One line for each answer, or the reason why there is none, then the sentence about a few single rows."""
        lines = [each.sentence for each in self] or [self.reason]
        return "\n".join(lines if self.few_rows is None else [*lines, self.few_rows.sentence])

    @overload
    def __getitem__(self, place: int) -> Explanation[D]: ...

    @overload
    def __getitem__(self, place: slice) -> list[Explanation[D]]: ...

    def __getitem__(self, place: int | slice) -> Explanation[D] | list[Explanation[D]]:
        return self._items[place]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Explanation[D]]:
        return iter(self._items)

    def __repr__(self) -> str:
        if self._items:
            return f"<{len(self)} explanations of {self.column}>"
        if self.few_rows is not None:
            return f"<{self.few_rows.sentence} {self.reason}>"
        return f"<no explanation: {self.reason}>"
