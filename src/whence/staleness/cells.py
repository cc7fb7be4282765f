"""The state of one notebook cell: its text, and its last run."""

from __future__ import annotations

from dataclasses import dataclass

from whence.staleness.paths import Path


@dataclass(slots=True)
class Cell:
    """A cell, known to the notebook since its first run or edit. `ran_at` is the number of its last run, 0 for none."""

    id: str
    text: str = ""
    ran_at: int = 0
    ran_text: str = ""
    output: str | None = None  # what it showed, if we ran it and it succeeded
    observed: frozenset[tuple[Path, bool]] = frozenset()  # reads by functions, and whether of the whole

    @property
    def seen_reads(self) -> frozenset[tuple[Path, bool]]:
        """What functions read in the last run; nothing if the text has changed since."""
        return self.observed if self.text == self.ran_text else frozenset()
