"""Profiles columns before and after each operation: distributions of their values, not only counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa

from whence.model.schema import Field
from whence.pipeline.features import Features
from whence.pipeline.operation import Operation
from whence.pipeline.step import PipelineStep
from whence.pipeline.trail import Trail
from whence.store.measure import measure
from whence.store.profile import Profile


@dataclass(frozen=True)
class FeatureSpread:
    """The profile of a column before and after one operation; None where the column does not exist."""

    operation: Operation
    before: Profile | None
    after: Profile | None


class TableSpread:
    """A whole table in one state; the profile of a column is computed on demand."""

    def __init__(self, spreads: Spreads, state: int) -> None:
        self._spreads = spreads
        self._state = state

    @property
    def rows(self) -> int:
        """How many rows."""
        return self._spreads.rows(self._state)

    @property
    def columns(self) -> int:
        """How many columns."""
        return len(self.features)

    @property
    def features(self) -> Mapping[str, Profile]:
        """The profile of each column."""
        return _Features(self._spreads, self._state)


class _Features(Mapping[str, Profile]):
    def __init__(self, spreads: Spreads, state: int) -> None:
        self._spreads = spreads
        self._state = state

    def __getitem__(self, name: str) -> Profile:
        return self._spreads.profile(self._state, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._spreads.names(self._state))

    def __len__(self) -> int:
        return len(self._spreads.names(self._state))


@dataclass(frozen=True)
class DatasetSpread:
    """A table before and after one operation."""

    operation: Operation
    before: TableSpread
    after: TableSpread


class Spreads:
    """The profiles of every state, each computed once."""

    def __init__(self, trail: Trail, features: Features) -> None:
        self._trail = trail
        self._features = features
        self._profiles: dict[object, Profile] = {}

    def of_feature(self, name: str) -> list[FeatureSpread]:
        """Return the column around each operation that wrote, made or dropped it, or changed which rows exist."""
        found = []
        for step in self._trail.steps:
            names = [(each.names.get(step.index), each.names.get(step.index + 1)) for each in self._features.find(name)]
            there = [(old, new) for old, new in names if old is not None or new is not None]
            if there and _matters(step, there):
                old = next((each for each, _ in there if each is not None), None)
                new = next((each for _, each in there if each is not None), None)
                found.append(
                    FeatureSpread(
                        step.operation,
                        None if old is None else self.profile(step.index, old),
                        None if new is None else self.profile(step.index + 1, new),
                    )
                )
        return found

    def of_dataset(self) -> list[DatasetSpread]:
        """Return the table before and after every operation."""
        return [
            DatasetSpread(step.operation, TableSpread(self, step.index), TableSpread(self, step.index + 1))
            for step in self._trail.steps
        ]

    def profile(self, state: int, name: str) -> Profile:
        """Return the profile of a column in a state."""
        # States between which neither the column nor the rows changed share one profile.
        key = self._trail.version(state, name)
        if key not in self._profiles:
            kind = next(field.type for field in self._trail.schema(state) if field.name == name)
            values = self.values(state, name)
            self._profiles[key] = measure(Field(name, kind), values.type, lambda: iter(values.chunks))
        return self._profiles[key]

    def values(self, state: int, name: str) -> pa.ChunkedArray:
        """Return the values of a column in the rows that exist in a state."""
        alive, values = self._trail.alive(state), self._trail.column(state, name)
        return values if alive.all() else values.filter(pa.array(alive))

    def rows(self, state: int) -> int:
        """Return the number of rows in a state."""
        return int(self._trail.alive(state).sum())

    def names(self, state: int) -> tuple[str, ...]:
        """Return the columns of a state."""
        return self._trail.schema(state).names


def _matters(step: PipelineStep, names: list[tuple[str | None, str | None]]) -> bool:
    is_written = any(new in step.plan.written for _, new in names)
    came_or_went = any(old is None or new is None for old, new in names)
    rows_move = step.plan.row_filter is not None or (step.makes_new_rows and bool(step.plan.new_rows))
    return is_written or came_or_went or rows_move
