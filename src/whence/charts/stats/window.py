"""The stat window: a function of y over neighbours along x, such as a moving mean."""

from __future__ import annotations

from typing import cast

from whence.charts.aggregates import FUNCTIONS, aggregate
from whence.charts.options import Chosen
from whence.charts.relation import Relation
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training
from whence.model.parameter import Parameter

_OVER_WINDOWS = tuple(name for name in FUNCTIONS if name not in ("distinct", "median", "quantile"))
"""The functions that may run over a window."""


class Window(Stat):
    """A function of each y together with those before and after it."""

    name = "window"
    title = "a function of y over neighbours along x, such as a moving mean"
    traits = StatTraits(
        needs=("x", "y"),
        numbers=(),
        geom="line",
        passes_rows_through=False,
        sets_order=False,
        most_marks=None,
    )
    options = (
        Parameter("fun", "choice", "the function", default="mean", choices=_OVER_WINDOWS),
        Parameter("before", "whole", "how many neighbours before", default=2, least=0),
        Parameter("after", "whole", "how many neighbours after", default=2, least=0),
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Compute the function over a window in the order of x."""
        groups, function = given.groups, cast(str, chosen["fun"])
        apart = f"partition by {', '.join(groups)} " if groups else ""
        frame = f"rows between {chosen['before']} preceding and {chosen['after']} following"
        items = {key: key for key in given.kinds}
        # Equal x are told apart by y; where there are none, y must not decide, as doubt about it would be about order.
        order = "x, y" if given.is_raw else "x"
        items["y"] = f"{aggregate(function, 'y')} over ({apart}order by {order} {frame})"
        title = f"moving {function} of {given.titles.get('y', 'y')}"
        return given.derived(items, given.kinds, order=[*groups, "x"], titles={"y": title})
