"""What the panels of a picture share, and the axis that some layers have for themselves, at the right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from whence.charts.compile import Branch
from whence.charts.domains import RIGHT, Domains
from whence.charts.encode import Json, Scales
from whence.charts.errors import wrong
from whence.charts.picture import Picture, Slots
from whence.charts.spec import Spec
from whence.charts.theme import PALETTE

_FLIPPED = {"x": "y", "y": "x"}


@dataclass(frozen=True)
class Page:
    """The specification, scales, panel size and slots that all panels share."""

    spec: Spec
    scales: Scales
    width: int
    height: int
    slots: Slots
    projection: Json | None
    """How the map below the marks is drawn, if they lie on one."""
    own_axis: str | None = None
    """The axis that is the layer's own, at the right."""
    colour: object = None
    """The colour of the layer and of its own axis."""


def at_right(page: Page, branch: Branch, domains: Domains) -> tuple[Page, Domains]:
    """Return the page and the domains of a layer whose measure has an axis of its own."""
    axis = branch.own_axis
    if axis is None:
        return page, domains
    calls = {name: call for name, call in page.spec.scales.items() if name != axis}
    # A layer without colours of its own would look like those whose axis is at the left.
    colour = branch.constants.get("color") or branch.geom.given.get("color") or PALETTE[1]
    own = replace(
        page,
        scales=Scales(calls, branch.relation.titles),
        own_axis=axis,
        colour=None if "color" in branch.kinds else colour,
    )
    return own, {**domains, axis: domains[axis + RIGHT]} if axis + RIGHT in domains else domains


def share_panel(layers: Mapping[str, list[Json]], axis: str) -> Json:
    """Return the layers of both sides in one panel, where each side shares its axis."""
    sides = [each[0] if len(each) == 1 else {"layer": each} for each in layers.values()]
    return {"layer": sides, "resolve": {"scale": {axis: "independent"}}}


def shown_own_axis(page: Page, picture: Picture) -> str:
    """Return the axis that is drawn on both sides: x where the measure lies along x."""
    own = {block.branch.own_axis for block in picture.blocks} - {None}
    if len(own) > 1:
        raise wrong("layer", "layers with an axis at the right measure along x as well as along y", "Turn one of them.")
    axis = str(own.pop())
    return _FLIPPED[axis] if page.spec.look.flip else axis


def check_sides(spec: Spec) -> None:
    """Raise an error for a second axis in the panels of a facet, where it would stand between them."""
    layer = next((each for each in spec.layers if each.axis == "right"), None)
    if layer is None:
        return
    if spec.facet.sides:
        raise wrong(f"{layer.path}.axis".lstrip("."), "a second axis has no place between the panels of a facet")
    if all(each.axis == "right" for each in spec.layers):
        raise wrong(f"{layer.path}.axis".lstrip("."), "no layer is left for the axis at the left")
