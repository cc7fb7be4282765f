"""Which values are put in place of doubtful ones: in cells of stored rows, or in calls of `caveat` in a query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.caveats.own_caveats import OwnCaveats
from whence.model.caveat import CaveatGroup, CaveatRef
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported, UserError
from whence.model.ids import DatasetId
from whence.plan.bounds.bound import type_of
from whence.plan.expr import Expr, call, choose, holds, literal
from whence.plan.expressions import with_expressions
from whence.plan.rebuild import rebuild
from whence.plan.sites import sites
from whence.plan.step import Step
from whence.store.store import Store

_CAST_BY_NAME = ("tinyint", "smallint", "int", "bigint", "float", "double", "date", "timestamp", "string")

SupposedValues = Mapping[CaveatGroup, object] | Mapping[CaveatRef, object] | Mapping[CaveatGroup | CaveatRef, object]
"""By groups of caveats, or by single ones, the value to put in place of each that they doubt."""


@dataclass(frozen=True)
class PlacedValues:
    """The values for one dataset version."""

    cells: dict[tuple[int, str], object] = field(default_factory=dict)
    """By row and column."""
    sites: dict[int, object] = field(default_factory=dict)
    """By the number of the call in the dataset's own query."""


def place_values(store: Store, own: OwnCaveats, values: SupposedValues) -> dict[DatasetId, PlacedValues]:
    """Find the places that groups of caveats, or single ones, doubt; raise if one doubts no value."""
    placed: dict[DatasetId, PlacedValues] = {}
    for doubted, value in values.items():
        record, caveats, places = _caveats_of(store, doubted)
        mine = placed.setdefault(record.id, PlacedValues())
        is_raised = caveats["site"].is_valid().to_pylist()
        if any(is_raised) and record.origin != "caveat":
            for site in set(caveats["site"].to_pylist()):
                mine.sites[site] = _for_whole_site(record, own, site, places, value)
            continue
        for caveat in caveats.select(["row", "column", "message"]).to_pylist():
            if caveat["row"] is None or caveat["column"] is None:
                raise UserError(
                    f"The caveat {caveat['message']!r} of {record.label} doubts no value of a cell.",
                    "Name caveats about cells.",
                )
            mine.cells[caveat["row"], caveat["column"]] = value
    return placed


def _caveats_of(store: Store, doubted: object) -> tuple[DatasetRecord, pa.Table, set[int]]:
    if isinstance(doubted, CaveatRef):
        record = store.version(doubted.dataset, doubted.version)
        rows = store.caveat_table(record).select(["row", "column", "message"]).to_pylist()
        wanted = {"row": doubted.row, "column": doubted.column, "message": doubted.message}
        numbers = [number for number, each in enumerate(rows) if each == wanted]
    elif isinstance(doubted, CaveatGroup) and doubted.dataset is not None:
        record, numbers = store.by_id(doubted.dataset), list(doubted.places)
    else:
        raise UserError(f"{doubted!r} is no group of caveats.", "Take one of caveats.list(), or one of its references.")
    return record, store.caveat_table(record).take(pa.array(numbers, pa.int64())), set(numbers)


def _for_whole_site(record: DatasetRecord, own: OwnCaveats, site: int, places: set[int], value: object) -> object:
    every = {int(place) for each in own.sets(record) if each.site == site for place in each.places}
    if not every <= places:
        raise NotSupported(
            f"The query of {record.label} raises these caveats together with {len(every - places)} others, so no value "
            f"can stand for these alone.",
            f"Take the whole group of ws[{record.name!r}].caveats.list().",
        )
    return value


def with_cells(table: pa.Table, cells: Mapping[tuple[int, str], object], label: str) -> pa.Table:
    """The rows with other values in these cells."""
    for column in dict.fromkeys(column for _, column in cells):
        place = table.schema.get_field_index(column)
        kind = table.schema.field(place).type
        mine = {row: _as(kind, value, f"{column} of {label}") for (row, each), value in cells.items() if each == column}
        is_placed = np.zeros(table.num_rows, dtype=bool)
        is_placed[list(mine)] = True
        new = pa.array([mine[row] for row in sorted(mine)], kind)
        changed = pc.replace_with_mask(table.column(place).combine_chunks(), pa.array(is_placed), new)
        table = table.set_column(place, table.schema.field(place).with_nullable(True), changed)
    return table


def _as(kind: pa.DataType, value: object, where: str) -> object:
    try:
        return pa.scalar(value, kind).as_py()
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        raise UserError(f"{value!r} is no value of column {where}, which holds {kind}.") from error


def with_sites(plan: Step, values: Mapping[int, object], record: DatasetRecord) -> Step:
    """The plan with a value in place of each doubtful one that these calls raise."""
    if not values:
        return plan
    known = sites(plan)
    wanted = {known[number].caveat: value for number, value in values.items()}

    def put(node: Expr) -> Expr | None:
        if node.kind != "caveat" or node not in wanted:
            return None
        inner, condition = (arg.replace(put) for arg in node.args)
        return choose(holds(condition), _constant(wanted[node], type_of(inner), record), inner)

    return rebuild(plan, lambda step: with_expressions(step, lambda expr: expr.replace(put)))


def _constant(value: object, kind: str, record: DatasetRecord) -> Expr:
    if kind not in _CAST_BY_NAME:
        raise NotSupported(
            f"The value of type {kind or 'unknown'} that the query of {record.label} doubts cannot be replaced.",
            "State the caveat about a plain column.",
        )
    return call(kind, literal(str(value), "string"))
