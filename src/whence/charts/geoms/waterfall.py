"""The geom waterfall: what raises and what lowers a sum, each bar from where the one before it ended."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import STYLE, Drawing, Geom, Room, Row, styled, thin_bar
from whence.charts.geoms.traits import Companion, GeomTraits
from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.options import Chosen
from whence.charts.theme import BLUE, FALL
from whence.model.parameter import Parameter


class Waterfall(Geom):
    """Bars that float. Each comes from its own rows only; the last one is the total."""

    name = "waterfall"
    title = "a bar for each step of a sum, from where the one before it ended, and a bar for the total"
    traits = GeomTraits(
        needs=("x", "y"),
        needs_columns=(),
        numbers=(),
        stat=None,
        pos="waterfall",
        stands_beside_at=(),
        from_zero=True,
        measures=(),
        measures_y=False,
        is_hatched=True,
        connects=False,
        follows_rows=False,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        fits_pixels=False,
        when_many="sample",
        companion=Companion(stat="total", geom="bar", option="total", style=("opacity",), keys=("text",)),
        totals=None,
    )
    options = (
        *(option for option in STYLE if option.name == "opacity"),
        Parameter("total", "flag", "whether a last bar shows the sum of all, if x is text", default=True),
    )

    def default_stats(self, kinds: Mapping[str, Kind], path: str, *, is_open: bool) -> tuple[Call, ...]:
        """Add up what stands at the same place."""
        return (Call("summary", {"fun": "sum"}, path),)

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Add whether a bar falls, which its colour shows."""
        return [{**row, "_falls": _is_below(row.get("y"))} for row in rows]

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the bars, falling ones in a colour of their own."""
        mark = styled(thin_bar({"type": "bar"}, kinds), chosen)
        colour = {"condition": {"test": "datum._falls", "value": FALL}, "value": BLUE}
        return [Drawing(mark, ("x", "x2", "y", "y2", "opacity"), {}, fixed={"color": colour})]


def _is_below(value: object) -> bool:
    return isinstance(value, int | float) and value < 0
