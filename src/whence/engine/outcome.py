"""What a run leaves behind: part files, the ids that rows carried, and which marks were met."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from whence.engine.worker.write_parts import Layout
from whence.store.parts import PartFile


@dataclass(frozen=True)
class Outcome:
    """What came out: parts in rid order, the ids each row carried, and which marks were met."""

    parts: tuple[PartFile, ...]
    rows: int
    ids: pa.Table
    inline_sources: tuple[int, ...]
    """Sources whose ids are not here but in the part files, beside the rows."""
    marked_columns: frozenset[int]
    """Positions of user columns with at least one mark."""
    has_row_marks: bool
    ghosts: int

    @classmethod
    def of(
        cls,
        parts: tuple[PartFile, ...],
        layout: Layout,
        marked: set[int],
        *,
        ids: pa.Table | None = None,
        beside: tuple[int, ...] = (),
        ghosts: int = 0,
    ) -> Outcome:
        """`marked` are positions of stored columns that are mark columns with at least one mark."""
        first_mark = len(layout.names)
        return cls(
            parts=parts,
            rows=sum(part.rows for part in parts),
            ids=pa.table({}) if ids is None else ids,
            inline_sources=beside,
            marked_columns=frozenset(
                layout.marks[p - first_mark] for p in marked if p - first_mark < len(layout.marks)
            ),
            has_row_marks=layout.has_row_marks and len(layout.stored_names) - 1 in marked,
            ghosts=ghosts,
        )
