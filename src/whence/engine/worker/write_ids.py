"""Writes the ids of one task to a file, for ids that Spark computes after the query."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import pyarrow as pa
from pyspark import TaskContext

from whence.engine.worker.write_parts import ANSWER


def write_ids(folder: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the function for `mapInArrow`: it writes its partition and answers with the path."""

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        first = next((batch for batch in batches if batch.num_rows), None)
        if first is None:
            return
        context = TaskContext.get()
        number, attempt = (context.partitionId(), context.taskAttemptId()) if context else (0, 0)
        path = Path(folder) / f"{number:05d}-{attempt}.ids"
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, first.schema) as out:
            for batch in chain((first,), batches):
                out.write_batch(batch)
        yield pa.RecordBatch.from_pylist([{"answer": str(path)}], schema=ANSWER)

    return task
