"""A step of a pipeline inside whence: the call, what it does, and the columns before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from whence.model.schema import Schema
from whence.pipeline.operation import Operation
from whence.transformations.plan import TransformationPlan


@dataclass(frozen=True)
class PipelineStep:
    """One operation in its place."""

    operation: Operation
    plan: TransformationPlan
    before: Schema
    after: Schema
    parameters: Mapping[str, object] = field(default_factory=dict)
    """What the transformation was called with."""

    @property
    def index(self) -> int:
        """Its place, from 0."""
        return self.operation.index

    @property
    def makes_new_rows(self) -> bool:
        """Its rows are not those before it, so what it gave is kept as a version."""
        return self.plan.new_rows is not None

    @property
    def gone(self) -> tuple[str, ...]:
        """The columns that were there before and are not after it."""
        if self.plan.new_rows is not None and not self.plan.new_rows.continues:
            return self.before.names
        kept = set(self.after.names) - set(self.created)
        renamed = self.plan.renamed
        return tuple(name for name in self.before.names if renamed.get(name, name) not in kept)

    @property
    def created(self) -> tuple[str, ...]:
        """The columns that are new after it."""
        if self.plan.new_rows is not None and not self.plan.new_rows.continues:
            return self.after.names
        known = {self.plan.renamed.get(name, name) for name in self.before.names}
        again = set(self.plan.replaced)
        return tuple(name for name in self.after.names if name not in known or name in again)

    @property
    def overwritten(self) -> tuple[str, ...]:
        """The columns that are written and were there before."""
        created = set(self.created)
        return tuple(name for name in self.plan.written if name not in created)

    def old_name(self, name: str) -> str:
        """What a column that went through was called before."""
        backwards: Mapping[str, str] = {new: old for old, new in self.plan.renamed.items()}
        return backwards.get(name, name)
