"""Chooses how one run of an operator captures its lineage: the user's word for this run, else the capture policy."""

from __future__ import annotations

from dataclasses import dataclass

from whence.arrays.operator import Operator
from whence.arrays.strategy import BLACK_BOX, COARSE, MAP, Strategy, possible, strategy, usual
from whence.derive.policy import CapturePolicy, CaptureSettings
from whence.lineage.strategy import OFF, PAUSED
from whence.model.errors import BadInput


@dataclass(frozen=True)
class RunCapture:
    """The strategy of one run: what the operator must report, and whether it is stored."""

    strategy: Strategy
    is_named: bool = False
    """Whether the user named the strategy, so that no smaller encoding may replace it."""
    reason: str = ""
    """Why nothing is stored; empty if lineage is stored. Doubt flags follow the declared lineage in either case."""


def capture_run(policy: CapturePolicy, operator: Operator, name: str, asked: str | None) -> RunCapture:
    """Return the strategy for a run whose result gets this name: the one `asked` for, else the policy's."""
    if asked is not None:
        return RunCapture(_checked(operator, asked), is_named=True)
    mode = policy.usual_mode(name)
    if mode == "off":
        return RunCapture(_without_storing(operator), reason=OFF)
    free = _answers_later(operator)
    if mode == "paused":
        return RunCapture(free or _without_storing(operator), reason=PAUSED if free is None else "")
    # Under a budget a run stores nothing that can be had again; what pays is stored afterwards.
    return RunCapture(free if mode == "lazy" and free is not None else usual(operator))


def reason_for_rows(settings: CaptureSettings) -> str:
    """Return why a function over rows stores no lineage; empty if it does. It cannot be run again to recover it."""
    return OFF if settings.is_off else PAUSED if settings.is_paused else ""


def _checked(operator: Operator, asked: str) -> Strategy:
    chosen = strategy(asked)
    if chosen != COARSE and chosen not in possible(operator):
        kinds = ", ".join(each.kind for each in possible(operator))
        raise BadInput(f"The lineage of {operator.name} cannot be kept as {asked}.", f"It can be kept as {kinds}.")
    return chosen


def _answers_later(operator: Operator) -> Strategy | None:
    """Return a strategy that stores nothing and still answers questions; None if the operator has none."""
    return next((each for each in (MAP, BLACK_BOX) if each in possible(operator)), None)


def _without_storing(operator: Operator) -> Strategy:
    """Return the strategy that costs a run least, whether or not the operator can be run again."""
    if not operator.representations:
        return COARSE
    return MAP if "map" in operator.representations else BLACK_BOX
