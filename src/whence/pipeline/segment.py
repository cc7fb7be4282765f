"""A stretch of a pipeline in which every row is a row of one stored version."""

from __future__ import annotations

from dataclasses import dataclass, field

from whence.model.dataset import DatasetRecord
from whence.pipeline.step import PipelineStep


@dataclass
class Segment:
    """Steps between two stored versions; all rows in it are rows of `base`, known by their rid there."""

    base: DatasetRecord
    steps: list[PipelineStep] = field(default_factory=list)
    closing: PipelineStep | None = None
    """The step that makes other rows and so ends the segment."""
    out: DatasetRecord | None = None
    """The version that stores the result; None until it has run."""

    @property
    def every_step(self) -> list[PipelineStep]:
        """All its steps, in order."""
        return [*self.steps, *([self.closing] if self.closing is not None else [])]
