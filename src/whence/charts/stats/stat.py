"""What a stat is: from the rows of a layer to rows that marks can show, as a query."""

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
    """A table that takes the place of a dataset, and what a reader of the chart should know about it."""

    name: str
    note: str


class Stat(Operator, ABC):
    """One statistic. It sees the key of a layer as x and its measure as y, whichever way the chart lies."""

    traits: ClassVar[StatTraits]

    def default_geom(self, call: Call, kinds: Mapping[str, Kind], path: str) -> Call:
        """Return the geom that shows it where the chart names none, for columns of these kinds."""
        return Call(self.traits.geom or _geom_of_columns(kinds), {}, path)

    def replace_source(self, call: Call, training: Training) -> SourceTable | None:
        """Return the table that the layer reads instead of its dataset if this is its first stat; None for the same."""
        return None

    def run(self, given: Relation, call: Call, training: Training) -> Relation:
        """Check what is given, then apply."""
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
        """The query over the rows given."""


def _geom_of_columns(kinds: Mapping[str, Kind]) -> str:
    """The geom of values at each x: a line along numbers and times, else bars, or squares between two texts."""
    if kinds.get("x") in ("number", "time"):
        return "line"
    return "cell" if kinds.get("x") == kinds.get("y") == "text" else "bar"
