"""The stat summary: one value, such as a sum or a mean, for all rows at the same place."""

from __future__ import annotations

from typing import cast

from whence.charts.aggregates import FUNCTIONS, aggregate, check_kind, words
from whence.charts.errors import wrong
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.relation import Relation, Value
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training
from whence.model.parameter import Parameter

_MEASURES = ("y", "color", "size", "opacity", "text")
"""The aesthetics that can show the value."""


class Summary(Stat):
    """A function of one aesthetic, grouped by all others that distinguish rows."""

    name = "summary"
    title = "one value for all rows at the same x: sum, mean, min, max, median, quantile, distinct, stddev, variance"
    traits = StatTraits(
        needs=(),
        numbers=(),
        geom=None,
        passes_rows_through=False,
        sets_order=False,
        most_marks=None,
    )
    options = (
        Parameter("fun", "choice", "the function", default="mean", choices=tuple(FUNCTIONS)),
        Parameter("of", "choice", "the aesthetic it is computed of", choices=_MEASURES),
        Parameter("q", "number", "which quantile, between 0 and 1", default=0.5, least=0),
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Group by the series and the other positions."""
        function, share = cast(str, chosen["fun"]), float(cast(float, chosen["q"]))
        if share > 1:
            raise wrong(f"{path}.q", f"a quantile lies between 0 and 1, not at {share!r}")
        out = cast("str | None", chosen["of"]) or _measure(given)
        if out not in given.kinds:
            raise wrong(path, f"{function} needs {out}", f"Map a column to aes.{out}.")
        check_kind(function, given.kinds[out], path, given.titles.get(out, out))
        places = [name for name in ("x", "x2", "y", "y2") if name in given.kinds and name != out]
        keys = [*(key for key in given.groups if key != out), *places]
        # The least date is a date, while every other function gives a number.
        kind: Kind = "number" if function not in ("min", "max") else given.kinds[out]
        kinds: dict[str, Kind] = {**{key: given.kinds[key] for key in keys}, out: kind}
        items = {**{key: key for key in keys}, out: aggregate(function, out, share)}
        if "order" in given.kinds and out != "order":
            # What orders categories is measured as the values are, or, if that cannot be, by its smallest one.
            fits = given.kinds["order"] == "number" and function not in ("count", "distinct")
            items["order"] = aggregate(function if fits else "min", "order", share)
            kinds["order"] = given.kinds["order"]
        return given.derived(
            items,
            kinds,
            group_by=keys,
            order=keys,
            titles={out: words(function, given.titles.get(out))},
            value=Value(out, function, out, share),
        )


def _measure(given: Relation) -> str:
    """Return the aesthetic to measure: y, unless y is text and another one is a number."""
    if given.kinds.get("y") == "text":
        return next((name for name in _MEASURES if given.kinds.get(name) == "number"), "y")
    return "y"
