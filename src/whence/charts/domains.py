"""Train the scales: learn which values each aesthetic spans, across all layers and panels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from whence.charts.compile import Branch
from whence.charts.errors import near, wrong
from whence.charts.kinds import Kind
from whence.charts.picture import Block, Panel, Picture
from whence.charts.positions.position import Row
from whence.charts.scales.registry import SCALES
from whence.charts.spec import SCALED, Spec
from whence.charts.stats.registry import find_stat

_FLIPPED = {"x": "y", "y": "x"}


@dataclass(frozen=True)
class Domain:
    """The values of one aesthetic: the two ends of numbers and times, or the list of single values."""

    kind: Kind
    values: tuple[object, ...]
    has_zero: bool = False
    """Whether lengths are read from it, so that it must include zero."""
    ends_with_marks: bool = False
    """Whether an axis ends where its marks do, instead of at a round number."""
    is_whole: bool = False
    """Whether all values are whole numbers, so that an axis needs no ticks between them."""


Domains = Mapping[str, Domain]

RIGHT = "@right"
"""After the name of an axis: the one at the right, which only the layers that ask for it share."""


def train(picture: Picture, spec: Spec) -> dict[Panel, Domains]:
    """Return the domains of each panel. Panels share the domain of every axis that is not free."""
    listed = frozenset(name for name, call in spec.scales.items() if SCALES[call.name].traits.lists_values)
    listed |= {slot_axis(block.branch) for block in picture.blocks if block.branch.drawn.traits.stands_in_slots}
    # Totals have an axis of their own beside the panel.
    blocks = [block for block in picture.blocks if block.branch.margin is None]
    sorts = {name: str(call.given["order_by"]) for name, call in spec.scales.items() if call.given.get("order_by")}
    for name, sort in sorts.items():
        _check_sort(sort, blocks, spec.scales[name].path)
    shared = _trained(blocks, listed, sorts)
    if not spec.facet.free:
        return dict.fromkeys(picture.panels, shared)
    free: dict[Panel, Domains] = {}
    for panel in picture.panels:
        own = _trained((block for block in blocks if block.panel == panel), listed, sorts)
        free[panel] = {
            name: (own if name in spec.facet.free else shared).get(name, each) for name, each in shared.items()
        }
    return free


def _trained(blocks: Iterable[Block], each_value: frozenset[str], sorts: Mapping[str, str]) -> Domains:
    listed = list(blocks)
    found: dict[str, Domain] = {}
    for name in SCALED:
        using = [block for block in listed if name in block.branch.kinds]
        shared = [block for block in using if block.branch.own_axis != name]
        if shared:
            found[name] = _domain(name, shared, lists_values=name in each_value, sort=sorts.get(name))
        apart = [block for block in using if block.branch.own_axis == name]
        if apart:
            found[name + RIGHT] = _domain(name, apart, lists_values=False)
    return found


def _check_sort(sort: str, blocks: list[Block], path: str) -> None:
    """Raise an error if no layer has the aesthetic that is to order the categories, or if it holds no numbers."""
    known = {name: kind for block in blocks for name, kind in block.branch.kinds.items()}
    name = sort.removeprefix("-")
    if known and known.get(name) not in ("number", "time"):
        what = f"there is no {name} to sort by" if name not in known else f"{name} holds text, which has no size"
        raise wrong(
            f"{path}.order_by", what, near(name, [each for each in known if known[each] != "text"], "There are")
        )


def _sizes(name: str, by: str, blocks: list[Block]) -> dict[object, float]:
    """Return what orders each category: the sum over its marks, or their mean where a sum would mean nothing."""
    found: dict[object, list[float]] = {}
    adds_up = True
    for block in blocks:
        value = block.branch.relation.value
        adds_up = adds_up and value is not None and value.function in ("sum", "count")
        field = "_value" if by == measure_axis(block) else by
        for row in block.rows:
            size = row.get(field, row.get(by))
            if isinstance(size, int | float):
                found.setdefault(row.get(name), []).append(float(size))
    return {each: sum(sizes) / (1 if adds_up else len(sizes)) for each, sizes in found.items()}


def _domain(name: str, blocks: list[Block], *, lists_values: bool, sort: str | None = None) -> Domain:
    kind = blocks[0].branch.kinds[name]
    values = [
        value for block in blocks for row in block.rows for value in _values(row, name, block) if value is not None
    ]
    zero = any(block.branch.drawn.traits.from_zero and name == measure_axis(block) for block in blocks)
    if kind == "text":
        # A stat that sorts has put the rows into the order of the axis.
        is_sorted = any(
            find_stat(call).traits.sets_order for block in blocks for call in block.branch.layer.stats or ()
        )
        seen = list(dict.fromkeys(_values_of_text(blocks, name)))
        if sort is not None:
            sizes, sign = _sizes(name, sort.removeprefix("-"), blocks), -1 if sort.startswith("-") else 1
            # What has no size comes last, whichever way the others run.
            return Domain(
                kind, tuple(sorted(seen, key=lambda each: (each not in sizes, sign * sizes.get(each, 0.0), str(each))))
            )
        return Domain(kind, tuple(seen if is_sorted else sorted(seen, key=lambda each: (each is None, str(each)))))
    if not values:
        return Domain(kind, (), zero)
    if lists_values:
        return Domain(kind, tuple(sorted(set(values), key=float)), zero)  # type: ignore[arg-type]
    # Lengths are read from zero, so it belongs to the domain.
    numbers = [float(value) for value in values if isinstance(value, int | float)] + ([0.0] if zero else [])
    fits_pixels = any(block.branch.drawn.traits.fits_pixels for block in blocks)
    is_whole = kind == "number" and all(map(float.is_integer, numbers))
    return Domain(kind, (min(numbers), max(numbers)), zero, fits_pixels, is_whole)


def _values_of_text(blocks: list[Block], name: str) -> Iterable[object]:
    return (row.get(name) for block in blocks for row in block.rows)


def measure_axis(block: Block) -> str:
    """Return the axis along which the lengths of this block are read."""
    return "x" if block.branch.is_horizontal else "y"


def slot_axis(branch: Branch) -> str:
    """Return the axis of the categories, for geoms that put categories at whole numbers."""
    return "y" if branch.is_horizontal else "x"


def _values(row: Row, name: str, block: Block) -> Iterable[object]:
    yield row.get(name)
    if name in ("x", "y"):
        if name not in block.branch.listed:
            yield row.get(f"{name}2")
        if name == measure_axis(block):
            yield from (row.get(field) for field in (*block.branch.drawn.traits.measures, "_from", "_to"))
