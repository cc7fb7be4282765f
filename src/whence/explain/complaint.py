"""What a user says is wrong with a value, and how far a new value puts it right (Scorpion, 4.4.2).

For an expected value w the thesis uses 1 - (1 + |w - after|) / (1 + |w - before|). That is a share, while all other
kinds and the change of hold-outs are in the aggregate's own units, so a share would weigh next to nothing. This module
uses |w - before| - |w - after| instead: the thesis's figure times (1 + |w - before|).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from whence.explain.arrays import Floats

Kind = Literal["high", "low", "wrong", "expected"]


@dataclass(frozen=True)
class Complaint:
    """A statement about one value: too high, too low, wrong in either direction, or unlike its `expected` value."""

    kind: Kind
    expected: float = math.nan

    def improvement(self, before: float, after: Floats) -> Floats:
        """Return how far each new value puts the old one right. Negative numbers mean that it gets worse.

        >>> Complaint("high").improvement(10.0, np.array([4.0, 12.0])).tolist()
        [6.0, -2.0]
        >>> Complaint("expected", 5.0).improvement(10.0, np.array([5.0, 3.0, 11.0])).tolist()
        [5.0, 3.0, -1.0]
        """
        match self.kind:
            case "high":
                return before - after
            case "low":
                return after - before
            case "wrong":
                return np.abs(before - after)
            case "expected":
                return abs(self.expected - before) - np.abs(self.expected - after)

    def is_too_low(self, before: float) -> bool:
        """Return whether the complaint asks for a higher value."""
        return self.kind == "low" or (self.kind == "expected" and self.expected > before)


def improvements(complaints: Sequence[Complaint], before: Floats, after: Floats) -> Floats:
    """Return the improvement of each value under each predicate, as an array of predicate by complaint."""
    found: Floats = before - after
    for number, complaint in enumerate(complaints):
        # `before - after` above already is the improvement for "high", the commonest kind.
        if complaint.kind != "high":
            found[:, number] = complaint.improvement(float(before[number]), after[:, number])
    return found
