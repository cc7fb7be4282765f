"""Reads one large file in many tasks, a stretch each, with the same result as reading it in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from whence.loading.convert import ConversionFindings, Places
from whence.loading.cuts import Stretch, stretches
from whence.loading.look import ColumnLook, FileLook, OpenedFile, State, finished, read_stretch
from whence.loading.options import Options
from whence.loading.passes import ConvertedFile, ConvertTask, Runner, run_convert
from whence.loading.problem_table import Problems
from whence.loading.scratch import Scratch
from whence.loading.shelf import Shelf
from whence.store.parts import PartFile


@dataclass(frozen=True)
class StretchTask:
    """A stretch for the first pass. `opened` says how the file is written, and holds no text."""

    opened: OpenedFile
    stretch: Stretch
    options: Options
    scratch: Path


@dataclass(frozen=True)
class SplitLook:
    """A file after the first pass: the findings about the whole file, and the rows and texts of each stretch."""

    whole: FileLook
    rows: Sequence[int]
    shelves: Sequence[Shelf]


def run_stretch(task: StretchTask) -> State:
    """Run the first pass over one stretch."""
    with Path(task.opened.path).open("rb") as file:
        file.seek(task.stretch.start)
        data = file.read(task.stretch.stop - task.stretch.start)
    return read_stretch(task.opened, data, task.stretch.line, task.options, Shelf(Scratch(task.scratch), 0))


def look_split(opened: OpenedFile, options: Options, scratch: Path, runner: Runner, size: int) -> SplitLook | None:
    """Run the first pass over a file in stretches, or return None if the file must be read from its beginning."""
    if not opened.is_as_on_disk:
        return None
    top = opened.top
    cuts = stretches(opened.data, top.form, top.start, top.line, size)
    if not cuts:
        return None
    light = opened.without_text()
    states = runner(run_stretch, [StretchTask(light, cut, options, scratch) for cut in cuts], "reading")
    rows, shelves = [state.rows for state in states], [state.shelf for state in states]
    whole = State(opened.text, top, options, Shelf(Scratch(scratch), 0))
    for state in states:
        whole.add(state)
    return SplitLook(finished(opened, whole), rows, shelves)


def convert_split(look: SplitLook, task: ConvertTask, runner: Runner) -> ConvertedFile:
    """Run the second pass over the whole file, stretch by stretch."""
    starts = [0, *np.cumsum(look.rows).tolist()]
    columns = [ColumnLook(has_letters=column.has_letters) for column in task.file.columns]
    # Tasks get a copy without findings, which would be sent to each of them and which they do not need.
    light = replace(task.file, columns=columns, problems=Problems.of(()))
    kept = [number for number, rows in enumerate(look.rows) if rows] or [0]
    tasks = [
        replace(
            task,
            file=replace(light, rows=look.rows[number], shelf=look.shelves[number]),
            places=_within(task.places, starts[number], starts[number + 1]),
            part=number,
        )
        for number in kept
    ]
    parts: list[PartFile] = []
    found = ConversionFindings()
    for number, each in zip(kept, runner(run_convert, tasks, "writing"), strict=True):
        parts += each.parts
        _add(found, each.found, starts[number])
    return ConvertedFile(tuple(parts), found)


def _within(places: Places, start: int, stop: int) -> Places:
    return {name: rows[(rows >= start) & (rows < stop)] - start for name, rows in places.items()}


def _add(found: ConversionFindings, later: ConversionFindings, start: int) -> None:
    for name, problems in later.problems.items():
        found.problems.setdefault(name, []).extend(part.moved(start) for part in problems)
    for name, rows in later.doubtful.items():
        found.doubtful.setdefault(name, []).extend(some + start for some in rows)
    found.flagged |= later.flagged
