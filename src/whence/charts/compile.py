"""Compile a specification to one SQL query with a row for each mark, in drawing order (Wu 2015, section 6.5).

Every clause becomes part of the query: aesthetics become a projection, a facet a column, a stat a group-by or window, a
layer a branch of a union. Facets never copy rows. The picture later decides where marks lie in a panel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from whence.charts.defaults import default_geom
from whence.charts.errors import wrong
from whence.charts.fuse import Copy, can_fuse, fused
from whence.charts.geoms.geom import Geom
from whence.charts.geoms.ground import check_one_map
from whence.charts.geoms.registry import find_geom
from whence.charts.kinds import Kind, kind_of
from whence.charts.margins import AXES, margin
from whence.charts.operator import Call
from whence.charts.positions.dodge import SERIES
from whence.charts.reduce import reduced
from whence.charts.relation import Relation, Value
from whence.charts.scales.registry import SCALES
from whence.charts.source import Source, place
from whence.charts.spec import CHANNELS, FACETS, POSITIONS, Channel, Layer, Spec
from whence.charts.sql import inner, literal, quoted, select
from whence.charts.stats.registry import STATS
from whence.charts.training import Training

_FLOATS = ("float", "double")
_FLIPPED = {"x": "y", "y": "x", "x2": "y2", "y2": "x2"}
"""Stats and geoms always see keys along x, so a horizontal layer is compiled with x and y exchanged."""
_MOST_SLOTS = 100
"""The most shapes, such as violins, that stand side by side."""
MEASURES = ("lower", "q1", "q3", "upper", "density")
"""Columns of the mark table that hold further measures beside the value itself."""
COLUMNS = ("layer", *FACETS, *CHANNELS, *MEASURES)
"""Every column that a mark table can have, in order."""


@dataclass(frozen=True)
class Branch:
    """One layer for one choice of facet parameters: its part of the query, and how its marks are drawn."""

    number: int
    layer: Layer
    relation: Relation
    geom: Call
    pos: Call
    is_horizontal: bool
    """Whether the measure lies along x."""
    constants: Mapping[str, object]
    """Aesthetics with one value for all marks."""
    stands_in_all_panels: bool = False
    """Whether it is a line at a constant, which has no rows and so no panel of its own."""
    listed: frozenset[str] = frozenset()
    """The aesthetics whose scale lists single values, so that no intervals can be drawn on them."""
    unturned: Relation | None = None
    """Its relation before x and y were exchanged."""
    margin: str | None = None
    """The axis whose totals it shows beside a heat map."""

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The kinds of the columns of its marks."""
        return self.relation.kinds

    @property
    def own_axis(self) -> str | None:
        """The axis that it shares with no layer but those that have theirs at the right, too."""
        return None if self.layer.axis == "left" else "x" if self.is_horizontal else "y"

    @property
    def drawn(self) -> Geom:
        """The geom of its marks."""
        return find_geom(self.geom)


@dataclass(frozen=True)
class Compiled:
    """The SQL query of a chart, and the branches and columns of its rows."""

    sql: str
    branches: tuple[Branch, ...]
    columns: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences that a reader of the chart should know, such as "A random sample of ..."."""
        return tuple(dict.fromkeys(note for branch in self.branches for note in branch.relation.notes))

    def value_column(self, names: Sequence[str]) -> str:
        """Return which of the columns of the mark table holds the value of the marks."""
        stated = (branch.relation.value or branch.relation.several for branch in self.branches)
        columns = [each.column for each in stated if each is not None]
        is_flat = all(branch.is_horizontal for branch in self.branches)
        name = columns[0] if columns else ("x" if is_flat else "y")
        return name if name in names else "x"


def compile_spec(spec: Spec, source: Source) -> Compiled:
    """Return the query of a chart over the datasets of the source."""
    branches: list[Branch] = []
    numbers: dict[tuple[int, str, str | None], int] = {}
    # Number the layers in the order of the specification. A companion layer, such as outliers, has a number of its own.
    for layer in spec.layers:
        for made in _branches(layer, spec, source):
            _check_totals(made, spec)
            number = numbers.setdefault((layer.number, made.geom.name, made.margin), len(numbers))
            branches.append(replace(made, number=number))
    # All copies of a layer are drawn together, and layers in the order they were written.
    branches.sort(key=lambda branch: branch.number)
    _check_axes(branches)
    grounds = [(branch.geom, branch.drawn.ground([], branch.drawn.choose(branch.geom))) for branch in branches]
    check_one_map(grounds, is_flipped=spec.look.flip)
    found = {name for branch in branches for name in branch.kinds}
    # A chart of one layer needs no column to tell layers apart.
    if len(numbers) > 1:
        found.add("layer")
    columns = tuple(name for name in COLUMNS if name in found)
    parts = _parts(branches, columns)
    return Compiled(parts[0] if len(parts) == 1 else " union all ".join(map(inner, parts)), tuple(branches), columns)


def _parts(branches: list[Branch], columns: tuple[str, ...]) -> list[str]:
    """Return the query of each branch. Copies of a layer that differ only in their grouping share one query."""
    parts: list[str] = []
    waiting = list(branches)
    while waiting:
        first = waiting.pop(0)
        same = [first]
        while waiting and waiting[0].number == first.number and can_fuse(_copy(first), _copy(waiting[0])):
            same.append(waiting.pop(0))
        parts.append(
            _written(first, columns) if len(same) == 1 else fused(list(map(_copy, same)), columns, first.number)
        )
    return parts


def _copy(branch: Branch) -> Copy:
    return Copy(branch.relation, dict(branch.layer.panel))


def _written(branch: Branch, columns: tuple[str, ...]) -> str:
    relation = branch.relation
    known = {name: name for name in relation.kinds}
    known["layer"] = str(branch.number)
    items = {name: known.get(name, "null") for name in columns}
    ordered = f" order by {', '.join(_nulls_last(each) for each in relation.order)}" if relation.order else ""
    return select(items, inner(relation.sql)) + ordered


def _nulls_last(key: str) -> str:
    return f"{key} nulls last"


def _branches(layer: Layer, spec: Spec, source: Source) -> list[Branch]:
    """Return the branch of a layer, and that of the companion layer that comes with its geom."""
    made = _branch(layer, spec, source)
    other, geom = made.drawn.traits.companion, made.geom
    if made.drawn.traits.totals is not None and geom.given.get(made.drawn.traits.totals):
        return [made, *(_margin(made, axis) for axis in AXES)]
    key = made.kinds.get("y" if made.is_horizontal else "x", "text")
    if other is None or geom.given.get(other.option) is False or key not in other.keys:
        return [made]
    style = {key: value for key, value in geom.given.items() if key in other.style}
    drawn = Call(other.geom, style, geom.path)
    beside = replace(layer, stats=(Call(other.stat, {}, geom.path),), geom=drawn, pos=made.pos)
    return [made, _branch(beside, spec, source)]


def _margin(cells: Branch, axis: str) -> Branch:
    """Return the bars with the totals of a heat map along an axis as the user sees it."""
    relation = margin(cells.unturned or cells.relation, cells.geom, _FLIPPED[axis] if cells.is_horizontal else axis)
    relation = _turned(relation) if cells.is_horizontal else relation
    geom = Call("bar", {}, cells.geom.path)
    return replace(cells, relation=relation, geom=geom, pos=Call("identity", {}, geom.path), margin=axis)


def _check_totals(made: Branch, spec: Spec) -> None:
    if made.margin is not None and (spec.facet.sides or len(spec.layers) > 1):
        what = "totals stand beside a single heat map, not in the panels of a facet or beside several layers"
        raise wrong(made.geom.path, what, "Leave out totals, or the facet.")


def _branch(layer: Layer, spec: Spec, source: Source) -> Branch:
    seen = {name: each for name, each in layer.aes.items() if not each.is_constant}
    panels = {name: side.channel for name, side in spec.facet.sides.items() if side.channel is not None}
    channels = {**seen, **panels}
    filtered = {f"where {number}": Channel(each.column, path=each.path) for number, each in enumerate(layer.data.where)}
    source.types(replace(layer.data, fold=None), {name: each for name, each in filtered.items() if each.column})
    types = source.types(layer.data, channels)
    kinds: dict[str, Kind] = {name: kind_of(each) for name, each in types.items()}
    if not seen:
        return _constant_branch(layer, spec)
    geom = layer.geom or default_geom(layer.stats, kinds, f"{layer.path}.geom".lstrip("."))
    listed = frozenset(name for name, call in spec.scales.items() if SCALES[call.name].traits.lists_values)
    stats = layer.stats
    if stats and STATS[stats[0].name].is_about_marks(stats[0]):
        stats = (*_shared_stats(layer, kinds, listed), *stats)
    if stats is None:
        # Values that an axis lists one by one are names there, whatever their type.
        as_shown: dict[str, Kind] = {**kinds, **dict.fromkeys(listed & kinds.keys() & {"x", "y"}, "text")}
        stats = find_geom(geom).default_stats(as_shown, geom.path, is_open=layer.geom is None)
    is_horizontal = _lies(kinds, geom, stats)
    given = _base(layer, channels, types, kinds, is_horizontal)
    stats, geom, note = reduced(given, stats, geom, source.rows(layer.data), spec.max_marks)
    training = Training(source, _turned_layer(layer) if is_horizontal else layer)
    relation = _with_stats(
        given,
        layer,
        stats,
        training=training,
        source=source,
        channels=channels,
        types=types,
        kinds=kinds,
        is_horizontal=is_horizontal,
    )
    if note:
        relation = relation.noted(note)
    drawn = find_geom(geom)
    goes_along_x = drawn.traits.connects and not drawn.traits.follows_rows
    # The order of the mark table is the order in which a line connects its marks.
    if goes_along_x and not relation.order and "x" in relation.kinds:
        relation = replace(relation, order=(*relation.groups, "x"))
    unturned = relation
    relation = _turned(relation) if is_horizontal else relation
    relation = _in_panel(relation, layer.panel)
    constants = {name: each.value for name, each in layer.aes.items() if each.is_constant}
    _check_needs(relation, geom, constants)
    _check_slots(relation, geom, "y" if is_horizontal else "x")
    # Curves that lie on each other would have to have their places in common; so they are seen through each other.
    is_curve = relation.several is not None and relation.several.along is not None
    light = {"opacity": 0.5} if is_curve and drawn.traits.hides_below and "color" in relation.kinds else {}
    geom = Call(drawn.name, {**light, **geom.given}, geom.path)
    key = "y" if is_horizontal else "x"
    at = "text" if key in listed else relation.kinds.get(key)
    hides_others = at in drawn.traits.stands_beside_at and _has_series_beside(layer, relation, key)
    default = "dodge" if hides_others else "identity" if is_curve else drawn.traits.pos
    pos = layer.pos or Call(default, {}, geom.path)
    return Branch(
        number=layer.number,
        layer=layer,
        relation=relation,
        geom=geom,
        pos=pos,
        is_horizontal=is_horizontal,
        constants=constants,
        listed=listed,
        unturned=unturned,
    )


def _shared_stats(layer: Layer, kinds: Mapping[str, Kind], listed: frozenset[str]) -> tuple[Call, ...]:
    """Return the stats of the chart to which a reference line belongs, as if the layer were drawn as the chart is."""
    if layer.shared_stats is not None:
        return layer.shared_stats
    geom = layer.shared_geom or default_geom(None, dict(kinds), layer.path)
    as_shown: dict[str, Kind] = {**kinds, **dict.fromkeys(listed & kinds.keys() & {"x", "y"}, "text")}
    return find_geom(geom).default_stats(as_shown, geom.path, is_open=layer.shared_geom is None)


def _has_series_beside(layer: Layer, relation: Relation, key: str) -> bool:
    """Return whether each key has several series, distinguished by another column than the key."""
    series = next((name for name in SERIES if relation.kinds.get(name) == "text"), None)
    if series is None or key not in layer.aes or series not in layer.aes:
        return False
    places = [(layer.aes[name].column, layer.aes[name].sql) for name in (key, series)]
    return places[0] != places[1]


def _constant_branch(layer: Layer, spec: Spec) -> Branch:
    """Return the branch of a mark without rows, such as a line at a limit."""
    places = {name: each.value for name, each in layer.aes.items() if name in POSITIONS}
    path = f"{layer.path}.aes".lstrip(".")
    if not places or layer.geom is None or layer.stats not in (None, ()):
        raise wrong(path, "nothing is mapped to columns", 'For example: "aes": {"x": ...}.')
    kinds: dict[str, Kind] = {
        name: "number" if isinstance(value, int | float) else "text" for name, value in places.items()
    }
    relation = Relation(f"select {', '.join(f'{literal(value)} as {name}' for name, value in places.items())}", kinds)
    constants = {name: each.value for name, each in layer.aes.items() if name not in POSITIONS}
    _check_needs(relation, layer.geom, constants)
    geom = Call(find_geom(layer.geom).name, layer.geom.given, layer.geom.path)
    return Branch(
        number=layer.number,
        layer=layer,
        relation=relation,
        geom=geom,
        pos=layer.pos or Call("identity", {}, geom.path),
        is_horizontal=False,
        constants=constants,
        stands_in_all_panels=True,
    )


def _with_stats(
    given: Relation,
    layer: Layer,
    stats: tuple[Call, ...],
    training: Training,
    source: Source,
    channels: Mapping[str, Channel],
    types: Mapping[str, str],
    kinds: dict[str, Kind],
    is_horizontal: bool,
) -> Relation:
    """Apply the stats one after the other, and leave out rows without a place on a numeric axis."""
    for number, call in enumerate(stats):
        stat = STATS[call.name]
        # Only the first stat can read a sample in place of the dataset: later ones read what the stats before them
        # made.
        source_table = stat.replace_source(call, training) if number == 0 else None
        if source_table is not None:
            given = _base(
                layer, channels, types, kinds=kinds, is_horizontal=is_horizontal, table=source_table.name
            ).noted(source_table.note)
        else:
            given = stat.run(given, call, training)
    if given.is_raw:
        drawn = [name for name in ("x", "y") if given.kinds.get(name) in ("number", "time")]
        if drawn:
            where = [f"{name} is not null" for name in drawn]
            given = replace(given, sql=select({name: name for name in given.kinds}, inner(given.sql), where))
    return given


def _base(
    layer: Layer,
    channels: Mapping[str, Channel],
    types: Mapping[str, str],
    kinds: Mapping[str, Kind],
    is_horizontal: bool,
    table: str | None = None,
) -> Relation:
    """Return the aesthetics as a projection, without rows whose x or y is infinite or not a number."""
    turned = _FLIPPED if is_horizontal else {}
    items = {turned.get(name, name): _expression(each) for name, each in channels.items()}
    where = [] if layer.data.fold else layer.data.conditions
    for name in ("x", "y"):
        if name in channels and types[name] in _FLOATS:
            sql = _expression(channels[name])
            # Spark orders NaN above infinity, so this condition leaves out NaN, too.
            where.append(f"({sql} is null or abs({sql}) < double('infinity'))")
    return Relation(
        select(items, layer.data.table(table or layer_table(layer)), where),
        {turned.get(name, name): kind for name, kind in kinds.items()},
        titles={turned.get(name, name): each.name for name, each in channels.items()},
    )


def layer_table(layer: Layer) -> str:
    """Return the placeholder for a layer's table, which is replaced once the version of the dataset is known."""
    return place(layer.data.name)


def _expression(channel: Channel) -> str:
    return quoted(channel.column) if channel.column is not None else f"({channel.sql})"


def _lies(kinds: Mapping[str, Kind], geom: Call, stats: tuple[Call, ...]) -> bool:
    """Return whether the layer is horizontal: only y holds categories, or only y is there to be counted or binned."""
    x, y = kinds.get("x"), kinds.get("y")
    traits = find_geom(geom).traits
    has_measure = bool(stats) or traits.from_zero
    if x is None and y is not None:
        return has_measure and not traits.measures_y
    return has_measure and y == "text" and x in ("number", "time")


def _turned_layer(layer: Layer) -> Layer:
    return replace(layer, aes={_FLIPPED.get(name, name): each for name, each in layer.aes.items()})


def _turned(relation: Relation) -> Relation:
    """Return the query with x and y exchanged, back to where the user has them."""

    def turn(key: str) -> str:
        name, space, rest = key.partition(" ")
        return _FLIPPED.get(name, name) + space + rest

    value = relation.value
    if value is not None:
        of = None if value.of is None else _FLIPPED.get(value.of, value.of)
        value = Value(_FLIPPED.get(value.column, value.column), value.function, of, value.share)
    several = relation.several
    if several is not None:
        column, along, of = (_FLIPPED.get(str(name), name) for name in (several.column, several.along, several.of))
        known = tuple({_FLIPPED.get(name, name): each for name, each in row.items()} for row in several.series)
        several = replace(several, column=str(column), along=along, of=of, series=known)
    return replace(
        relation,
        sql=select({_FLIPPED.get(name, name): name for name in relation.kinds}, inner(relation.sql)),
        kinds={_FLIPPED.get(name, name): kind for name, kind in relation.kinds.items()},
        order=tuple(map(turn, relation.order)),
        titles={_FLIPPED.get(name, name): title for name, title in relation.titles.items()},
        value=value,
        several=several,
        grouping=None,
    )


def _in_panel(relation: Relation, panel: Mapping[str, object]) -> Relation:
    if not panel:
        return relation
    items = {**{name: name for name in relation.kinds}, **{name: literal(value) for name, value in panel.items()}}
    kinds: dict[str, Kind] = {**relation.kinds}
    for name, value in panel.items():
        kinds[name] = "number" if isinstance(value, int | float) else "text"
    return replace(relation, sql=select(items, inner(relation.sql)), kinds=kinds)


def _check_needs(relation: Relation, geom: Call, constants: Mapping[str, object]) -> None:
    traits = find_geom(geom).traits
    for need in traits.needs:
        if not any(name in relation.kinds or name in constants for name in need.split("|")):
            named = " or ".join(need.split("|"))
            raise wrong(geom.path, f"{geom.name} needs {named}", f"Map a column to aes.{need.split('|')[0]}.")
    for name in traits.numbers:
        if relation.kinds.get(name, "number") != "number":
            what = f"{geom.name} needs a number as {name}, not {'a time' if relation.kinds[name] == 'time' else 'text'}"
            raise wrong(geom.path, what, f"Map a column of numbers to aes.{name}.")
    for name in traits.needs_columns:
        if name not in relation.kinds:
            what = f"{geom.name} needs {name}, which its own stat makes"
            raise wrong(geom.path, what, f"Leave out stat, or name the stat {traits.stat}.")


def _check_slots(relation: Relation, geom: Call, axis: str) -> None:
    """Refuse more shapes side by side than can be seen, as for a column of numbers that never repeat."""
    if not find_geom(geom).traits.stands_in_slots or relation.several is None:
        return
    count = len({repr(row.get(axis)) for row in relation.several.series})
    if count > _MOST_SLOTS:
        column = relation.titles.get(axis, axis)
        raise wrong(
            geom.path,
            f"{column} has {count:,} values, but at most {_MOST_SLOTS} {geom.name}s stand side by side",
            f"Map a column with fewer values to {axis}, or draw points or cells.",
        )


def _check_axes(branches: list[Branch]) -> None:
    """Raise an error if layers map columns of different kinds to one axis, because layers share their axes."""
    known: dict[str, Branch] = {}
    for branch in branches:
        for name in ("x", "y", "color", *FACETS):
            kind = None if name == branch.own_axis else branch.kinds.get(name)
            other = known.setdefault(name, branch) if kind is not None else None
            if other is not None and other.kinds[name] != kind:
                raise wrong(
                    f"{branch.layer.path}.aes.{name}".lstrip("."),
                    f"{name} holds {kind} here and {other.kinds[name]} in layer {other.number}",
                    "Layers share their axes.",
                )
