"""What a stat is: from the rows of a layer to rows that marks can show, as a query."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from whence.charts.errors import wrong
from whence.charts.operator import Call, Operator
from whence.charts.option import Chosen
from whence.charts.relation import Relation
from whence.charts.training import Training


class Stat(Operator, ABC):
    """One statistic. It sees the key of a layer as x and its measure as y, whichever way the chart lies."""

    needs: ClassVar[tuple[str, ...]] = ()
    """Aesthetics without which it means nothing."""
    numbers: ClassVar[tuple[str, ...]] = ()
    """Aesthetics that must be numbers or times."""

    def run(self, given: Relation, call: Call, training: Training) -> Relation:
        """Check what is given, then apply."""
        chosen = self.choose(call)
        for name in self.needs:
            if name not in given.kinds:
                raise wrong(call.path, f"{self.name} needs {name}", f"Map a column to aes.{name}.")
        for name in self.numbers:
            if given.kinds.get(name) == "text":
                raise wrong(call.path, f"{self.name} needs numbers as {name}, not text")
        return self.apply(given, chosen, training, call.path)

    @abstractmethod
    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """The query over the rows given."""
