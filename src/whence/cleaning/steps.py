"""Puts what a lens guessed over the query it gave, as steps whose rules mark exactly that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from whence.cleaning.lens import Cleaned, Guess
from whence.engine.engine import Query
from whence.model.errors import InternalError
from whence.plan.expr import TRUE, Column, Expr, alias, caveat_if, ref
from whence.plan.step import Step
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project


def query_text(cleaned: Cleaned, view: str) -> str:
    """The lens's query: its outputs, then the condition and message of each guess, then the sieve."""
    columns = [output.sql for output in cleaned.outputs]
    for guess in cleaned.guesses:
        columns += [f"coalesce({guess.when}, false)", *([] if guess.message is None else [guess.message])]
    if cleaned.sieve is not None:
        columns += [cleaned.sieve.keep, cleaned.sieve.doubt]
    named = ", ".join(f"{sql} as c{number}" for number, sql in enumerate(columns))
    return f"select {named} from {cleaned.source or view} {cleaned.tail}"


def with_guesses(query: Query, cleaned: Cleaned) -> Query:
    """The query of a lens with its outputs under their names, in doubt where it guessed."""
    if query.read.plan is None:
        raise InternalError(f"The query of a lens could not be read: {query.read.reason}.")
    columns = list(query.columns)
    values, rest = columns[: len(cleaned.outputs)], columns[len(cleaned.outputs) :]
    doubts = []
    for guess in cleaned.guesses:
        condition = rest.pop(0)
        doubts.append((guess, condition, None if guess.message is None else rest.pop(0)))
    step = _sifted(query.read.plan, cleaned, doubts, rest)
    ids = query.read.ids
    named = tuple(ids.named_column(out.name, value.type) for out, value in zip(cleaned.outputs, values, strict=True))
    exprs = (
        alias(_doubted(ref(value), [each for each in doubts if each[0].column == new.name]), new)
        for value, new in zip(values, named, strict=True)
    )
    return replace(query, read=replace(query.read, plan=Project(step, tuple(exprs))), columns=named)


def _sifted(plan: Step, cleaned: Cleaned, doubts: Sequence[_Doubt], sieve: list[Column]) -> Step:
    """The rows that stay; a row in doubt passes a filter that might decide otherwise."""
    condition = TRUE
    if cleaned.sieve is not None:
        keep, doubt = map(ref, sieve)
        condition = caveat_if(keep, doubt, "", None)
    condition = _doubted(condition, [each for each in doubts if each[0].column is None])
    return plan if condition == TRUE else Filter(plan, condition)


def _doubted(expr: Expr, doubts: Sequence[_Doubt]) -> Expr:
    for guess, condition, message in doubts:
        expr = caveat_if(expr, ref(condition), guess.family, None if message is None else ref(message))
    return expr


_Doubt = tuple[Guess, Column, Column | None]
