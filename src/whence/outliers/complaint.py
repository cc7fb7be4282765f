"""What a user says is wrong with a value, and how far a new value puts it right (Scorpion, 4.4.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from whence.outliers.arrays import Floats

Kind = Literal["high", "low", "wrong", "expected"]


@dataclass(frozen=True)
class Complaint:
    """A value is too high, too low, wrong in either direction, or ought to be `expected`."""

    kind: Kind
    expected: float = math.nan

    def improvement(self, before: float, after: Floats) -> Floats:
        """How far each new value puts the old one right; negative where it gets worse.

        >>> Complaint("high").improvement(10.0, np.array([4.0, 12.0])).tolist()
        [6.0, -2.0]
        >>> Complaint("expected", 5.0).improvement(10.0, np.array([5.0])).round(3).tolist()
        [0.833]
        """
        match self.kind:
            case "high":
                return before - after
            case "low":
                return after - before
            case "wrong":
                return np.abs(before - after)
            case "expected":
                return 1 - (1 + np.abs(self.expected - after)) / (1 + abs(self.expected - before))

    def unit(self, before: float) -> float:
        """How much improvement one unit of the value is worth."""
        return 1 / (1 + abs(self.expected - before)) if self.kind == "expected" else 1.0
