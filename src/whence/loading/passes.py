"""The two passes over delimited files, each a function of one file that can run here or in a Spark task."""

from __future__ import annotations

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
    """Does the same to several things and gives the answers in their order."""

    def __call__(self, function: Callable[[Task], Answer], tasks: Sequence[Task], phase: str = "") -> list[Answer]:
        """Run the function on every task; the phase is what a user is told."""


def here(function: Callable[[Task], Answer], tasks: Sequence[Task], phase: str = "") -> list[Answer]:
    """Run in this process, one after the other: each uses all cores by itself."""
    return [function(task) for task in tasks]


@dataclass(frozen=True)
class LookTask:
    """One file to look at; with `held` 0 all its text goes to the disk, where another process finds it."""

    path: Path
    options: Options
    scratch: Path | None
    held: int = 0
    aside: Path | None = None
    progress: Progress | None = None


def run_look(task: LookTask) -> FileLook:
    """The first pass."""
    return look_at(
        task.path, task.options, Scratch(task.scratch), held=task.held, aside=task.aside, progress=task.progress
    )


@dataclass(frozen=True)
class ConvertTask:
    """One file to convert."""

    file: FileLook
    number: int
    decision: Decision
    places: Places
    folder: Path
    progress: Progress | None = None
    part: int | None = None
    """Which stretch of the file it is, if only one."""


@dataclass(frozen=True)
class Converted:
    """What the second pass over one file gave."""

    parts: tuple[PartFile, ...]
    found: ConversionFindings


def run_convert(task: ConvertTask) -> Converted:
    """The second pass: rows to part files of their final form."""
    found = ConversionFindings()
    batches = ahead(_watched(task, convert(task.file, task.number, task.decision, task.places, found)))
    schema = schema_of_rows(task.decision)
    parts, first = [], task.number if task.part is None else task.part
    for number, some in enumerate(in_parts(batches, ROWS_PER_PART)):
        path = task.folder / f"part-{first:05d}-{number:05d}.parquet"
        parts.append(write_part(path, some, schema))
    return Converted(tuple(parts), found)


def _watched(task: ConvertTask, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    done = 0
    for batch in batches:
        yield batch
        done += batch.num_rows
        if task.progress is not None:
            task.progress.step(done, task.file.rows, "writing")


def in_parts(batches: Iterator[pa.RecordBatch], rows: int) -> Iterator[Iterator[pa.RecordBatch]]:
    """Runs of batches of about so many rows; no batch at all still makes one run."""

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
