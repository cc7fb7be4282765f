"""What geoms around a centre share: places as angles and shares of the radius, which need no axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.charts.errors import wrong
from whence.charts.geoms.geom import GAP, STYLE, Drawing, Json, Room, Row, styled
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.options import Chosen
from whence.model.parameter import Parameter

FULL = 2 * math.pi
OUTSIDE = 1.16
"""How far the picture reaches beyond the greatest radius, which leaves room for labels."""
BESIDE = 1.06
"""Where labels stand that are outside of everything, as a share of the radius."""
OUTWARDS: Json = {"align": {"expr": "abs(sin(datum._at)) < 0.05 ? 'center' : sin(datum._at) > 0 ? 'left' : 'right'"}}
"""How such labels are aligned, so that they do not reach back over the marks."""
ROUND_STYLE = tuple(option for option in STYLE if option.name in ("color", "opacity"))


def hole(default: float) -> Parameter:
    """Return the option for the share of the radius that stays empty."""
    return Parameter("inner", "number", "the share of the radius that stays empty", default=default, least=0)


def round_traits(*needs: str) -> GeomTraits:
    """Return the traits of a geom around a centre."""
    return GeomTraits(
        needs=needs,
        needs_columns=(),
        numbers=(),
        stat=None,
        pos="identity",
        stands_beside_at=(),
        from_zero=False,
        measures=(),
        measures_y=True,
        is_hatched=True,
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


def added_up(measure: Kind | None, path: str) -> tuple[Call, ...]:
    """Return the stat of parts of a whole: the sum of the measure, or the number of rows if there is none."""
    return (Call("count", {}, path),) if measure is None else (Call("summary", {"fun": "sum"}, path),)


@dataclass(frozen=True)
class Part:
    """A row with its value, its value over all rows of the chart, and what came before it at the same place."""

    row: Row
    value: float
    original: float
    before: float


def parts(rows: Sequence[Row], room: Room, name: str, key: str | None) -> list[Part]:
    """Return the rows laid on each other by key, in their order. They show lengths, so none is below zero."""
    tops: dict[object, float] = {}
    found = []
    for row in rows:
        value = _number(row.get("y"))
        original = room.originals.get(row.get("_mark"), value)
        if min(value, original) < 0:
            raise wrong("geom", f"a {name} shows parts of a whole, and {value:g} is below zero", "Draw bars instead.")
        place = None if key is None else row.get(key)
        found.append(Part(row, value, original, tops.get(place, 0.0)))
        tops[place] = tops.get(place, 0.0) + original
    return found


def named(places: Mapping[object, int], most: int, *, is_circle: bool) -> set[object]:
    """Return which of the places have a label: all, or every nth if so many labels would lie on each other."""
    step = math.ceil(len(places) / most)
    # The last place around a circle is beside the first.
    end = len(places) - step if is_circle else len(places)
    return {key for key, place in places.items() if place % step == 0 and place <= end}


def share(part: float, whole: float) -> float:
    """Return the share of a whole, 0 if there is none."""
    return part / whole if whole > 0 else 0.0


def radius(reach: float, inner: float) -> float:
    """Return the radius within which a share of the area beyond the hole lies, so that areas can be compared."""
    return math.sqrt(inner**2 + reach * (1 - inner**2))


def inner_share(chosen: Chosen) -> float:
    """Return the share of the radius that stays empty."""
    return min(float(str(chosen.get("inner") or 0.0)), 0.95)


def slices(chosen: Chosen) -> Drawing:
    """Return the drawing between two angles and two radii."""
    mark: Json = {"type": "arc", "style": GAP}
    fixed: Json = {
        "theta": _angle("_from"),
        "theta2": {"field": "_to"},
        "radius": radius_of("_reach"),
        "radius2": {"field": "_hole"},
    }
    return Drawing(styled(mark, chosen), ("color", "opacity"), {}, fixed=fixed)


def labels(kind: Kind, look: Json, *, field: str = "_label", at: str = "_at", radius: str = "_label_radius") -> Drawing:
    """Return the drawing of a label at an angle and a radius, if there is one."""
    shown: Json = {"test": f"isValid(datum.{field})", "field": field, "type": "nominal"}
    if kind != "text":
        form = "%Y-%m-%d" if kind == "time" else ".6~g"
        shown |= {"type": "temporal" if kind == "time" else "quantitative", "format": form}
    text: Json = {"condition": shown, "value": ""}
    fixed: Json = {"theta": _angle(at), "radius": radius_of(radius), "text": text}
    return Drawing({"type": "text", "fontSize": 11, **look}, (), {}, fixed=fixed)


def _angle(field: str) -> Json:
    return {"field": field, "type": "quantitative", "scale": None, "stack": None}


def radius_of(field: str) -> Json:
    """Return the channel of a radius, as a share of the greatest."""
    scale: Json = {"type": "linear", "domain": [0, OUTSIDE], "nice": False, "zero": True}
    return {"field": field, "type": "quantitative", "scale": scale, "stack": None}


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
