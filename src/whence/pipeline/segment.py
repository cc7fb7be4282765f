"""A stretch of a pipeline in which every row is a row of one stored version."""

from __future__ import annotations

from dataclasses import dataclass, field

from whence.model.dataset import DatasetRecord
from whence.pipeline.step import Step


@dataclass
class Segment:
    """Steps between two stored versions; all rows in it are rows of `base`, known by their rid there."""

    base: DatasetRecord
    steps: list[Step] = field(default_factory=list)
    closing: Step | None = None
    """The step that makes other rows."""
    out: DatasetRecord | None = None
    """The version that stores what comes out, once it was made."""

    @property
    def every_step(self) -> list[Step]:
        """All its steps, in order."""
        return [*self.steps, *([self.closing] if self.closing is not None else [])]
