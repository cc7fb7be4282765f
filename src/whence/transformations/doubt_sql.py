"""Writes guesses into SQL: an expression of ours that the plan reader takes for a caveat and Spark optimises away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from whence.plan.expr import CAVEAT_MARK
from whence.plan.sql_text import quoted, text
from whence.transformations.applied import Applied, Guess, Output


def doubted(sql: str, guesses: Sequence[Guess]) -> str:
    """An expression, in doubt where one of the guesses holds."""
    for guess in guesses:
        why = "" if guess.message is None else f"'why', {guess.message}, "
        sql = (
            f"named_struct('{CAVEAT_MARK}', {sql}, 'if', coalesce({guess.when}, false), {why}"
            f"'family', {text(guess.family)}).{CAVEAT_MARK}"
        )
    return sql


def doubted_outputs(applied: Applied) -> tuple[Output, ...]:
    """The columns of a step, each in doubt where the step guessed it."""
    return tuple(
        replace(each, sql=doubted(each.sql, [guess for guess in applied.guesses if guess.column == each.name]))
        for each in applied.outputs
    )


def doubted_condition(applied: Applied) -> str | None:
    """The condition of the rows that stay, in doubt where they might not belong; None if all stay, without doubt."""
    sieve, guesses = applied.sieve, [guess for guess in applied.guesses if guess.column is None]
    if sieve is None and not guesses:
        return None
    if sieve is not None and sieve.doubt:
        guesses.insert(0, Guess(None, "", sieve.doubt, None))
    return doubted("true" if sieve is None else sieve.keep, guesses)


def whole_query(applied: Applied) -> str:
    """The query of a step that makes other rows. Where it leaves `{columns}` open, guesses are put over the outputs.

    The conditions and messages of guesses are computed beside the outputs, for they may hold aggregates.
    """
    query = "" if applied.whole is None else applied.whole.query
    if "{columns}" not in query:
        return query
    inner = {f"c{number}": each.sql for number, each in enumerate(applied.outputs)}
    guesses = []
    for number, guess in enumerate(applied.guesses):
        inner[f"w{number}"] = f"coalesce({guess.when}, false)"
        if guess.message is not None:
            inner[f"m{number}"] = guess.message
        guesses.append(replace(guess, when=f"w{number}", message=guess.message and f"m{number}"))
    outer = replace(
        applied,
        outputs=tuple(Output(each.name, f"c{number}") for number, each in enumerate(applied.outputs)),
        guesses=tuple(guesses),
    )
    columns = ", ".join(f"{sql} as {name}" for name, sql in inner.items())
    shown = ", ".join(f"{each.sql} as {quoted(each.name)}" for each in doubted_outputs(outer))
    condition = doubted_condition(outer)
    where = "" if condition is None else f" where {condition}"
    return f"select {shown} from ({query.replace('{columns}', columns)}){where}"
