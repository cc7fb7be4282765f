"""Writes the rows of one task: values and flags to a part file, ids to another file. It counts ghost rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import TaskContext

from whence.model.schema import ROW_FLAG_COLUMN, flag_column, id_column, range_columns
from whence.store.parts import write_part

ANSWER = pa.schema([("answer", pa.string())])


@dataclass(frozen=True)
class OutputLayout:
    """The meaning of the query's output columns, in order: user columns, flags, ranges, the ghost column, ids."""

    names: tuple[str, ...]
    flag_positions: tuple[int, ...]
    """Positions of the user columns that have a column of doubt flags."""
    has_row_flags: bool
    has_ghosts: bool
    id_columns: int
    sources: tuple[int, ...] | None = None
    """The source of each id column, if all of them are plain row ids, which may stay in the part files."""
    range_positions: tuple[int, ...] = ()
    """Positions of the user columns that have three columns with the ranges of their cells."""

    @property
    def flag_places(self) -> range:
        """The places of the flags among the columns."""
        return range(len(self.names), len(self.names) + len(self.flag_positions) + self.has_row_flags)

    @property
    def range_places(self) -> range:
        """The places of the ranges among the columns."""
        return range(self.flag_places.stop, self.flag_places.stop + 3 * len(self.range_positions))

    @property
    def inline_sources(self) -> tuple[int, ...] | None:
        """The sources whose ids may stay in the part files; None if other things than row ids are carried."""
        return self.sources if self.id_columns else ()

    @property
    def stored_names(self) -> list[str]:
        """The names of user columns, flags and ranges in a part file."""
        flags = [flag_column(position) for position in self.flag_positions]
        ranges = [name for position in self.range_positions for name in range_columns(position)]
        return [*self.names, *flags, *([ROW_FLAG_COLUMN] if self.has_row_flags else []), *ranges]

    @property
    def written_names(self) -> list[str]:
        """The names of all columns in a part file that also stores row ids. Rows with ghosts among them store none."""
        ids = [] if self.has_ghosts else map(id_column, self.inline_sources or ())
        return [*self.stored_names, *ids]


@dataclass(frozen=True)
class WrittenPart:
    """The files that one task has written, and what it counted."""

    partition: int
    path: str
    rows: int
    size: int
    sha256: str
    ids_path: str
    flagged_columns: list[int]
    """Positions of stored columns of doubt flags in which at least one flag is set."""
    ghosts: int


def write_parts(staging: str, layout: OutputLayout) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the function for `mapInArrow`: it writes its partition and answers with a JSON description."""

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        written = _Partition(Path(staging), layout).write(batches)
        if written is not None:
            yield pa.RecordBatch.from_pylist([{"answer": json.dumps(asdict(written))}], schema=ANSWER)

    return task


class _Partition:
    """Writes one partition to disk."""

    def __init__(self, staging: Path, layout: OutputLayout) -> None:
        context = TaskContext.get()
        self._number = context.partitionId() if context else 0
        # A retried or speculative attempt writes files of its own; the driver keeps those of the one that answered.
        attempt = context.taskAttemptId() if context else 0
        self._path = staging / f"{self._number:05d}-{attempt}.parquet"
        self._ids_path = staging / f"{self._number:05d}-{attempt}.ids"
        self._layout = layout
        self._flagged: set[int] = set()
        self._ghosts = 0

    def write(self, batches: Iterator[pa.RecordBatch]) -> WrittenPart | None:
        first = next((batch for batch in batches if batch.num_rows), None)
        if first is None:
            return None
        values, ids = self._split_schema(first.schema)
        with pa.OSFile(str(self._ids_path), "wb") as file, pa.ipc.new_stream(file, ids) as ids_out:
            part = write_part(self._path, self._kept_rows(first, batches, ids_out), values)
        return WrittenPart(
            partition=self._number,
            path=part.path,
            rows=part.rows,
            size=part.size,
            sha256=part.sha256,
            ids_path=str(self._ids_path),
            flagged_columns=sorted(self._flagged),
            ghosts=self._ghosts,
        )

    def _kept_rows(
        self, first: pa.RecordBatch, rest: Iterator[pa.RecordBatch], ids_out: pa.ipc.RecordBatchStreamWriter
    ) -> Iterator[pa.RecordBatch]:
        for batch in chain((first,), rest):
            kept = self._without_ghosts(batch)
            values, ids = self._split_batch(kept)
            self._note_flags(values)
            ids_out.write_batch(ids)
            yield values

    def _without_ghosts(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if not self._layout.has_ghosts:
            return batch
        present = batch.column(len(self._layout.stored_names))
        self._ghosts += batch.num_rows - (pc.sum(present).as_py() or 0)
        return batch.filter(present)

    def _split_batch(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, pa.RecordBatch]:
        values, ids = self._split_schema(batch.schema)
        first_id = batch.num_columns - self._layout.id_columns
        return (
            pa.RecordBatch.from_arrays(batch.columns[: len(self._layout.stored_names)], schema=values),
            pa.RecordBatch.from_arrays(batch.columns[first_id:], schema=ids),
        )

    def _split_schema(self, schema: pa.Schema) -> tuple[pa.Schema, pa.Schema]:
        fields = list(schema)
        stored = self._layout.stored_names
        values = [field.with_name(name).with_nullable(True) for field, name in zip(fields, stored, strict=False)]
        ids = fields[len(fields) - self._layout.id_columns :]
        return pa.schema(values), pa.schema([field.with_nullable(True) for field in ids])

    def _note_flags(self, values: pa.RecordBatch) -> None:
        for position in self._layout.flag_places:
            if position not in self._flagged and pc.any(values.column(position)).as_py():
                self._flagged.add(position)
