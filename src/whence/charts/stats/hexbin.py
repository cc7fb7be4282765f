"""The stat hexbin: rows grouped by hexagons of x and y, whose centres lie in rows that are shifted by half a step."""

from __future__ import annotations

from typing import cast

from whence.charts.aggregates import FUNCTIONS, aggregate, words
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.relation import Relation, Value
from whence.charts.sql import inner, select
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training, as_number, from_number
from whence.model.parameter import Parameter

_DEFAULT_BINS = 20
_ROWS = 0.72
"""Rows of hexagons for each hexagon of a row, so that they are about regular in a panel of the usual size."""
_ODD = "u - floor(u) - 0.5D", "v - 2 * floor(v / 2) - 1"
"""How far a row lies from the nearest centre in the odd rows, along x and y. Steps are the unit."""
_EVEN = "u - round(u)", "v - 2 * round(v / 2)"
"""The same for the even rows, which are not shifted."""


class Hexbin(Stat):
    """Counts by hexagon, or a function of color. A hexagon reaches from x to x2 and from y to y2."""

    name = "hexbin"
    title = "rows by hexagons of x and y"
    traits = StatTraits(
        needs=("x", "y"),
        numbers=("x", "y"),
        geom="hexagon",
        passes_rows_through=False,
        sets_order=False,
        most_marks=_DEFAULT_BINS * _DEFAULT_BINS,
    )
    options = (
        Parameter("bins", "whole", "how many hexagons side by side", default=_DEFAULT_BINS, least=1),
        Parameter("rows", "whole", "how many rows of hexagons; about regular ones if left open", least=1),
        Parameter("fun", "choice", "the function of color", default="mean", choices=tuple(FUNCTIONS)),
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Group by the nearest centre. Centres of even rows lie at whole steps, those of odd rows between them."""
        # Colour shows the value of a hexagon, so it cannot distinguish series.
        groups = tuple(key for key in given.groups if key != "color")
        of = "color" if given.kinds.get("color") == "number" else None
        function = "count" if of is None else cast(str, chosen["fun"])
        bins = cast(int, chosen["bins"])
        up = cast("int | None", chosen["rows"]) or max(1, round(_ROWS * bins))
        across, along = _steps(given, "x", bins, training), _steps(given, "y", up, training)
        kept = [*groups, *(() if of is None else (of,))]
        centres = _centres(given, kept, across, along)
        # A row of hexagons overlaps the next: a hexagon is four thirds of the distance of rows high.
        edges = {
            "x": across.place("i - 0.5D"),
            "x2": across.place("i + 0.5D"),
            "y": along.place(f"j - {2 / 3!r}D"),
            "y2": along.place(f"j + {2 / 3!r}D"),
        }
        kinds: dict[str, Kind] = {key: given.kinds[key] for key in groups}
        kinds |= {**{name: given.kinds[name[0]] for name in edges}, "color": "number"}
        items = {**{key: key for key in groups}, **edges, "color": aggregate(function, of)}
        placed = Relation(centres, given.kinds, titles=given.titles, is_raw=given.is_raw, notes=given.notes)
        return placed.derived(
            items,
            kinds,
            group_by=[*groups, *edges.values()],
            order=[*groups, "x", "y"],
            titles={"color": words(function, given.titles.get("color") if of else None)},
            value=Value("color", function, of),
        )


class _Steps:
    """The places of centres along one axis, in steps from the smallest value."""

    def __init__(self, column: str, kind: Kind, low: float, step: float) -> None:
        self._column, self._kind, self._low, self._step = column, kind, low, step

    @property
    def number(self) -> str:
        """SQL for how many steps a row lies above the smallest value."""
        return f"(({as_number(self._column, self._kind)} - {self._low!r}D) / {self._step!r}D)"

    def place(self, steps: str) -> str:
        """Return SQL for the value so many steps above the smallest."""
        return from_number(f"({self._low!r}D + ({steps}) * {self._step!r}D)", self._kind)


def _steps(given: Relation, column: str, count: int, training: Training) -> _Steps:
    low, high = training.extent(given, column) or (0.0, 1.0)
    return _Steps(column, given.kinds[column], float(low), (high - low) / count or 1.0)


def _centres(given: Relation, kept: list[str], across: _Steps, along: _Steps) -> str:
    """Return a query with the nearest centre of each row: i steps along x, and j along y."""
    where = ["x is not null", "y is not null"]
    named = {name: name for name in kept}
    steps = select({**named, "u": across.number, "v": along.number}, inner(given.sql), where)
    # In steps, a regular hexagon is 3 du² + 9/4 dv² around its centre: three quarters for each v.
    even, odd = (f"power({du}, 2) + 0.75D * power({dv}, 2)" for du, dv in (_EVEN, _ODD))
    nearest = select({**named, "u": "u", "v": "v", "is_odd": f"{odd} < {even}"}, inner(steps))
    i = "if(is_odd, floor(u) + 0.5D, round(u))"
    j = "if(is_odd, 2 * floor(v / 2) + 1, 2 * round(v / 2))"
    return select({**named, "i": i, "j": j}, inner(nearest))
