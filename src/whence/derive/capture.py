"""How the lineage of one derivation is captured: the user's word for this query, else the policy of the workspace."""

from __future__ import annotations

from dataclasses import dataclass

from whence.derive.policy import CapturePolicy
from whence.derive.request import Request
from whence.lineage.strategy import Mode


@dataclass(frozen=True)
class Capture:
    """How one query may capture lineage: its mode, its inputs, its limit, and whether an earlier result may serve."""

    mode: Mode = "auto"
    only: frozenset[str] | None = None
    """Names, in lower case, of the datasets whose rows are traced; None for all."""
    most_bytes: int | None = None
    """Lineage that takes more than this is not stored."""
    can_reuse: bool = False
    """An earlier result of the same query may stand in for a run."""


def capture_for(policy: CapturePolicy, request: Request) -> Capture:
    """Return how the query of a request captures lineage: as its user says, else as the policy says.

    >>> capture_for(CapturePolicy(), Request(None, "sums", "sql", "select 1", mode="lazy")).mode
    'lazy'
    """
    settings = policy.settings
    mode = policy.usual_mode(request.name) if request.mode == "auto" else request.mode
    is_captured = mode not in ("off", "paused")
    can_reuse = request.is_reusable and request.mode == "auto" and is_captured and settings.reuses_results
    if request.must_inject and is_captured:
        mode = "inject"
    return Capture(mode, settings.only, settings.most_bytes, can_reuse)
