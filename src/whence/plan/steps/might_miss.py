"""The same rows, with the doubt that some are missing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.expr import ref
from whence.plan.fresh import Fresh
from whence.plan.step import Marked, Step
from whence.plan.steps.project import Project


@dataclass(frozen=True)
class MightMiss(Project):
    """Somebody said that rows which are absent might belong here."""

    @classmethod
    def over(cls, child: Step) -> Step:
        """The rows of a step, in doubt as a set."""
        return cls(child, tuple(map(ref, child.columns)))

    def with_marks(self, inputs: tuple[Marked, ...], fresh: Fresh) -> Marked:
        return replace(super().with_marks(inputs, fresh), is_loose=True)
