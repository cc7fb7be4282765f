"""The picture: marks as JSON values, moved by positions and sorted into layers and panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import pairwise
from math import isfinite

import pyarrow as pa
import pyarrow.compute as pc

from whence.charts.calendar import within_calendar
from whence.charts.compile import Branch, Compiled
from whence.charts.geoms.geom import Room
from whence.charts.operator import Call
from whence.charts.positions.position import Place, Position, Row, number
from whence.charts.positions.registry import find_position
from whence.charts.spec import FACETS
from whence.charts.thin import thinned

_FLIPPED = {"x": "y", "y": "x", "x2": "y2", "y2": "x2"}
_DAY = 86_400_000.0
"""Milliseconds of a day."""
_THINNEST = 1 / 150
"""The width of the thinnest visible bar as a share of the axis. Thinner bars are drawn a few pixels wide."""

Slots = Mapping[object, int]
"""The whole number at which each category stands."""

Panel = tuple[object, object, object]
"""The values of facet, facet_x and facet_y."""


@dataclass(frozen=True)
class Doubts:
    """The marks that are in doubt, and why."""

    marks: frozenset[int] = frozenset()
    reasons: Mapping[int, str] | None = None
    bounds: Mapping[int, tuple[object, object]] = field(default_factory=dict)
    """Between which values the measured value of a mark lies, for marks of which that is known."""


@dataclass(frozen=True)
class Block:
    """The marks of one layer in one panel."""

    branch: Branch
    panel: Panel
    rows: list[Row]


@dataclass(frozen=True)
class Picture:
    """Everything that is drawn, lowest layer first within a panel."""

    blocks: tuple[Block, ...]
    panels: tuple[Panel, ...]
    notes: tuple[str, ...]
    slots: Slots = field(default_factory=dict)
    """If there are violins: the whole number at which each category stands."""


def compose(compiled: Compiled, marks: pa.Table, doubts: Doubts, most: int, like: pa.Table | None = None) -> Picture:
    """Sort the rows of a mark table into blocks, and place them.

    `like` is the original of an overlay: shapes without an axis of their own, such as violins, get the scale of its
    marks.
    """
    found: dict[tuple[int, Panel], list[Row]] = {}
    by_number = {branch.number: branch for branch in compiled.branches}
    for mark, values in enumerate(within_calendar(marks).to_pylist()):
        layer = int(number(values.pop("layer", compiled.branches[0].number)))
        # Columns that only other layers have say nothing here.
        row = {name: plain(value) for name, value in values.items() if name in by_number[layer].kinds}
        row["_mark"] = mark
        if mark in doubts.marks:
            row["_doubt"] = True
            row["_why"] = (doubts.reasons or {}).get(mark, "Something it was made from is in doubt.")
        if mark in doubts.bounds:
            row["_low"], row["_high"] = map(plain, doubts.bounds[mark])
        facet, across, down = (row.get(name) for name in FACETS)
        found.setdefault((layer, (facet, across, down)), []).append(row)
    _repeat_constants(found, by_number)
    original = marks if like is None else like
    room = Room(_slots(compiled, found), _widest(original, marks), _originals(compiled, original))
    notes = list(compiled.notes)
    share = max(1, most // max(1, len({panel for _, panel in found})))
    blocks = []
    every = [row for rows in found.values() for row in rows]
    for (layer, panel), rows in found.items():
        branch = by_number[layer]
        # The limit is on all marks, so each panel gets its share.
        kept = thinned(rows, branch, share if len(marks) > most else len(rows))
        if len(kept) < len(rows):
            notes.append(f"{len(kept):,} of {len(rows):,} marks are drawn; all of them are in the mark table.")
        notes += branch.drawn.remarks(_canonical(rows, branch), branch.drawn.choose(branch.geom))
        # Stacked areas have one value per place, so all but the last mark there would be lost.
        if _piles_up(branch) and _has_repeats(kept, branch):
            branch = replace(branch, pos=Call("identity", {}, branch.pos.path))
            notes.append("Several marks of a series stand at one place, so series are not laid on each other.")
        own = replace(room, outlines=branch.relation.outlines.written(plain))
        blocks.append(Block(branch, panel, _placed(kept, branch, own, every)))
    return Picture(tuple(blocks), tuple(_panels(found)), tuple(dict.fromkeys(notes)), room.slots)


def _repeat_constants(found: dict[tuple[int, Panel], list[Row]], by_number: Mapping[int, Branch]) -> None:
    """Draw lines at constants in each panel, as they belong to none."""
    panels = list(dict.fromkeys(panel for layer, panel in found if not by_number[layer].stands_in_all_panels))
    for layer, panel in [each for each in found if by_number[each[0]].stands_in_all_panels]:
        if panels:
            rows = found.pop((layer, panel))
            found.update({(layer, each): [dict(row) for row in rows] for each in panels})


def plain(value: object) -> object:
    """Return a value as JSON holds it: times as milliseconds since 1970, infinity and NaN as null."""
    match value:
        # A boolean is an int in Python, so it must be matched before int.
        case bool():
            return str(value).lower()
        case float():
            return value if isfinite(value) else None
        case Decimal():
            return float(value)
        case datetime():
            known = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
            return known.timestamp() * 1000
        case date():
            return (value - date(1970, 1, 1)).days * _DAY
        case int() | str() | None:
            return value
    return str(value)


def _panels(found: Mapping[tuple[int, Panel], list[Row]]) -> Sequence[Panel]:
    return sorted({panel for _, panel in found}, key=lambda panel: [(each is None, _sortable(each)) for each in panel])


def _sortable(value: object) -> tuple[int, float, str]:
    return (0, float(value), "") if isinstance(value, int | float) else (1, 0.0, str(value))


def _placed(rows: list[Row], branch: Branch, room: Room, every: list[Row]) -> list[Row]:
    """Return the rows moved by the position of their branch.

    Positions see keys along x. Afterwards x and y are back where the user has them.
    """
    kinds = {(_FLIPPED.get(name, name) if branch.is_horizontal else name): kind for name, kind in branch.kinds.items()}
    turned = _canonical(rows, branch)
    # A position may move y, for example to the top of a stack. Tooltips show the value itself.
    for row in turned:
        if isinstance(row.get("y"), int | float):
            row["_value"] = row["y"]
    traits = branch.drawn.traits
    if (
        traits.from_zero
        and kinds.get("x") in ("number", "time")
        and "x2" not in kinds
        and traits.is_hatched
        and ("y" if branch.is_horizontal else "x") not in branch.listed
    ):
        turned, kinds = _widened(turned), {**kinds, "x2": kinds["x"]}
    turned = branch.drawn.prepare(turned, room, branch.drawn.choose(branch.geom))
    position = find_position(branch.pos)
    if _piles_up(branch):
        turned = _completed(turned, branch)
    if ("y" if branch.is_horizontal else "x") in branch.listed:
        kinds = {**kinds, "x": "text"}
    where = Place(kinds, _canonical(every, branch))
    placed = position.place(turned, where, position.choose(branch.pos))
    placed = [_with_interval(row, position) if "_low" in row else row for row in placed]
    if traits.from_zero and kinds.get("y") == "number" and "y2" not in kinds:
        placed = [{"y2": 0.0, **row} for row in placed]
    return [_turned(row) for row in placed] if branch.is_horizontal else placed


def _with_interval(row: Row, position: Position) -> Row:
    """The row with the ends between which its mark could end: in a stack, over the marks below it as they are now.

    A mark that stands elsewhere than at its value, such as a share of the whole, has no place for them.
    """
    start = number(row["y"]) - number(row["_value"]) if "_value" in row else 0.0
    if start and not (position.traits.piles_up and not position.traits.makes_shares):
        return {name: value for name, value in row.items() if name not in ("_low", "_high")}
    ends = (number(row[name]) + start if start else row[name] for name in ("_low", "_high"))
    return {**row, **dict(zip(("_from", "_to"), ends, strict=True))}


def _piles_up(branch: Branch) -> bool:
    """Return whether the shapes of several series are stacked on each other."""
    return branch.drawn.traits.needs_every_place and find_position(branch.pos).traits.piles_up


def _has_repeats(rows: list[Row], branch: Branch) -> bool:
    """Return whether a series has several marks at one place, of which one shape could show only the last."""
    names = (*_series(branch), "y" if branch.is_horizontal else "x")
    places = [tuple(row.get(name) for name in names) for row in rows]
    return len(set(places)) < len(places)


def _series(branch: Branch) -> list[str]:
    return [name for name in branch.relation.groups if name not in FACETS]


def _completed(rows: list[Row], branch: Branch) -> list[Row]:
    """Return the rows with a zero wherever a series has no mark but another one has: stacked areas need both."""
    places = list(dict.fromkeys(row.get("x") for row in sorted(rows, key=lambda row: number(row.get("x")))))
    names = _series(branch)
    series: dict[tuple[object, ...], dict[object, Row]] = {}
    for row in rows:
        series.setdefault(tuple(row.get(name) for name in names), {})[row.get("x")] = row
    return [
        known.get(place, {**dict(zip(names, key, strict=True)), "x": place, "y": 0.0})
        for key, known in series.items()
        for place in places
    ]


def _slots(compiled: Compiled, found: Mapping[tuple[int, Panel], list[Row]]) -> Slots:
    """Return the slot of each category, or nothing if no geom stands in slots."""
    first = next((branch for branch in compiled.branches if branch.drawn.traits.stands_in_slots), None)
    if first is None:
        return {}
    axis = "y" if first.is_horizontal else "x"
    values = {row.get(axis) for rows in found.values() for row in rows}
    ordered = sorted(values, key=lambda each: (each is None, _sortable(each)))
    return {value: place for place, value in enumerate(ordered)}


def _originals(compiled: Compiled, marks: pa.Table) -> Mapping[object, float]:
    """Return the value of each mark by its number."""
    column = compiled.value_column(marks.column_names)
    if column not in marks.column_names:
        return {}
    return {mark: number(plain(value)) for mark, value in enumerate(marks.column(column).to_pylist())}


def _canonical(rows: list[Row], branch: Branch) -> list[Row]:
    """Return the rows as a geom sees them, with keys along x."""
    return [_turned(row) for row in rows] if branch.is_horizontal else rows


def _turned(row: Row) -> Row:
    return {_FLIPPED.get(name, name): value for name, value in row.items()}


def _widened(rows: list[Row]) -> list[Row]:
    """Return bars at numbers with a width, which is that of the smallest gap, if that is visible."""
    places = sorted({number(row["x"]) for row in rows if row.get("x") is not None})
    gap = min((after - before for before, after in pairwise(places)), default=1.0)
    # The bar would be thinner than a pixel. Without edges, `thin_bar` draws it a few pixels wide.
    if places and gap < (places[-1] - places[0]) * _THINNEST:
        return rows
    half = 0.45 * gap
    return [
        {**row, "_x": row["x"], "x": number(row["x"]) - half, "x2": number(row["x"]) + half}
        for row in rows
        if row.get("x") is not None
    ]


def _widest(*tables: pa.Table) -> float:
    """Return the greatest density of the marks. The violin of that density just fits its slot."""
    found = (pc.max(table.column("density")).as_py() for table in tables if "density" in table.column_names)
    return max((each for each in found if each is not None), default=1.0) or 1.0
