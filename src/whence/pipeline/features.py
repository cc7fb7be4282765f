"""Follows columns through a pipeline: a feature stays the same through renames, and a dropped name may come again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from whence.model.errors import UnknownColumn
from whence.model.schema import Schema
from whence.pipeline.step import PipelineStep


@dataclass
class Feature:
    """A column over time: its name in each state that has it."""

    born: int
    """The index of the step that made it; -1 for columns of the input."""
    names: dict[int, str] = field(default_factory=dict)
    died: int | None = None
    """The index of the step that dropped it."""

    def is_called(self, name: str) -> bool:
        """Whether it ever had this name."""
        return name in self.names.values()

    @property
    def last_name(self) -> str:
        """Its name in the last state that has it."""
        return self.names[max(self.names)]


class Features:
    """All columns that a pipeline ever had."""

    def __init__(self, schema: Schema, steps: Sequence[PipelineStep]) -> None:
        self.all: list[Feature] = []
        current: dict[str, Feature] = {}
        for name in schema.names:
            current[name] = self._new(-1, 0, name)
        for step in steps:
            current = self._after(step, current)

    def find(self, name: str) -> list[Feature]:
        """Return the features that ever had this name, oldest first; raise UnknownColumn if none had."""
        found = [feature for feature in self.all if feature.is_called(name)]
        if not found:
            known = list(dict.fromkeys(each for feature in self.all for each in feature.names.values()))
            near = get_close_matches(name, known, 1, 0.7)
            hint = f"Did you mean {near[0]}?" if near else f"There were {', '.join(known[:20])}."
            raise UnknownColumn(f"No column of this pipeline was ever called {name}.", hint)
        return found

    def _after(self, step: PipelineStep, before: dict[str, Feature]) -> dict[str, Feature]:
        gone, created = set(step.gone), set(step.created)
        for name in gone:
            before[name].died = step.index
        after: dict[str, Feature] = {}
        for name in step.after.names:
            if name in created:
                after[name] = self._new(step.index, step.index + 1, name)
            else:
                after[name] = before[step.old_name(name)]
                after[name].names[step.index + 1] = name
        return after

    def _new(self, born: int, state: int, name: str) -> Feature:
        feature = Feature(born, {state: name})
        self.all.append(feature)
        return feature
