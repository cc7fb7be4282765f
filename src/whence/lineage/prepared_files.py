"""Prepared lineage as files: sorted ids and totals of one question, read back in any later session or made again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from whence.lineage.index import Index, IndexFacts, InMemory
from whence.lineage.partitioned_lineage import PartitionedLineage, PartTotals
from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile, UserError
from whence.model.ids import DatasetId
from whence.store.arrays import Array
from whence.store.derived import remove
from whence.store.index_file import IndexFile, write_index
from whence.store.store import Store

FORM = 1
"""Goes into the name of every file: one of another form is never opened."""

_TOTALS = ("counts", "sums", "least", "largest")


@dataclass(frozen=True)
class ExpectedQuestion:
    """What lineage is prepared for: filters by attributes of the rows of a target, and totals of its measures."""

    target: DatasetId
    by: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    where: str | None = None
    zone: str = ""
    """The time zone in which expressions were computed."""


class PreparedFiles:
    """The files of one workspace. They lie with the dataset whose rows are asked about, and go with it or a target."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self, record: DatasetRecord, expected: ExpectedQuestion) -> PartitionedLineage | None:
        """What was prepared; None if it is not there, or not what was written."""
        path = self._path(record, expected)
        try:
            file = IndexFile(path)
            file.check()
            return _parts(file)
        except DamagedFile:
            remove(path)
            return None

    def write(self, record: DatasetRecord, expected: ExpectedQuestion, parts: PartitionedLineage) -> int:
        """Keep it; return the size of the file, 0 if there was no room."""
        forgets, path = self._store.forgets, self._path(record, expected)
        facts = {
            "expected": asdict(expected),
            "index": asdict(parts.index.facts),
            "scales": [each.scale for each in parts.measures.values()],
        }
        try:
            write_index(path, arrays_of(parts), facts)
        except UserError:  # a full disk is no reason to leave a question unanswered
            return 0
        if self._store.forgets != forgets:  # it may have been removed before it was there
            remove(path)
            return 0
        return path.stat().st_size

    def questions_of(self, record: DatasetRecord) -> Iterator[ExpectedQuestion]:
        """Everything that was prepared for a dataset."""
        folder = self._path(record, ExpectedQuestion(record.id)).parent
        for path in sorted(folder.iterdir()) if folder.exists() else ():
            try:
                said = IndexFile(path).facts["expected"]
            except DamagedFile:  # it answers no question
                continue
            found = ExpectedQuestion(
                said["target"], tuple(said["by"]), tuple(said["measures"]), said["where"], said["zone"]
            )
            if self._path(record, found) == path:
                yield found

    def bytes(self, record: DatasetRecord, expected: ExpectedQuestion) -> int:
        """The size of a file; 0 if there is none."""
        path = self._path(record, expected)
        return path.stat().st_size if path.exists() else 0

    def drop(self, record: DatasetRecord, expected: ExpectedQuestion) -> None:
        """Remove a file; it is made again when somebody prepares the same."""
        remove(self._path(record, expected))

    def _path(self, record: DatasetRecord, expected: ExpectedQuestion) -> Path:
        return self._store.derived.path("prepared", record.id, [FORM, asdict(expected)])


def arrays_of(parts: PartitionedLineage) -> dict[str, Array]:
    """Everything as arrays, in narrow types where that costs nothing to undo."""
    found: dict[str, Array] = {
        "offsets": _narrow(np.concatenate(([0], np.cumsum(parts.counts))).astype(np.int64)),
        "ids": parts.index.every_value(),
    }
    found |= {f"at {n}": _narrow(along) for n, along in enumerate(parts.coordinates)}
    found |= {f"values of {name}": _pack_values(codes.values) for name, codes in parts.attributes.items()}
    for name, measure in parts.measures.items():
        found |= {f"{total} of {name}": getattr(measure, total) for total in _TOTALS}
    return found


def _parts(file: IndexFile) -> PartitionedLineage:
    arrays = {name: array.part(0, len(array)) for name, array in file.arrays.items()}
    said = file.facts["expected"]
    measures = {
        name: _part_totals(arrays, name, scale)
        for name, scale in zip(said["measures"], file.facts["scales"], strict=True)
    }
    along = [arrays[f"at {n}"].astype(np.int64) for n in range(len(said["by"]) + 1)]
    offsets, ids = (InMemory(arrays[name]) for name in ("offsets", "ids"))  # type: ignore[arg-type]
    return PartitionedLineage(
        {name: _unpack_values(arrays[f"values of {name}"]) for name in said["by"]},
        np.array(along, dtype=np.int64),
        Index(offsets, ids, IndexFacts(**file.facts["index"])),
        measures,
    )


def _part_totals(arrays: dict[str, Array], name: str, scale: int) -> PartTotals:
    counts, sums, least, largest = (arrays[f"{total} of {name}"] for total in _TOTALS)
    return PartTotals(counts.astype(np.int64), sums, least, largest, scale)


def _narrow(numbers: Array) -> Array:
    largest = int(numbers.max()) if len(numbers) else 0
    kinds = (np.uint8, np.uint16, np.uint32, np.int64)
    return numbers.astype(next(kind for kind in kinds if largest <= np.iinfo(kind).max))


def _pack_values(values: pa.Array) -> Array:
    sink = pa.BufferOutputStream()
    batch = pa.record_batch([values], names=["values"])
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return np.frombuffer(sink.getvalue(), dtype=np.uint8)


def _unpack_values(packed: Array) -> pa.Array:
    with pa.ipc.open_stream(pa.py_buffer(packed.tobytes())) as reader:
        return reader.read_next_batch().column(0)
