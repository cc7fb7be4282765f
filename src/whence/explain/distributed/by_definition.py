"""Score predicates in Spark for aggregates without a removable state, by recomputing group by group.

A task holds the measures of one group in memory at a time, and one bit per row for each predicate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.arrays import Bools
from whence.explain.distributed.reading import OWNER, Reading
from whence.explain.problem import Box

BITS = "taken"
"""Column with the packed bits that say which predicates take the row."""
ADDED = f"{OWNER} bigint, {BITS} binary"
"""Schema of the columns that `marking_task` adds to the measures."""
ANSWER = f"{OWNER} bigint, before double, after array<double>, removed array<double>"
"""Schema of the row that `group_task` returns for each group."""


def marking_task(
    reading: Reading, boxes: tuple[Box, ...], kept: tuple[str, ...]
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the task that adds to every row its group and the bits of the predicates that take it."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for rows in reading.rows(batches):
            taken = np.zeros((len(rows.owner), len(boxes)), dtype=np.bool_)
            for place, box in enumerate(boxes):
                taken[:, place] = rows.mask(box)
            columns = {OWNER: pa.array(rows.owner), BITS: _packed(taken)}
            columns |= {name: rows.table.column(name) for name in kept}
            yield from pa.table(columns).combine_chunks().to_batches()

    return run


def group_task(reading: Reading, aggregate: Aggregate, boxes: int) -> Callable[[pa.Table], pa.Table]:
    """Return the task that computes a group's value with all its rows and without those of each predicate."""
    # The rows come with their group, and the bits already say which predicates take them.
    plain = replace(reading, owners=None, attributes=(), columns=())

    def run(table: pa.Table) -> pa.Table:
        rows = plain.of_table(table)
        taken = _unpacked(table.column(BITS).combine_chunks(), boxes)
        with np.errstate(all="ignore"):
            after = [
                aggregate.value(tuple(each[~taken[:, box]] for each in rows.columns)) if taken[:, box].any() else None
                for box in range(boxes)
            ]
            before = aggregate.value(rows.columns)
        kept = [before if value is None else value for value in after]
        return pa.table(
            {
                OWNER: pa.array([int(rows.owner[0])], pa.int64()),
                "before": pa.array([before], pa.float64()),
                "after": pa.array([kept], pa.list_(pa.float64())),
                "removed": pa.array([taken.sum(axis=0).astype(np.float64)], pa.list_(pa.float64())),
            }
        )

    return run


def _packed(taken: Bools) -> pa.Array:
    # Every bit is shuffled to its group's task with the measures, so eight predicates share a byte.
    bits = np.packbits(taken, axis=1)
    offsets = np.arange(len(bits) + 1, dtype=np.int32) * bits.shape[1]
    return pa.Array.from_buffers(
        pa.binary(), len(bits), [None, pa.py_buffer(offsets.tobytes()), pa.py_buffer(bits.tobytes())]
    )


def _unpacked(bits: pa.Array, boxes: int) -> Bools:
    arrays = bits.chunks if isinstance(bits, pa.ChunkedArray) else [bits]
    width = -(-boxes // 8)
    content = b"".join(b"".join(array.to_pylist()) for array in arrays)
    packed = np.frombuffer(content, dtype=np.uint8).reshape(-1, width) if width else np.zeros((len(bits), 0), np.uint8)
    return np.unpackbits(packed, axis=1, count=boxes).astype(np.bool_)
