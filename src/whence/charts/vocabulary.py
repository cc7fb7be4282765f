"""Describe the grammar for forms: every channel, geom, stat, position and scale with its options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from whence.charts.aggregates import words
from whence.charts.geoms.registry import ALIASES as GEOM_ALIASES
from whence.charts.geoms.registry import GEOMS
from whence.charts.operator import Call, Operator
from whence.charts.positions.registry import ALIASES as POSITION_ALIASES
from whence.charts.positions.registry import POSITIONS
from whence.charts.scales.registry import SCALES
from whence.charts.spec import CHANNELS, SCALED
from whence.charts.stats.registry import ALIASES as STAT_ALIASES
from whence.charts.stats.registry import SHORT_NAMES, STATS, full
from whence.charts.theme import INK, PALETTE
from whence.model.parameter import Parameter

_BASIC = ("x", "y", "color", "size")
"""The channels that a form offers before it knows which geom draws the chart."""
_LABELS = {"x2": "X to", "y2": "Y to", "color": "Colour", "detail": "Series"}


@dataclass(frozen=True, kw_only=True)
class ChannelDescription:
    """An aesthetic as a form shows it."""

    name: str
    label: str
    is_basic: bool
    """Whether forms offer it before they know the geom."""
    is_scaled: bool
    """Whether it has a scale."""


@dataclass(frozen=True, kw_only=True)
class OperatorDescription:
    """One operator as a form shows it."""

    name: str
    title: str
    aliases: tuple[str, ...]
    options: tuple[Parameter, ...]
    needs: tuple[tuple[str, ...], ...] = ()
    """Lists of channels. One channel of each list must be mapped."""
    channels: tuple[str, ...] = ()
    """The channels that a geom shows."""
    kinds: tuple[str, ...] = ()
    """The kinds of columns that a scale shows."""


@dataclass(frozen=True, kw_only=True)
class ToggleDescription:
    """A part of a specification that one click adds or takes away."""

    label: str
    path: tuple[str, ...]
    value: object


@dataclass(frozen=True, kw_only=True)
class ReferenceDescription:
    """What a reference line consists of: the geom, and the stat whose option `fun` names a function."""

    geom: str
    stat: str
    functions: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class OverlayDescription:
    """What a new layer over a chart begins with, so that it does not hide the chart."""

    stats: tuple[str, ...]
    """The stats that give one value for each group. The first stands in for counts."""
    geom_along_ranges: str
    geom_at_names: str
    colours: tuple[str, ...]
    """The colours of layers over a chart in one colour, one after the other."""
    colour_over_groups: str
    """The colour of a layer over groups that have colours."""


_TOGGLES = (
    ToggleDescription(label="Turn", path=("coord", "flip"), value=True),
    ToggleDescription(label="Log", path=("scale", "y", "type"), value="log"),
    ToggleDescription(label="Shares of 100 %", path=("pos",), value="fill"),
)

_OVERLAY = OverlayDescription(
    stats=("mean", "median", "sum", "min", "max"),
    geom_along_ranges=GEOMS["line"].name,
    geom_at_names=GEOMS["point"].name,
    colours=PALETTE[1:5],
    colour_over_groups=INK,
)


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """The whole grammar as forms show it."""

    channels: tuple[ChannelDescription, ...]
    geoms: tuple[OperatorDescription, ...]
    stats: tuple[OperatorDescription, ...]
    positions: tuple[OperatorDescription, ...]
    scales: tuple[OperatorDescription, ...]
    toggles: tuple[ToggleDescription, ...]
    reference: ReferenceDescription
    overlay: OverlayDescription


def describe_grammar() -> Vocabulary:
    """Return the grammar, in the order of the registries."""
    return Vocabulary(
        channels=tuple(map(_channel, CHANNELS)),
        geoms=tuple(_geoms()),
        stats=(*_stats(), *map(_short_stat, SHORT_NAMES)),
        positions=tuple(_plain(each, POSITION_ALIASES) for each in POSITIONS.values()),
        scales=tuple(_scales()),
        toggles=_TOGGLES,
        reference=_reference(),
        overlay=_OVERLAY,
    )


def _reference() -> ReferenceDescription:
    stat, geom = STATS["level"], GEOMS["rule"]
    functions = next(option.choices for option in stat.options if option.name == "fun")
    return ReferenceDescription(geom=geom.name, stat=stat.name, functions=tuple(map(str, functions)))


def _channel(name: str) -> ChannelDescription:
    label = _LABELS.get(name, name.capitalize())
    return ChannelDescription(name=name, label=label, is_basic=name in _BASIC, is_scaled=name in SCALED)


def _geoms() -> Iterator[OperatorDescription]:
    for geom in GEOMS.values():
        yield OperatorDescription(
            name=geom.name,
            title=geom.title,
            aliases=_aliases(geom.name, GEOM_ALIASES),
            options=geom.options,
            needs=tuple(tuple(need.split("|")) for need in geom.traits.needs),
            channels=tuple(name for name in CHANNELS if name in geom.channels),
        )


def _stats() -> Iterator[OperatorDescription]:
    for stat in STATS.values():
        yield OperatorDescription(
            name=stat.name,
            title=stat.title,
            aliases=_aliases(stat.name, STAT_ALIASES),
            options=stat.options,
            needs=tuple((need,) for need in stat.traits.needs),
        )


def _short_stat(name: str) -> OperatorDescription:
    """Describe a function such as `mean`, with the options of `summary` that it does not set itself."""
    call = full(Call(name, {}, ""))
    options = tuple(option for option in STATS[call.name].options if option.name not in call.given)
    title = f"{words(name, 'the values')} at the same place"
    return OperatorDescription(name=name, title=title, aliases=_aliases(name, STAT_ALIASES), options=options)


def _scales() -> Iterator[OperatorDescription]:
    for scale in SCALES.values():
        yield OperatorDescription(
            name=scale.name, title=scale.title, aliases=(), options=scale.options, kinds=scale.traits.kinds
        )


def _plain(operator: Operator, aliases: Mapping[str, str]) -> OperatorDescription:
    return OperatorDescription(
        name=operator.name,
        title=operator.title,
        aliases=_aliases(operator.name, aliases),
        options=operator.options,
    )


def _aliases(name: str, aliases: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(alias for alias, of in aliases.items() if of == name)
