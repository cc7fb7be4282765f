"""Turn trained scales into what Vega-Lite needs for each channel: type, scale, axis, legend."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import cast

from whence.charts.domains import Domain
from whence.charts.errors import wrong
from whence.charts.labels import label_axis, time_format, value_labels
from whence.charts.operator import Call
from whence.charts.picture import plain
from whence.charts.scales.registry import SCALES
from whence.charts.scales.scale import Scale
from whence.charts.theme import PALETTE

Json = dict[str, object]
_VEGA_TYPES = {"number": "quantitative", "time": "temporal", "text": "nominal"}
_GROUPED = 10_000
"""From this number on, axes write digits in groups of three."""


class Scales:
    """The scales of a chart, chosen by the user or by the kinds of the columns."""

    def __init__(self, calls: Mapping[str, Call], titles: Mapping[str, str]) -> None:
        self._calls = calls
        self._titles = titles

    def title(self, channel: str) -> str | None:
        """Return the title of the channel's axis or legend."""
        said = self._options(channel)[1].get("title")
        return cast("str | None", said) or self._titles.get(channel) or None

    def stated_title(self, channel: str) -> str | None:
        """Return the title that the user gave to the channel's axis."""
        return cast("str | None", self._options(channel)[1].get("title"))

    def percent(self, channel: str) -> Json:
        """Return the look of an axis of shares, unless the user chose how its values are written."""
        return {} if self._options(channel)[1].get("format") is not None else {"format": ".0%"}

    def type(self, channel: str, domain: Domain) -> str:
        """Return the Vega-Lite type of the values."""
        scale = self._options(channel)[0]
        if scale.traits.lists_values and domain.kind != "text":
            return "ordinal"
        return _VEGA_TYPES[domain.kind]

    def is_even(self, channel: str) -> bool:
        """Return whether equal differences of the channel's values take equal lengths."""
        return self._options(channel)[0].traits.is_even

    def scale(self, channel: str, domain: Domain) -> Json:
        """Return the Vega-Lite scale with its trained domain."""
        scale, chosen = self._options(channel)
        if channel in self._calls:
            scale.check(domain.kind, self._calls[channel])
        is_axis = channel in ("x", "y")
        if is_axis:
            scale = scale.for_axis(domain.kind)
        made: Json = {} if scale.traits.vega is None else {"type": scale.traits.vega}
        made |= scale.parameters(chosen)
        self._check(scale, channel, domain)
        span = self._span(scale, chosen, domain)
        made["domain"] = _moments(span, self._path(channel)) if _is_temporal(scale, domain) else span
        if domain.kind != "text" and is_axis and scale.traits.has_ends:
            is_nice = bool(chosen.get("nice", True)) and chosen.get("domain") is None
            made |= {"nice": is_nice and not domain.ends_with_marks}
            made["zero"] = bool(chosen["zero"]) if chosen.get("zero") is not None else domain.has_zero
            # Vega-Lite warns about `zero` on such a scale.
            if not scale.traits.can_show_zero:
                del made["zero"]
        if chosen.get("clamp"):
            made["clamp"] = True
        if chosen.get("reverse"):
            made["reverse"] = True
        if chosen.get("padding") is not None:
            made["padding"] = chosen["padding"]
        self._add_range(channel, scale, chosen, domain, made)
        return made

    def axis(self, channel: str, domain: Domain, pixels: float, *, is_vertical: bool) -> Json:
        """Return the Vega-Lite axis, with labels that fit into so many pixels."""
        scale, chosen = self._options(channel)
        look: Json = {} if chosen.get("format") is None else {"format": chosen["format"]}
        if domain.kind == "text" or scale.traits.lists_values:
            if domain.kind == "time":
                look = {"labelExpr": f"utcFormat(datum.value, '{chosen.get('format') or time_format(domain.values)}')"}
            elif domain.kind == "number" and not look:
                look = {"format": ".6~g", "formatType": "number"}
            return {**look, **label_axis(value_labels(domain.kind, domain.values), pixels, is_vertical=is_vertical)}
        if (
            not look
            and domain.kind == "number"
            and all(abs(float(cast(float, each))) < _GROUPED for each in domain.values)
        ):
            look["format"] = "~f"  # no comma in a year
        count = max(3, int(pixels / (45 if is_vertical else 80)))
        if domain.is_whole and chosen.get("domain") is None:
            # Half a row is no place on an axis. Vega's `tickMinStep` of 1 does not prevent it from 0 to 2.
            low, high = (int(cast(float, each)) for each in domain.values)
            count = min(count, max(1, high - low))
        return {**look, "tickCount": count}

    def _options(self, channel: str) -> tuple[Scale, Mapping[str, object]]:
        call = self._calls.get(channel, Call("auto", {}, f"scale.{channel}"))
        scale = SCALES[call.name]
        return scale, scale.choose(call)

    def _path(self, channel: str) -> str:
        return self._calls[channel].path if channel in self._calls else f"scale.{channel}"

    def _span(self, scale: Scale, chosen: Mapping[str, object], domain: Domain) -> list[object]:
        given = cast("list[object] | None", chosen.get("domain"))
        values = list(domain.values) if given is None else list(given)
        if given is None:
            values = scale.span(values, chosen)
        if scale.traits.lists_values:
            return values
        if given is None and len(values) == 2 and values[0] == values[1] and domain.kind != "text":
            return _around(cast(float, values[0]), domain.kind)
        if chosen.get("zero") and given is None and domain.kind == "number" and values:
            return [min(0.0, cast(float, values[0])), max(0.0, cast(float, values[1]))]
        return values

    def _check(self, scale: Scale, channel: str, domain: Domain) -> None:
        if channel in self._calls and domain.kind == "number" and domain.values:
            low = float(cast(float, domain.values[0]))
            scale.check_lowest(low, self._calls[channel], has_lengths=domain.has_zero)

    def _add_range(self, channel: str, scale: Scale, chosen: Mapping[str, object], domain: Domain, made: Json) -> None:
        if chosen.get("range") is not None:
            made["range"] = chosen["range"]
        elif chosen.get("scheme") is not None:
            made["scheme"] = chosen["scheme"]
        elif channel == "color":
            if domain.kind == "text" or scale.traits.colours_each:
                made["range"] = [PALETTE[place % len(PALETTE)] for place in range(max(1, len(domain.values)))]
            else:
                made["scheme"] = scale.colours(chosen)
        elif channel == "size" and domain.kind == "number":
            made["range"] = [16, 400]


def _is_temporal(scale: Scale, domain: Domain) -> bool:
    return domain.kind == "time" and not scale.traits.lists_values


def _moments(span: list[object], path: str) -> object:
    """Return the ends of a time scale as one expression of milliseconds.

    Vega-Lite writes a list of ends as calls of `datetime`, which Vega's interpreter takes for years. It also compares
    them with the plain numbers it has for x2, so that bins in time and lines over them would have no place.
    """
    return {"expr": str([_milliseconds(each, path) for each in span])} if span else span


def _milliseconds(value: object, path: str) -> float:
    if isinstance(value, int | float):
        return value
    try:
        moment = value if isinstance(value, date) else datetime.fromisoformat(str(value))
    except ValueError:
        raise wrong(f"{path}.domain", f"{value} is no date or time", "Write 2024-05-31 or 2024-05-31T12:00.") from None
    return float(cast(float, plain(moment)))


def _around(value: float, kind: str) -> list[object]:
    """Return a domain around a single value: half a day or 10 % to each side."""
    wide = 43_200_000.0 if kind == "time" else abs(value) * 0.1 or 1.0
    return [value - wide, value + wide]
