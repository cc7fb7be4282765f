"""Chooses how a query's lineage is captured: with the query, after it, or when somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, cast, get_args

from whence.model.errors import BadInput
from whence.plan.deferral import Deferral, deferral
from whence.plan.step import Step
from whence.plan.steps.scan import Scan

Mode = Literal["auto", "inject", "defer", "lazy", "off"]

MANY_ROWS = 1_000_000
"""Above this a second, narrow job costs a user less than ids that travel with the query; so does a group this large."""

INJECT = "inject: row ids travelled with the query and were written as it ran; every operator has an exact rule."
OFF = "off: the query was run without lineage, so every row may come from every row of each input."


@dataclass(frozen=True)
class Observed:
    """What the last run of the same query has taught."""

    rows: int
    derivations: int


def checked_mode(asked: bool | str) -> Mode:
    """What a user asked for.

    >>> checked_mode(True), checked_mode("lazy")
    ('auto', 'lazy')
    """
    if isinstance(asked, bool):
        return "auto" if asked else "off"
    for mode in get_args(Mode):
        if asked == mode:
            return cast(Mode, mode)
    raise BadInput(f"Lineage cannot be captured as {asked!r}.", f"Say one of {', '.join(get_args(Mode))}.")


LastTime = Callable[[], Observed | None]


@dataclass(frozen=True)
class Choice:
    """The way, and why."""

    mode: Literal["inject", "defer", "lazy", "off"]
    text: str
    deferral: Deferral | None = None


def choose(plan: Step, mode: Mode, last: LastTime, *, can_ask_again: bool) -> Choice:
    """A query can be left for later if it ends in one group-by over rows that come out the same whenever it is run."""
    if mode == "off":
        return Choice("off", OFF)
    found = deferral(plan) if can_ask_again and mode != "inject" else None
    if found is None:
        return Choice("inject", INJECT)
    if mode == "auto":
        reason = _reason(found, last)
        return Choice("inject", INJECT) if reason is None else Choice("defer", _deferred(reason), found)
    if mode == "defer":
        return Choice("defer", _deferred("asked for"), found)
    text = "lazy: nothing is stored; the first question about these rows runs a job over what they were grouped from."
    return Choice("lazy", text, found)


def _reason(found: Deferral, last: LastTime) -> str | None:
    """Why it pays to leave it for later; None if it does not."""
    rows = sum(step.rows for step in found.aggregate.child.walk() if isinstance(step, Scan))
    if rows < MANY_ROWS:
        return None
    if not found.aggregate.keys:
        return f"one row would hold the ids of up to {rows:,} rows"
    if found.is_narrow:
        return f"one more pass over {rows:,} rows costs less than ids in every group"
    observed = last()
    if observed is not None and observed.derivations > MANY_ROWS * max(observed.rows, 1):
        return "the groups of the last run were large"
    return None


def _deferred(reason: str) -> str:
    return (
        f"defer: the rows came first, a job in the background finds the group of each input row ({reason}); "
        "every operator has an exact rule."
    )
