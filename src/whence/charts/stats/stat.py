"""The base class of stats: queries that turn the rows of a layer into rows that marks can show."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from whence.charts.errors import wrong
from whence.charts.kinds import Kind
from whence.charts.operator import Call, Operator
from whence.charts.options import Chosen
from whence.charts.relation import Relation
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training


@dataclass(frozen=True)
class SourceTable:
    """A table that replaces a layer's dataset, and a note about it for readers of the chart."""

    name: str
    note: str


class Stat(Operator, ABC):
    """One statistic. It sees the key of a layer as x and its measure as y, also in a horizontal chart."""

    traits: ClassVar[StatTraits]

    def default_geom(self, call: Call, kinds: Mapping[str, Kind], path: str) -> Call:
        """Return the geom if the chart names none, for columns of these kinds."""
        return Call(self.traits.geom or _geom_of_columns(kinds), {}, path)

    def replace_source(self, call: Call, training: Training) -> SourceTable | None:
        """Return the table that the layer reads instead of its dataset if this is the first stat, or None."""
        return None

    def is_about_marks(self, call: Call) -> bool:
        """Return whether it is computed from the marks of the chart's own stats, not from the rows."""
        return False

    def run(self, given: Relation, call: Call, training: Training) -> Relation:
        """Check that the aesthetics it needs are mapped, then apply it."""
        chosen = self.choose(call)
        for name in self.traits.needs:
            if name not in given.kinds:
                raise wrong(call.path, f"{self.name} needs {name}", f"Map a column to aes.{name}.")
        for name in self.traits.numbers:
            if given.kinds.get(name) == "text":
                raise wrong(call.path, f"{self.name} needs numbers as {name}, not text")
        return self.apply(given, chosen, training, call.path)

    @abstractmethod
    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Return the query over the given rows."""


def _geom_of_columns(kinds: Mapping[str, Kind]) -> str:
    """Return the geom of values at each x: a line over numbers and times, cells between two texts, else bars."""
    if kinds.get("x") in ("number", "time"):
        return "line"
    return "cell" if kinds.get("x") == kinds.get("y") == "text" else "bar"
