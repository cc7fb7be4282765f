"""Chooses how a query's lineage is captured: inject with the query, defer after it, or lazily with a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast, get_args

from whence.lineage import by_keys
from whence.model.errors import BadInput
from whence.model.plural import counted
from whence.plan.deferral import Deferral, deferral
from whence.plan.plain_keys import Constant, PlainKeys, plain_keys
from whence.plan.step import GroupBy, Step
from whence.plan.stored_rows import StoredRows

Mode = Literal["auto", "inject", "defer", "lazy", "off", "paused"]

MANY_ROWS = 1_000_000
"""Above this a second, narrow job costs a user less than ids that travel with the query."""

LARGE_GROUP = 1_000_000
"""Ids of groups with more rows on average than this cost more than running a join again, and memory."""

FEW_ROWS = 200
"""The lineage of no more rows than this is found by what they show, without that of others."""

INJECT = "inject: row ids travelled with the query and were written as it ran; every operator has an exact rule."
INJECT_BY_KEYS = (
    "inject: as soon as the rows were there, the group of each input row was found by the columns that both show; "
    "every operator has an exact rule."
)
LAZY = "lazy: nothing is stored; the first question about these rows runs a job over what they were grouped from."
PAUSED = "off: capture was paused (`ws.capture.pause()`), so every row may come from every row of each input."
OFF = (
    "off: lineage was switched off (`lineage=False` or `ws.capture.off()`), "
    "so every row may come from every row of each input."
)
FAILURE = "lineage could not be captured: internal error"
FAILED = f"coarse: {FAILURE}, so every row may come from every row of each input."


@dataclass(frozen=True)
class LastRun:
    """Sizes of the last run of the same query: its rows and its derivations."""

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


@dataclass(frozen=True)
class Evidence:
    """What can be found out about a query before it runs; each costs something, so it is asked for when needed."""

    last_run: Callable[[], LastRun | None]
    constant: Constant
    groups: Callable[[GroupBy], int | None]
    """An estimate of how many groups there are; None if nothing can be said."""
    many_rows: int | None = None
    """From so many rows on a second, narrow job pays; None for the usual number."""


@dataclass(frozen=True)
class Choice:
    """The capture that was chosen, and the reason."""

    mode: Literal["inject", "defer", "lazy", "off"]
    text: str
    deferral: Deferral | None = None
    keys: PlainKeys | None = None
    """The key columns by which groups are found in files before the query returns; None where ids travel."""
    pruned_sources: Mapping[int, str] = field(default_factory=dict)
    """Sources that are not traced, with their names."""
    most_bytes: int | None = None

    def is_too_much(self, size: int) -> bool:
        """A block of this size is not kept."""
        return self.most_bytes is not None and size > self.most_bytes

    def describe(self, size: int, *, is_by_keys: bool) -> str:
        """What was done, and why; `is_by_keys`: rows carried no ids, for groups can be told by what they show."""
        if self.is_too_much(size):
            return describe_limit(size, self.most_bytes or 0)
        text = self.text if is_by_keys or self.mode == "off" else INJECT
        return f"{text} {describe_pruned(self.pruned_sources.values())}" if self.pruned_sources else text


def reason_for_off(strategy: str) -> str | None:
    """Why no lineage was stored, by the strategy text of a dataset; None if some was.

    >>> reason_for_off(PAUSED)
    'capture was paused (`ws.capture.pause()`)'
    >>> reason_for_off(FAILED)
    'lineage could not be captured: internal error'
    """
    if strategy == FAILED:
        return FAILURE
    return strategy.removeprefix("off: ").partition(", so every row")[0] if strategy.startswith("off: ") else None


def describe_limit(size: int, limit: int) -> str:
    """Why lineage of this size was not stored."""
    return (
        f"off: the lineage takes {size:,} bytes, more than the limit of {limit:,} (`ws.capture.limit`), "
        "so every row may come from every row of each input."
    )


def describe_pruned(names: Iterable[str]) -> str:
    """Why rows of these datasets were not traced."""
    listed = ", ".join(dict.fromkeys(names))
    return f"Rows of {listed} were not traced: capture is limited to other inputs (`ws.capture.only`)."


def describe_models(models: Sequence[str]) -> tuple[str, ...]:
    """What is not known of values that fitted models gave; nothing where there are none.

    >>> describe_models(["ImputerModel"])
    ('Values were learned by a fitted model (ImputerModel) from rows that the query does not show.',)
    """
    named = ", ".join(models)
    return (f"Values were learned by a fitted model ({named}) from rows that the query does not show.",) * bool(models)


def choose(plan: Step, mode: Mode, evidence: Evidence, *, can_ask_again: bool) -> Choice:
    """Choose when the ids of input rows are written: with the query, after it, when somebody asks, or never.

    Only a query that ends in one group-by, over rows that come out the same whenever it is run, can be left for later.
    """
    if mode == "off":
        return Choice("off", OFF)
    found = deferral(plan)
    later = found if can_ask_again and mode != "inject" else None
    if mode == "paused":  # lazy stores nothing, so it keeps the promise of a pause
        return Choice("off", PAUSED) if later is None else Choice("lazy", LAZY, later)
    if later is None:
        return _at_once(found, evidence.constant)
    if mode == "auto":
        reason = _reason(later, evidence)
        return (
            _at_once(found, evidence.constant) if reason is None else Choice("defer", _describe_deferral(reason), later)
        )
    if mode == "defer":
        return Choice("defer", _describe_deferral("asked for"), later)
    return Choice("lazy", LAZY, later)


def _at_once(found: Deferral | None, constant: Constant) -> Choice:
    """Choose inject: ids travel with the query, unless reading the groups of many rows from files is cheaper."""
    keys = None if found is None else plain_keys(found.aggregate, constant)
    if keys is None or keys.rows not in by_keys.ROWS:
        return Choice("inject", INJECT)
    return Choice("inject", INJECT_BY_KEYS, found, keys)


def _reason(found: Deferral, evidence: Evidence) -> str | None:
    """Return why deferring the capture pays; None if it does not."""
    rows = sum(stored.rows for stored in _stored_inputs(found))
    if rows < min(evidence.many_rows or MANY_ROWS, MANY_ROWS):
        return None
    if not found.aggregate.keys:
        return f"one row would hold the ids of up to {rows:,} rows"
    if found.is_narrow:
        return f"one more pass over {rows:,} rows costs less than ids in every group"
    if (
        found.most_groups is not None
        and found.most_groups <= FEW_ROWS
        and found.has_plain_keys
        and _carries_flags(found)
    ):
        return (
            f"beside doubt flags, ids of all groups would be carried for {found.most_groups}, "
            "whose rows are found by what they show"
        )
    observed = evidence.last_run()
    if observed is not None:
        is_large = observed.derivations > LARGE_GROUP * max(observed.rows, 1)
        return "the groups of the last run were large" if is_large else None
    groups = evidence.groups(found.aggregate)
    if groups is not None and rows > LARGE_GROUP * groups:
        return f"{counted(groups, 'group')} would hold the ids of up to {rows:,} rows"
    return None


def _carries_flags(found: Deferral) -> bool:
    return any(not stored.doubt.is_certain for stored in _stored_inputs(found))


def _stored_inputs(found: Deferral) -> Iterator[StoredRows]:
    """The datasets that a group-by reads."""
    return (step.stored_rows for step in found.aggregate.child.walk() if step.stored_rows is not None)


def _describe_deferral(reason: str) -> str:
    return (
        f"defer: the rows came first, a job in the background finds the group of each input row ({reason}); "
        "every operator has an exact rule."
    )
