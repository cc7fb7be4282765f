"""Reads the lineage budget that users set: amounts of disk, the allowed slow-down, and pinned strategies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from whence.arrays.planner import Budget
from whence.arrays.queries import KINDS as QUERY_KINDS
from whence.arrays.strategy import strategy
from whence.model.errors import BadInput
from whence.workspace.context import Context
from whence.workspace.references import version_of

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "kib": 2**10, "mib": 2**20, "gib": 2**30}


def as_bytes(amount: str | float | None) -> float:
    """Return the number of bytes that a number or a text such as "10MB" means. None means infinitely many.

    >>> as_bytes("10MB"), as_bytes(512)
    (10000000.0, 512.0)
    """
    if amount is None:
        return float(np.inf)
    if isinstance(amount, str):
        found = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*([a-zA-Z]*)\s*", amount)
        if found is None or found[2].lower() not in _UNITS:
            raise BadInput(f"{amount!r} is no amount of disk.", 'For example: "10MB", "1.5GB" or a number of bytes.')
        return float(found[1]) * _UNITS[found[2].lower()]
    if amount < 0:
        raise BadInput(f"{amount} is no amount of disk.", "Give a number of bytes, or a text such as 10MB.")
    return float(amount)


def set_budget(
    context: Context,
    disk: str | float | None,
    slowdown: float | None,
    workload: Sequence[Sequence[object]],
    pins: Mapping[str, str] | None,
) -> None:
    """Give the planner a budget and the questions that lineage should answer."""
    planner, budget = context.background.planner, as_budget(disk, slowdown, pins)
    planner.workload.declare(
        workload, lambda each: version_of(context.store, each), context.writers.preparing.check_question
    )
    planner.set(budget)


def as_budget(disk: str | float | None, slowdown: float | None, pins: Mapping[str, str] | None) -> Budget:
    """Check the arguments of a user and return them as a `Budget`."""
    if slowdown is not None and slowdown < 1:
        raise BadInput(f"Runs cannot be allowed {slowdown} times as long.", "1 allows no slow-down, 1.2 a fifth more.")
    for kind in (pins or {}).values():
        if kind not in QUERY_KINDS:
            strategy(kind)  # raises if there is no such strategy
    return Budget(as_bytes(disk), float(np.inf) if slowdown is None else slowdown, dict(pins or {}))
