"""Takes over one part file that Spark wrote: syncs and hashes it, counts its rows, and finds which flags are set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from whence.engine.worker.write_parts import OutputLayout
from whence.store.parts import PartFile, adopt_part


@dataclass(frozen=True)
class AdoptedFile:
    """A part file that Spark wrote."""

    part: PartFile
    flagged_columns: frozenset[int]
    """Positions of stored columns of doubt flags in which at least one flag is set."""


def adopt_file(file: Path, layout: OutputLayout) -> AdoptedFile:
    """Return the file as a part once it is on the disk. `layout` describes its columns."""
    footer = pq.read_metadata(file)
    return AdoptedFile(adopt_part(file, footer.num_rows), frozenset(_flagged_columns(footer, layout)))


def _flagged_columns(footer: pq.FileMetaData, layout: OutputLayout) -> Iterator[int]:
    """Yield the flag columns in which a flag is set, as the statistics in the Parquet footer tell."""
    for position in layout.flag_places:
        if any(_has_flag(footer.row_group(number).column(position)) for number in range(footer.num_row_groups)):
            yield position


def _has_flag(column: pq.ColumnChunkMetaData) -> bool:
    # The maximum of booleans is True if one is. A chunk without statistics counts as flagged.
    known = column.statistics
    return bool(column.num_values if known is None else known.has_min_max and known.max)
