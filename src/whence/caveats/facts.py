"""What a caveat report says of a dataset: how much is in doubt, on what assumptions, and how far each reaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whence.caveats.doubt_flags import DoubtFlags
from whence.caveats.influence import ROW
from whence.caveats.reach import FlagMasks
from whence.caveats.reasons import Reasons
from whence.lineage.trace import Trace
from whence.model.caveat import CaveatGroup
from whence.model.dataset import DatasetRecord

MOST_PLACES = 5
"""An assumption shows this many of its places."""


@dataclass(frozen=True)
class Assumption:
    """Caveats that belong together, and how much of the dataset depends on them."""

    group: CaveatGroup
    cells: int
    rows: int
    may_miss_rows: bool


@dataclass(frozen=True)
class Impact:
    """How much of a dataset some caveats may have changed."""

    by_column: tuple[tuple[str, int], ...]
    """How many cells of each column; columns without any are left out."""
    rows: int
    may_miss_rows: bool

    @property
    def cells(self) -> int:
        """How many cells in all."""
        return sum(count for _, count in self.by_column)


@dataclass(frozen=True)
class ReportFacts:
    """Everything a report shows."""

    record: DatasetRecord
    inputs: tuple[DatasetRecord, ...]
    by_column: tuple[tuple[str, int], ...]
    """How many cells of each column are in doubt."""
    rows: int
    may_miss_rows: bool
    assumptions: tuple[Assumption, ...]
    written: tuple[str, ...] = ()
    """Sentences about values that stand on no data."""
    guessed: tuple[str, ...] = ()
    """Sentences about the numbers that depend most on guesses, and between which values they lie."""

    @property
    def cells(self) -> int:
        """How many cells are in doubt."""
        return sum(count for _, count in self.by_column)

    @property
    def all_cells(self) -> int:
        """How many cells there are."""
        return self.record.rows * len(self.record.schema)

    @property
    def verdict(self) -> str:
        """The report in one sentence."""
        name = self.record.label
        if not (self.cells or self.rows or self.may_miss_rows):
            return f"Nothing in {name} is in doubt."
        cells, rows = share(self.cells, self.all_cells), share(self.rows, self.record.rows)
        missing = ", and rows may be missing" if self.may_miss_rows else ""
        return f"In {name} {cells} of its cells and {rows} of its rows are in doubt{missing}."


def gather(
    record: DatasetRecord,
    flags: DoubtFlags,
    reasons: Reasons,
    trace: Trace,
    written: Iterable[str] = (),
    guessed: Iterable[str] = (),
) -> ReportFacts:
    """The facts of one dataset version as they stand now."""
    flagged = flags.current_flags(record)
    return ReportFacts(
        record=record,
        inputs=trace.ancestors(record),
        by_column=tuple((name, _count(flagged, name)) for name in record.schema.names),
        rows=_count(flagged, ROW),
        may_miss_rows=flagged.row_set,
        assumptions=tuple(_assumptions(record, flags, reasons)),
        written=tuple(written),
        guessed=tuple(guessed),
    )


def impact_of(record: DatasetRecord, flags: DoubtFlags, group: CaveatGroup) -> Impact:
    """How far the caveats of a group reach into a dataset, acknowledged or not."""
    reached = flags.flags_of_group(record, group)
    counts = ((name, _count(reached, name)) for name in record.schema.names)
    return Impact(tuple(each for each in counts if each[1]), _count(reached, ROW), reached.row_set)


def share(count: int, total: int) -> str:
    """A count with the part of the whole it is.

    >>> share(3, 12), share(0, 0)
    ('3 (25 %)', '0')
    """
    if not count or not total:
        return f"{count:,}"
    part = 100 * count / total
    return f"{count:,} ({'under 1' if part < 1 else f'{part:.0f}'} %)"


def _assumptions(record: DatasetRecord, flags: DoubtFlags, reasons: Reasons) -> Iterator[Assumption]:
    for group in reasons.stream(record, None, None):
        reached = flags.flags_of_group(record, group)
        yield Assumption(group, reached.cells, _count(reached, ROW), reached.row_set)


def _count(flagged: FlagMasks, part: object) -> int:
    return next((int(mask.sum()) for each, mask in flagged.masks.items() if each == part), 0)
