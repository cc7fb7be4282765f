"""Which caveats make bounds as wide as they are: what is left of the width if some of them were accepted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from whence.caveats.influence import Influences
from whence.caveats.own_caveats import OwnCaveats
from whence.caveats.supposed import Supposing
from whence.lineage.block import Ids
from whence.model.caveat import CaveatGroup
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported
from whence.model.ids import DatasetId
from whence.workspace.cell_bounds import CellBounds, cell_bounds
from whence.workspace.column_widths import Widths, cell_widths
from whence.workspace.context import Context

MOST_DOUBTS = 20
"""Up to this many caveats are looked at one by one, above it by groups: each costs a run of the query or two."""
MOST_GROUPS = 100


@dataclass(frozen=True)
class WidthPart:
    """Caveats behind a cell, and what its bounds would be without their doubts."""

    caveats: CaveatGroup
    takes: float | None
    """How much narrower the bounds are if these caveats alone are accepted; None if an end stays, or was, unknown."""
    share: float | None
    """The same as a share of the whole width."""
    alone: CellBounds
    """The bounds if these caveats are accepted."""
    together: CellBounds
    """The bounds if these caveats and all before them are accepted."""

    def __str__(self) -> str:
        share = "" if self.share is None else f" ({self.share:.0%} of the width)"
        return f"{_about(self.caveats)}{share}: accepted, with all before it, {self.together}"


@dataclass(frozen=True)
class ColumnDoubt:
    """Caveats behind a column, and how much narrower its bounds would be without their doubts."""

    caveats: CaveatGroup
    takes: float
    """How much narrower the bounds of its cells are in sum, if these caveats alone are accepted."""
    becomes_known: int
    """How many cells without bounds get some, if these caveats alone are accepted."""
    left: float
    """The width in sum that is left if these caveats and all before them are accepted."""
    left_unknown: int
    """How many cells still have no bounds then."""

    def __str__(self) -> str:
        known = f" and bounds {self.becomes_known:,} more cells" if self.becomes_known else ""
        unknown = f" and {self.left_unknown:,} cells without bounds" if self.left_unknown else ""
        return f"{_about(self.caveats)}: takes away {self.takes:g}{known}; leaves {self.left:g}{unknown}"


@dataclass(frozen=True)
class _Doubt:
    """Caveats that are accepted together."""

    shown: CaveatGroup
    dataset: DatasetId
    places: Ids
    is_open: bool
    """It states no range."""


def width_parts(context: Context, record: DatasetRecord, row: int, column: str) -> list[WidthPart]:
    """Return the caveats behind a cell, those that make most of its width first."""
    whole = cell_bounds(context, record, row, column)

    def bounds_without(doubts: Sequence[_Doubt]) -> CellBounds:
        with _accepted(context, doubts) as supposed:
            return cell_bounds(supposed, record, row, column)

    found = [(doubt, bounds_without([doubt])) for doubt in _doubts(context, record, row, column)]
    found.sort(key=lambda each: (_or_infinite(each[1].width), not each[0].is_open))
    parts = []
    for number, (doubt, alone) in enumerate(found):
        together = alone if number == 0 else bounds_without([each for each, _ in found[: number + 1]])
        takes = None if whole.width is None or alone.width is None else whole.width - alone.width
        share = takes / whole.width if takes is not None and whole.width else None
        parts.append(WidthPart(doubt.shown, takes, share, alone, together))
    return parts


def column_doubts(context: Context, record: DatasetRecord, column: str) -> list[ColumnDoubt]:
    """Return the caveats behind a column, those to resolve first at the top."""
    whole = cell_widths(context, record, column)

    def widths_without(doubts: Sequence[_Doubt]) -> Widths:
        with _accepted(context, doubts) as supposed:
            return cell_widths(supposed, record, column)

    found = []
    for doubt in _doubts(context, record, None, column):
        alone = widths_without([doubt])
        becomes_known = int((np.isnan(whole) & ~np.isnan(alone)).sum())
        found.append((doubt, float(np.nansum(whole - alone)), becomes_known, alone))
    found.sort(key=lambda each: (-each[2], -each[1], not each[0].is_open))
    doubts = []
    for number, (doubt, takes, becomes_known, alone) in enumerate(found):
        left = alone if number == 0 else widths_without([each[0] for each in found[: number + 1]])
        unknown = int(np.isnan(left).sum())
        doubts.append(ColumnDoubt(doubt.shown, takes, becomes_known, float(np.nansum(left)), unknown))
    return doubts


@contextmanager
def _accepted(context: Context, doubts: Sequence[_Doubt]) -> Iterator[Context]:
    """Yield a context to which these caveats are acknowledged."""
    readers = context.readers
    supposing = Supposing(context.store, context.engine, readers.edges, readers.trace, readers.keys)
    accepted: dict[DatasetId, Ids] = {}
    for doubt in doubts:
        accepted[doubt.dataset] = np.union1d(accepted.get(doubt.dataset, doubt.places), doubt.places)
    with supposing.accepted(accepted) as supposed:
        yield replace(
            context, store=supposed.store, readers=replace(readers, flags=supposed.flags, bounds=supposed.bounds)
        )


def _doubts(context: Context, record: DatasetRecord, row: int | None, column: str) -> list[_Doubt]:
    """Return the open caveats behind a cell or column: found through lineage, one by one where they are few."""
    groups = [each for each in context.readers.reasons.stream(record, row, column) if not each.acknowledged]
    if len(groups) > MOST_GROUPS:
        raise NotSupported(
            f"{len(groups)} groups of caveats are behind {column} of {record.label}; {MOST_GROUPS} can be compared.",
            "Accept some of them first, or ask about a dataset that it was made from.",
        )
    own = OwnCaveats(context.store, Influences(context.store, context.readers.edges))
    split = sum(len(each.places) for each in groups) <= MOST_DOUBTS
    return [doubt for group in groups for doubt in _doubts_of(context, own, group, split=split)]


def _doubts_of(context: Context, own: OwnCaveats, group: CaveatGroup, *, split: bool) -> Iterator[_Doubt]:
    assert group.dataset is not None, "groups that were listed say where they are from"
    record = context.store.by_id(group.dataset)
    table, places = context.store.caveat_table(record), np.array(group.places, dtype=np.int64)
    chosen = table.take(places)
    if chosen["site"].null_count < len(places):  # a query can be run without a call of `caveat`, not without some rows
        sites = set(chosen["site"].to_pylist())
        whole = [each.places for each in own.sets(record) if each.site in sites]
        yield _Doubt(group, record.id, np.unique(np.concatenate(whole)), is_open=False)
        return
    is_open = (chosen["low"].is_null().to_numpy() & chosen["high"].is_null().to_numpy()).tolist()
    if not split:
        yield _Doubt(group, record.id, places, is_open=any(is_open))
        return
    for place, is_one_open in zip(places, is_open, strict=True):
        one = np.array([place], dtype=np.int64)
        yield _Doubt(context.readers.reasons.narrow(group, one), record.id, one, is_open=is_one_open)


def _or_infinite(width: float | None) -> float:
    return float("inf") if width is None else width


def _about(group: CaveatGroup) -> str:
    return group.message if group.count == 1 else f"{group.message} (and {group.count - 1:,} more)"
