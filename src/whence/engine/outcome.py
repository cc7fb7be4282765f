"""The outcome of a run: part files, the ids that rows carried, and which doubt flags are set."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from whence.engine.worker.write_parts import OutputLayout
from whence.store.parts import PartFile


@dataclass(frozen=True)
class Outcome:
    """The output of one run: part files in row id order, the ids each row carried, and which doubt flags are set."""

    parts: tuple[PartFile, ...]
    rows: int
    ids: pa.Table
    inline_sources: tuple[int, ...]
    """Sources whose ids are not in `ids` but in columns of the part files."""
    flagged_columns: frozenset[int]
    """Positions of user columns in which at least one doubt flag is set."""
    has_row_flags: bool
    ghosts: int

    @classmethod
    def of(
        cls,
        parts: tuple[PartFile, ...],
        layout: OutputLayout,
        flagged: set[int],
        *,
        ids: pa.Table | None = None,
        beside: tuple[int, ...] = (),
        ghosts: int = 0,
    ) -> Outcome:
        """Make an outcome. `flagged` are positions of stored flag columns in which at least one flag is set."""
        first_flag = len(layout.names)
        return cls(
            parts=parts,
            rows=sum(part.rows for part in parts),
            ids=pa.table({}) if ids is None else ids,
            inline_sources=beside,
            flagged_columns=frozenset(
                layout.flag_positions[p - first_flag] for p in flagged if p - first_flag < len(layout.flag_positions)
            ),
            has_row_flags=layout.has_row_flags and layout.flag_places.stop - 1 in flagged,
            ghosts=ghosts,
        )
