"""A step of a pipeline inside whence: the call, what it does, and the columns before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from whence.model.schema import Schema
from whence.pipeline.operation import Operation
from whence.transformations.plan import TransformationPlan


@dataclass(frozen=True)
class PipelineStep:
    """One operation at its place in a pipeline, with its plan and the columns before and after it."""

    operation: Operation
    plan: TransformationPlan
    before: Schema
    after: Schema
    parameters: Mapping[str, object] = field(default_factory=dict)
    """The arguments of the call."""

    @property
    def index(self) -> int:
        """Its place, from 0."""
        return self.operation.index

    @property
    def makes_new_rows(self) -> bool:
        """Whether its rows are not rows of the step before, so that its result is stored as a version."""
        return self.plan.new_rows is not None

    @property
    def gone(self) -> tuple[str, ...]:
        """The columns that exist before the step and not after it."""
        if self.plan.new_rows is not None and not self.plan.new_rows.continues:
            # A group is no row of the table before, so no column continues.
            return self.before.names
        kept = set(self.after.names) - set(self.created)
        renamed = self.plan.renamed
        return tuple(name for name in self.before.names if renamed.get(name, name) not in kept)

    @property
    def created(self) -> tuple[str, ...]:
        """The columns that the step adds; one that it drops and makes again is among them."""
        if self.plan.new_rows is not None and not self.plan.new_rows.continues:
            return self.after.names
        known = {self.plan.renamed.get(name, name) for name in self.before.names}
        again = set(self.plan.replaced)
        return tuple(name for name in self.after.names if name not in known or name in again)

    @property
    def overwritten(self) -> tuple[str, ...]:
        """The written columns that exist before the step, too."""
        created = set(self.created)
        return tuple(name for name in self.plan.written if name not in created)

    def old_name(self, name: str) -> str:
        """Return the name that a column had before the step."""
        backwards: Mapping[str, str] = {new: old for old, new in self.plan.renamed.items()}
        return backwards.get(name, name)
