"""Response models that describe the grammar of charts, so that the page's forms need no list of operators."""

from __future__ import annotations

from pydantic import BaseModel

from whence.wire.parameter import ParameterView


class ChartChannel(BaseModel):
    """What a column can be seen as."""

    name: str
    label: str
    is_basic: bool
    """Whether a form offers the channel before the user has chosen a geom."""
    is_scaled: bool


class ChartOperator(BaseModel):
    """A geom, stat, position or scale, with all a form needs."""

    name: str
    title: str
    aliases: list[str]
    options: list[ParameterView]
    needs: list[list[str]]
    """Lists of channels. At least one channel of each list must be mapped."""
    channels: list[str]
    """The channels that a geom shows."""
    kinds: list[str]
    """The kinds of columns that a scale shows."""


class ChartToggle(BaseModel):
    """A part of a specification that one click adds or takes away."""

    label: str
    path: list[str]
    value: object


class ChartReference(BaseModel):
    """What a reference line consists of: the geom, and the stat whose option `fun` names a function."""

    geom: str
    stat: str
    functions: list[str]


class ChartOverlay(BaseModel):
    """What a new layer over a chart begins with, so that it does not hide the chart."""

    stats: list[str]
    """The stats that give one value for each group. The first stands in for counts."""
    geom_along_ranges: str
    geom_at_names: str
    colours: list[str]
    """The colours of layers over a chart in one colour, one after the other."""
    colour_over_groups: str
    """The colour of a layer over groups that have colours."""


class ChartGrammar(BaseModel):
    """Everything a chart can be made of."""

    channels: list[ChartChannel]
    geoms: list[ChartOperator]
    stats: list[ChartOperator]
    positions: list[ChartOperator]
    scales: list[ChartOperator]
    toggles: list[ChartToggle]
    reference: ChartReference
    overlay: ChartOverlay
