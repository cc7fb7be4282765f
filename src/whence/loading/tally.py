"""Tallies of a column: figures that add up, so that a column can be examined in pieces."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pyarrow as pa

ENOUGH = 0.75
"""The share of values that must fit for a column to take a type."""


@dataclass
class Tally:
    """Counts of values by what they look like, the maximum of each size, and the first example of each oddity."""

    counts: Counter[str] = field(default_factory=Counter)
    most: dict[str, int] = field(default_factory=dict)
    firsts: dict[str, str] = field(default_factory=dict)

    def add(self, later: Tally) -> None:
        """Add the tally of a later piece."""
        self.counts.update(later.counts)
        for name, size in later.most.items():
            self.raise_to(name, size)
        for name, example in later.firsts.items():
            self.firsts.setdefault(name, example)

    def raise_to(self, name: str, size: int) -> None:
        """Record a size if it is the largest so far."""
        self.most[name] = max(size, self.most.get(name, 0))

    @property
    def evidence(self) -> int:
        """Number of values that speak for or against a type."""
        return self.counts["evidence"]

    def share(self, name: str) -> float:
        """Return the share of the evidence that looks like this."""
        return self.counts[name] / self.evidence if self.evidence else 0.0


@dataclass(frozen=True)
class Reading:
    """The type of a column, and how its texts are read. `how` names the function in `infer.READERS` that does it."""

    how: str
    type: pa.DataType
    noun: str
    notes: tuple[tuple[str, str], ...] = ()
    """(kind, sentence) about the column as a whole."""
    form: int = 0
    """Position in `moments.FORMS` of the form in which dates are written."""
    is_in_doubt: bool = False
    """Whether each value has two possible readings."""
    is_wish: bool = False
    """Whether the user chose the type, so that forms are read that would otherwise make it text."""


@dataclass(frozen=True)
class Refusal:
    """Why a column stays text although many of its texts have a type."""

    kind: str
    reason: str


TEXT = Reading("text", pa.string(), "text")
