"""Request and response models about values that look odd, and their explanations."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, FiniteFloat

from whence.wire.charts import Json, Mark
from whence.wire.datasets import DatasetVersion

MOST_VALUES = 5000


class AskQuestion(BaseModel):
    """The chart that shows odd values; its marks are asked about."""

    chart: str


class FacetBar(BaseModel):
    """The number of rows with this value, or with values from low to high. The ends of times are numbers, too."""

    label: str
    count: int
    low: float | None
    high: float | None
    value: object


class FacetView(BaseModel):
    """A column that may explain, and how it is spread over the rows behind the marks."""

    column: str
    why_not: str
    """The reason why the search leaves the column out unless it is chosen; empty if the search uses it."""
    bars: list[FacetBar]


class QuestionView(BaseModel):
    """What can be asked about the marks of a chart."""

    question: str
    chart: str
    column: str
    input: DatasetVersion
    """The dataset that the marks aggregate."""
    rows: int
    facets: list[FacetView]
    left_out: dict[str, str]
    """Columns that cannot explain anything, each with the reason."""


class ClauseView(BaseModel):
    """One condition of a predicate: values, or a range whose ends are included."""

    column: str
    part: str | None = Field(None, max_length=20)
    """The part of a date or time that the condition is about, such as the hour."""
    low: FiniteFloat | None = None
    high: FiniteFloat | None = None
    values: list[str | int | float | bool | None] | None = Field(None, max_length=1000)
    phrase: str = ""


class SearchAnswers(BaseModel):
    """Which marks look odd and how, which are fine, and what may explain them."""

    outliers: list[Mark] = Field(min_length=1, max_length=MOST_VALUES)
    fine: list[Mark] | None = Field(None, max_length=MOST_VALUES)
    """The marks that look right. Null means all others."""
    direction: Literal["high", "low", "wrong"] = "high"
    expected: dict[int, FiniteFloat] | None = None
    """The right value of marks, where it is known. It replaces the direction."""
    attributes: list[str] | None = Field(None, max_length=1000)


class ChangedValue(BaseModel):
    """A marked value before and after."""

    mark: int
    role: Literal["outlier", "holdout"]
    before: float | None
    after: float | None


class AnswerView(BaseModel):
    """One predicate, and what leaving its rows out does."""

    sql: str
    phrase: str
    sentence: str
    clauses: list[ClauseView]
    rows: int
    broadest: float
    """The lowest c, from broad (0) to narrow (1), at which this is the best answer."""
    narrowest: float
    """The highest c at which this is the best answer."""
    p_value: float | None
    effect: list[ChangedValue]
    alternatives: list[str]


class FewRowsView(BaseModel):
    """A few single rows that alone make the marks look odd."""

    rows: list[int]
    """Their row ids in the input of the question."""
    sentence: str
    effect: list[ChangedValue]


class SearchView(BaseModel):
    """How a search stands: what it has found so far, or in the end."""

    state: Literal["none", "running", "done", "stopped", "failed"]
    answers: list[AnswerView]
    reason: str
    """The reason why there is no answer, or the error of the search."""
    few_rows: FewRowsView | None
    seconds: float


class PreviewAnswer(BaseModel):
    """Which rows to leave out, or to keep alone."""

    clauses: list[ClauseView] = Field(min_length=1, max_length=20)
    keep: bool = False


class CompareAnswers(BaseModel):
    """Two predicates to compare."""

    one: list[ClauseView] = Field(min_length=1, max_length=20)
    other: list[ClauseView] = Field(min_length=1, max_length=20)


class ComparedAnswers(BaseModel):
    """How many rows behind the marks each of two predicates takes, and how many both do."""

    one: int
    other: int
    both: int


class KeptCell(BaseModel):
    """A notebook cell that makes a predicate last."""

    kind: str
    values: Json


class AnswerPreview(BaseModel):
    """The chart without these rows, or with them alone; and the cells that would make just that."""

    values: list[float | None]
    rows: dict[str, list[Json]] | None
    count: int
    sql: str
    cells: dict[str, KeptCell]
