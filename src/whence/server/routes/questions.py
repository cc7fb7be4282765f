"""Routes about marks that look odd: what may explain them, the search, and the chart without some rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Request

from whence.server.access import access
from whence.server.questions import OpenQuestion, Questions, direction_of
from whence.server.routers import new_router
from whence.server.values import to_json
from whence.wire.datasets import DatasetVersion
from whence.wire.questions import (
    AnswerPreview,
    AnswerView,
    AskQuestion,
    ChangedValue,
    ClauseView,
    CompareAnswers,
    ComparedAnswers,
    FacetBar,
    FacetView,
    FewRowsView,
    KeptCell,
    PreviewAnswer,
    QuestionView,
    SearchAnswers,
    SearchView,
)

if TYPE_CHECKING:
    from whence.explain.meaning import Effect
    from whence.workspace.explanations import Explanation, SingleRows

router = new_router()


def _questions(request: Request) -> Questions:
    questions: Questions = request.app.state.questions
    return questions


OpenQuestions = Annotated[Questions, Depends(_questions)]


@router.post("/api/questions")
@access("session")
def ask_question(questions: OpenQuestions, asked: AskQuestion) -> QuestionView:
    """Return what can be asked about the marks of a chart. It is an error if they are no aggregates."""
    opened = questions.ask(asked.chart)
    question = opened.question
    return QuestionView(
        question=opened.id,
        chart=opened.chart.marks.record.label,
        column=question.column,
        input=DatasetVersion(name=question.input.name, version=question.input.version),
        rows=question.rows,
        facets=[_facet(opened, name) for name in (*question.attributes, *question.others)],
        left_out={name: why for name, why in question.left_out.items() if name not in question.others},
    )


@router.get("/api/questions/{question}")
@access("session")
def read_question(questions: OpenQuestions, question: str) -> SearchView:
    """Return the state of the search of a question, with the answers found so far."""
    return _search_view(questions.find(question))


@router.post("/api/questions/{question}/search")
@access("session")
def search_answers(questions: OpenQuestions, question: str, asked: SearchAnswers) -> SearchView:
    """Start the search. Its answers can be read while it goes on."""
    opened = questions.find(question)
    direction = direction_of(asked.outliers, asked.direction, asked.expected)
    opened.begin(
        lambda partial: opened.question.search(asked.outliers, asked.fine, direction, asked.attributes, partial)
    )
    return _search_view(opened)


@router.post("/api/questions/{question}/stop")
@access("session")
def stop_search(questions: OpenQuestions, question: str) -> SearchView:
    """End the search. The best answers so far stay."""
    opened = questions.find(question)
    if opened.search is not None:
        opened.search.stop()
    return _search_view(opened)


@router.post("/api/questions/{question}/preview")
@access("session")
def preview_answer(questions: OpenQuestions, question: str, asked: PreviewAnswer) -> AnswerPreview:
    """Return the chart without the rows of a predicate, or of them alone, and the cells that would keep that."""
    opened = questions.find(question)
    predicate = opened.question.predicate([each.model_dump() for each in asked.clauses])
    values = opened.question.preview(predicate, keep=asked.keep)
    cells = opened.question.cells(predicate, keep=asked.keep)
    return AnswerPreview(
        values=values,
        rows=opened.chart.over(values) if len(opened.chart.measures) == 1 else None,  # a preview has one measure only
        count=opened.question.count(predicate),
        sql=predicate.sql,
        cells={name: KeptCell(**cell) for name, cell in cells.items()},  # type: ignore[arg-type]
    )


@router.post("/api/questions/{question}/compare")
@access("session")
def compare_answers(questions: OpenQuestions, question: str, asked: CompareAnswers) -> ComparedAnswers:
    """Count the rows that two predicates take, and those that both take."""
    asked_of = questions.find(question).question
    one, other = (asked_of.predicate([each.model_dump() for each in clauses]) for clauses in (asked.one, asked.other))
    return ComparedAnswers(one=asked_of.count(one), other=asked_of.count(other), both=asked_of.overlap(one, other))


def _facet(opened: OpenQuestion, column: str) -> FacetView:
    bars = opened.question.distribution(column)
    return FacetView(
        column=column,
        why_not=opened.question.left_out.get(column, ""),
        bars=[
            FacetBar(label=bar.label, count=bar.count, low=bar.low, high=bar.high, value=to_json(bar.value))
            for bar in bars
        ],
    )


def _search_view(opened: OpenQuestion) -> SearchView:
    """Return the state of the search of a question, with its answers so far."""
    search = opened.search
    if search is None:
        return SearchView(state="none", answers=[], reason="", few_rows=None, seconds=0)
    found = search.found
    return SearchView(
        state=search.state,
        answers=[] if found is None else [_answer(each, opened.chart.measured) for each in found],
        reason=search.problem or ("" if found is None or search.state == "running" else found.reason),
        few_rows=None
        if found is None or found.few_rows is None
        else _few_rows_view(found.few_rows, opened.chart.measured),
        seconds=round(search.seconds, 2),
    )


def _few_rows_view(found: SingleRows, called: str) -> FewRowsView:
    return FewRowsView(
        rows=found.rows.ids.tolist(), sentence=found.sentence_about(called), effect=_changed(found.effect)
    )


def _answer(found: Explanation[Any], called: str) -> AnswerView:
    return AnswerView(
        sql=found.predicate.sql,
        phrase=found.predicate.phrase,
        sentence=found.sentence_about(called),
        clauses=[ClauseView(**each) for each in found.clauses],  # type: ignore[arg-type]
        rows=found.rows.count,
        broadest=found.c_range[0],
        narrowest=found.c_range[1],
        p_value=found.p_value,
        effect=_changed(found.effect),
        alternatives=[each.phrase for each in found.alternatives],
    )


def _changed(effect: list[Effect]) -> list[ChangedValue]:
    return [
        ChangedValue(mark=each.row, role=each.role, before=_finite(each.before), after=_finite(each.after))  # type: ignore[arg-type]
        for each in effect
    ]


def _finite(value: float) -> float | None:
    """Return the value, or None for NaN and infinity, which JSON cannot hold."""
    return value if math.isfinite(value) else None
