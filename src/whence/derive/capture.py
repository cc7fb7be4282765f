"""What a query is told about capturing its lineage."""

from __future__ import annotations

from dataclasses import dataclass

from whence.lineage.strategy import Mode


@dataclass(frozen=True)
class Capture:
    """`can_ask_again`: the text alone is enough to run the same query another time."""

    mode: Mode = "auto"
    can_ask_again: bool = False
    only: frozenset[str] | None = None
    """Names, in lower case, of the datasets whose rows are traced; None for all."""
    most_bytes: int | None = None
    """More than this is not kept."""
    can_take_over: bool = False
    """What the same query gave before, over the same versions, may stand for another run."""


ALWAYS = Capture()
