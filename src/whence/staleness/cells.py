"""What the notebook remembers about each of its cells."""

from __future__ import annotations

from dataclasses import dataclass

from whence.staleness.paths import Path


@dataclass(slots=True)
class Cell:
    """A cell joins the notebook at its first run or edit; `ran_at` is 0 until it has run."""

    id: str
    text: str = ""
    ran_at: int = 0
    ran_text: str = ""
    output: str | None = None  # what it showed, if we ran it and it succeeded
    observed: frozenset[tuple[Path, bool]] = frozenset()  # reads by functions, and whether of the whole

    @property
    def seen_reads(self) -> frozenset[tuple[Path, bool]]:
        """What functions read the last time, as long as the text is still the one that ran."""
        return self.observed if self.text == self.ran_text else frozenset()
