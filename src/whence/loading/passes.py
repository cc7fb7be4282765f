"""The two passes over delimited files. Each is a function of one file that runs here or in a Spark task."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Protocol, TypeVar

import pyarrow as pa

from whence.loading.ahead import ahead
from whence.loading.convert import ConversionFindings, Places, convert, schema_of_rows
from whence.loading.decide import Decision
from whence.loading.look import FileLook, look_at
from whence.loading.options import Options
from whence.loading.progress import Progress
from whence.loading.scratch import Scratch
from whence.store.parts import ROWS_PER_PART, PartFile, write_part

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class Runner(Protocol):
    """Runs a function on several tasks and returns the answers in their order."""

    def __call__(self, function: Callable[[Task], Answer], tasks: Sequence[Task], phase: str = "") -> list[Answer]:
        """Run the function on every task. The phase is the word that the user sees."""


def run_in_turn(function: Callable[[Task], Answer], tasks: Sequence[Task], phase: str = "") -> list[Answer]:
    """Run in this process, one task after the other, because each uses all cores by itself."""
    return [function(task) for task in tasks]


@dataclass(frozen=True)
class LookTask:
    """One file for the first pass. With `held` 0 all text goes to the disk, where another process finds it."""

    path: Path
    options: Options
    scratch: Path | None
    held: int = 0
    aside: Path | None = None
    progress: Progress | None = None


def run_look(task: LookTask) -> FileLook:
    """Run the first pass over one file."""
    return look_at(
        task.path, task.options, Scratch(task.scratch), held=task.held, aside=task.aside, progress=task.progress
    )


@dataclass(frozen=True)
class ConvertTask:
    """One file for the second pass."""

    file: FileLook
    number: int
    decision: Decision
    places: Places
    folder: Path
    progress: Progress | None = None
    part: int | None = None
    """The number of the stretch, if the task converts only one stretch of the file."""


@dataclass(frozen=True)
class ConvertedFile:
    """The result of the second pass over one file."""

    parts: tuple[PartFile, ...]
    found: ConversionFindings


def run_convert(task: ConvertTask) -> ConvertedFile:
    """Run the second pass: write the rows as part files."""
    found = ConversionFindings()
    batches = ahead(_watched(task, convert(task.file, task.number, task.decision, task.places, found)))
    schema = schema_of_rows(task.decision)
    parts, first = [], task.number if task.part is None else task.part
    # Spark runs a task again if its executor is lost, and stored files are never overwritten.
    attempt = secrets.token_hex(4)
    for number, some in enumerate(in_parts(batches, ROWS_PER_PART)):
        path = task.folder / f"part-{first:05d}-{number:05d}-{attempt}.parquet"
        parts.append(write_part(path, some, schema))
    return ConvertedFile(tuple(parts), found)


def _watched(task: ConvertTask, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    done = 0
    for batch in batches:
        yield batch
        done += batch.num_rows
        if task.progress is not None:
            task.progress.step(done, task.file.rows, "writing")


def in_parts(batches: Iterator[pa.RecordBatch], rows: int) -> Iterator[Iterator[pa.RecordBatch]]:
    """Split batches into groups of about so many rows. Without any batch there is one empty group."""

    def run(first: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        count = 0
        for batch in chain(first, batches):
            yield batch
            count += batch.num_rows
            if count >= rows:
                return

    yield run(iter(()))
    for batch in batches:
        yield run(iter((batch,)))
