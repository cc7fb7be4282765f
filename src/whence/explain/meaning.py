"""Translate answers for users: the rows, the effect on marked values, a sentence, a SQL condition, a caveat text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.explain.answer import Answer
from whence.explain.arrays import Floats, Ints
from whence.explain.fetch import FetchedProblem
from whence.explain.few_rows import FewRows
from whence.explain.predicate import Predicate
from whence.model.errors import UserError

_NAMED = 3
"""How many outliers a sentence names one by one."""


@dataclass(frozen=True)
class Effect:
    """A marked value with and without the explained rows."""

    row: int
    role: str
    before: float
    after: float


@dataclass(frozen=True)
class Meaning:
    """Translates the answers to a question about one column."""

    fetched: FetchedProblem
    column: str

    def rids_of(self, answer: Answer) -> Ints:
        """Return the ids of the input rows behind the outliers that the predicate of an answer takes."""
        problem = self.fetched.problem
        if self.fetched.spark_problem is not None:
            return self.fetched.spark_problem.members(answer.box)
        chosen = problem.mask(answer.box) & (problem.owner < problem.outliers)
        rids = np.unique(self.fetched.rids[chosen])
        return rids[rids >= 0]

    def count_of(self, answer: Answer) -> int:
        """Return how many rows those are. If the rows are in Spark, the search has usually counted them already."""
        spark_problem = self.fetched.spark_problem
        if spark_problem is not None and spark_problem.has_each_once:
            return round(float(answer.parts.removed.sum()))
        return len(self.rids_of(answer))

    def rids_of_few(self, few: FewRows) -> Ints:
        """Return the ids of the single input rows that bring the outliers back."""
        rids = np.unique(self.fetched.rids[few.places])
        return rids[rids >= 0]

    def few_sentence(self, few: FewRows, before: Floats, called: str = "") -> str:
        """Return a sentence that says what a few single rows do, and that they are not a pattern."""
        rows = len(self.rids_of_few(few))
        words = "1 row alone makes" if rows == 1 else f"{rows} rows alone make"
        them, looks = ("it", "it is a single row") if rows == 1 else ("them", "these are single rows")
        changes = self._changes(self.effect_of(few, before))
        return (
            f"{words} the difference: without {them}, {called or self.column} goes {changes}. "
            f"But {looks}, not a pattern: look at {'it' if rows == 1 else 'each'} before you leave it out."
        )

    def effect_of(self, answer: Answer | FewRows, before: Floats) -> list[Effect]:
        """Return every marked value before and after the removal."""
        outliers = self.fetched.problem.outliers
        values = zip(self.fetched.marked, before, answer.after, strict=True)
        return [
            Effect(int(row), "outlier" if place < outliers else "holdout", float(was), float(then))
            for place, (row, was, then) in enumerate(values)
        ]

    def sentence(self, answer: Answer, before: Floats, called: str = "") -> str:
        """Return the answer as one sentence in the aggregate's own units. `called` is what people call the column."""
        effect = self.effect_of(answer, before)
        worst = max((abs(each.after - each.before) for each in effect if each.role == "holdout"), default=None)
        fine = "" if worst is None else f"; no value marked as fine moves by more than {_number(worst)}"
        rows = self.count_of(answer)
        return (
            f"Without the {rows:,} row{'s' * (rows != 1)} behind the outliers where {answer.predicate.phrase}, "
            f"{called or self.column} goes {self._changes(effect)}{fine}."
        )

    def _changes(self, effect: list[Effect]) -> str:
        outliers = [each for each in effect if each.role == "outlier"]
        changes = [f"from {_number(each.before)} to {_number(each.after)}" for each in outliers[:_NAMED]]
        more = f" and {len(outliers) - _NAMED} more likewise" if len(outliers) > _NAMED else ""
        return ", ".join(changes) + more

    def condition(self, predicate: Predicate) -> str:
        """Return the predicate in SQL, or raise a UserError if it reads columns that the input does not have."""
        # A SQL condition runs over the input dataset, which does not have columns of other datasets.
        foreign = [name for name in predicate.columns if name in self.fetched.foreign]
        if foreign:
            raise UserError(
                f"{foreign[0]} is not a column of {self.fetched.input.label}, so the answer is no condition over it.",
                "Use .rows, or join the columns first.",
            )
        return predicate.sql

    def doubted(self, column: str | None = None) -> str:
        """Return the column to put a caveat on: the one named, else the measure."""
        if column is None and self.fetched.measure is None:
            raise UserError("Say which column to doubt: the value is not the aggregate of one column.", "Pass column=.")
        return column or str(self.fetched.measure)

    def doubt(self, predicate: Predicate, doubted: str) -> str:
        """Return the text of that caveat."""
        return f"{doubted} makes {self.column} look odd: {predicate.phrase}."


def _number(value: float) -> str:
    # Four digits of a large number would need an exponent.
    return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
