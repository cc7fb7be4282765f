"""Writes guesses into SQL, as expressions that the plan reader takes for caveats and that Spark optimises away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from whence.plan.expr import CAVEAT_FIELD
from whence.plan.sql_text import quoted, text
from whence.transformations.plan import Guess, Output, TransformationPlan


def add_doubts(sql: str, guesses: Sequence[Guess]) -> str:
    """Return the expression with a caveat wherever one of the guesses holds."""
    for guess in guesses:
        why = "" if guess.message is None else f"'why', {guess.message}, "
        sql = (
            # A condition that is unknown for a row is no guess about it.
            f"named_struct('{CAVEAT_FIELD}', {sql}, 'if', coalesce({guess.when}, false), {why}"
            f"{_ends(guess)}'family', {text(guess.family)}).{CAVEAT_FIELD}"
        )
    return sql


def _ends(guess: Guess) -> str:
    if guess.low is None and guess.high is None:
        return ""
    among = "" if guess.among is None else f"'among', {guess.among}, "
    return f"'low', {guess.low or 'null'}, 'high', {guess.high or 'null'}, {among}"


def outputs_with_doubts(plan: TransformationPlan) -> tuple[Output, ...]:
    """Return the output columns with the caveats of the plan's guesses."""
    return tuple(
        replace(each, sql=add_doubts(each.sql, [guess for guess in plan.guesses if guess.column == each.name]))
        for each in plan.outputs
    )


def condition_with_doubts(plan: TransformationPlan) -> str | None:
    """Return the condition of the rows that stay, with its caveats; None if all rows stay without doubt."""
    row_filter, guesses = plan.row_filter, [guess for guess in plan.guesses if guess.column is None]
    if row_filter is None and not guesses:
        return None
    if row_filter is not None and row_filter.doubt:
        guesses.insert(0, Guess(None, "", row_filter.doubt, None))
    return add_doubts("true" if row_filter is None else row_filter.keep, guesses)


def new_rows_query(plan: TransformationPlan) -> str:
    """Return the query of a plan that makes new rows, with outputs and guesses in the place of `{columns}`.

    An inner query computes conditions and messages of guesses beside the outputs, because they may hold aggregates.
    """
    query = "" if plan.new_rows is None else plan.new_rows.query
    if "{columns}" not in query:
        return query
    inner = {f"c{number}": each.sql for number, each in enumerate(plan.outputs)}
    guesses = []
    for number, guess in enumerate(plan.guesses):
        inner[f"w{number}"] = f"coalesce({guess.when}, false)"
        parts = {"message": guess.message, "low": guess.low, "high": guess.high, "among": guess.among}
        made = {part: f"{part}{number}" for part, sql in parts.items() if sql is not None}
        inner |= {name: str(parts[part]) for part, name in made.items()}
        guesses.append(replace(guess, when=f"w{number}", **made))
    outer = replace(
        plan,
        outputs=tuple(Output(each.name, f"c{number}") for number, each in enumerate(plan.outputs)),
        guesses=tuple(guesses),
    )
    columns = ", ".join(f"{sql} as {name}" for name, sql in inner.items())
    shown = ", ".join(f"{each.sql} as {quoted(each.name)}" for each in outputs_with_doubts(outer))
    condition = condition_with_doubts(outer)
    where = "" if condition is None else f" where {condition}"
    return f"select {shown} from ({query.replace('{columns}', columns)}){where}"
