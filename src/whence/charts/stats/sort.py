"""The stat sort: the order in which marks are drawn and lines connect them."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from whence.charts.errors import near, wrong
from whence.charts.options import Chosen
from whence.charts.relation import Relation
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training
from whence.model.parameter import Parameter


class Sort(Stat):
    """The order of one aesthetic."""

    name = "sort"
    title = "the order in which marks are drawn"
    traits = StatTraits(
        needs=(),
        numbers=(),
        geom="line",
        passes_rows_through=True,
        sets_order=True,
        most_marks=None,
    )
    options = (
        Parameter("on", "text", "the aesthetic to sort by", default="x"),
        Parameter("reverse", "flag", "whether the largest comes first", default=False),
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Change only the order."""
        on = cast(str, chosen["on"])
        if on not in given.kinds:
            raise wrong(f"{path}.on", f"there is no {on} to sort by", near(on, given.kinds, "There are"))
        return replace(given, order=(*given.groups, f"{on} desc" if chosen["reverse"] else on))
