"""The geom text: a word or number for each mark."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import Drawing, Geom, styled
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.options import Chosen


class Text(Geom):
    """A label for each mark."""

    name = "text"
    title = "a label for each mark"
    traits = GeomTraits(
        needs=("x|y",),
        needs_columns=(),
        numbers=(),
        stat=None,
        pos="identity",
        stands_beside_at=(),
        from_zero=False,
        measures=(),
        measures_y=False,
        is_hatched=False,
        connects=False,
        follows_rows=False,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        fits_pixels=False,
        when_many="sample",
        companion=None,
        totals=None,
    )

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the text of the mark, or its y if no text is mapped."""
        mark = styled({"type": "text", "fontSize": 11}, {**chosen, "size": None})
        fields = {} if "text" in kinds else {"text": "y"}
        size = {"fontSize": chosen["size"]} if chosen.get("size") else {}
        return [Drawing({**mark, **size}, ("x", "y", "text", "color", "opacity"), fields)]
