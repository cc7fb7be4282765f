"""Some rows stand for all."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from whence.charts.errors import wrong
from whence.charts.option import Chosen, Option
from whence.charts.relation import Relation
from whence.charts.stats.stat import Stat
from whence.charts.training import Training


class Sample(Stat):
    """A random sample; the same seed gives the same rows."""

    name = "sample"
    title = "a random sample of the rows; the same seed gives the same rows"
    options = (
        Option("n", "whole", "how many rows", 1_000, least=1),
        Option("seed", "whole", "which sample", 0, least=0),
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """The compiler puts a sample under the layer; here it can only come too late."""
        raise wrong(path, "sample must be the first stat", "What comes before it has made other rows already.")

    def note(self, rows: int, chosen: Chosen) -> str:
        """What a reader should know."""
        return f"A random sample of {min(cast(int, chosen['n']), rows):,} of {rows:,} rows."


def sampled(given: Relation, note: str) -> Relation:
    """The rows of a layer whose table is a sample."""
    return replace(given, notes=(*given.notes, note))
