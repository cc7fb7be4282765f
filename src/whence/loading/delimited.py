"""Reads delimited files, one or many, as the parts of one dataset, with a report on the load."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from whence.loading.convert import ConversionFindings, Places, key_column
from whence.loading.cuts import STRETCH
from whence.loading.decide import Decision, decide
from whence.loading.keys import key_problems
from whence.loading.look import FileLook, look_at_opened, open_text
from whence.loading.options import Options
from whence.loading.passes import ConvertedFile, ConvertTask, LookTask, Runner, run_convert, run_in_turn, run_look
from whence.loading.problem_table import Problems
from whence.loading.progress import Progress
from whence.loading.report import FileFacts, LoadReport, SourceFacts
from whence.loading.scratch import Scratch
from whence.loading.shelf import Shelf, room
from whence.loading.split import convert_split, look_split
from whence.loading.words import Rows
from whence.store.parts import PartFile


@dataclass(frozen=True)
class Job:
    """The files to read as one dataset, and how to read them."""

    path: Path
    """The path that the user gave: the file, or the folder of the files."""
    files: Sequence[Path]
    staging: Path
    options: Options
    key: str | None = None
    runner: Runner = run_in_turn
    aside: Path | None = None
    progress: Progress | None = None
    stretch: int = STRETCH
    """Approximate number of bytes of a single file that each task reads."""


@dataclass(frozen=True)
class Parts:
    """Part files, the report on the load, and the columns in doubt (None stands for rows)."""

    parts: tuple[PartFile, ...]
    report: LoadReport
    flagged: frozenset[str | None]


def read_delimited(job: Job) -> Parts:
    """Run the first pass over every file, decide on types from all rows, then convert every file."""
    is_here = job.runner is run_in_turn
    # 0 for tasks elsewhere: all text goes to the disk, where the second pass finds it.
    held = room() // len(job.files) if is_here else 0
    progress = job.progress if is_here else None
    scratch = job.staging / "texts"
    split = None
    if len(job.files) == 1 and not is_here:
        opened = open_text(job.files[0], job.options, Scratch(scratch), job.aside)
        split = look_split(opened, job.options, scratch, job.runner, job.stretch)
        if split is None:
            progress, shelf = job.progress, Shelf(Scratch(scratch), room())
            looks = [look_at_opened(opened, job.options, shelf, progress)]
        else:
            looks = [split.whole]
    else:
        tasks = [
            LookTask(path=file, options=job.options, scratch=scratch, held=held, aside=job.aside, progress=progress)
            for file in job.files
        ]
        looks = job.runner(run_look, tasks, "reading")
    decision = decide(looks, job.options)
    starts = _starts(looks)
    keys = _key_problems(looks, decision, job.key)
    conversions = [
        ConvertTask(
            file=file,
            number=number,
            decision=decision,
            places=_places(file, decision, keys, starts[number]),
            folder=job.staging / "parts",
            progress=progress,
        )
        for number, file in enumerate(looks)
    ]
    if split is not None:
        converted = [convert_split(split, conversions[0], job.runner)]
    else:
        # A single file that was not split was read in this process, and its text may be in memory.
        converted = (run_in_turn if len(looks) == 1 else job.runner)(run_convert, conversions, "writing")
    problems = Problems.joined([*all_problems(looks, decision, [each.found for each in converted]), keys])
    return Parts(_parts(converted), report_of(job, looks, decision, problems), _flagged(converted))


def _parts(converted: Sequence[ConvertedFile]) -> tuple[PartFile, ...]:
    return tuple(part for each in converted for part in each.parts)


def _flagged(converted: Sequence[ConvertedFile]) -> frozenset[str | None]:
    return frozenset(name for each in converted for name in each.found.flagged)


def _starts(files: Sequence[FileLook]) -> list[int]:
    return [0, *np.cumsum([file.rows for file in files]).tolist()][:-1]


def _key_problems(files: Sequence[FileLook], decision: Decision, key: str | None) -> Problems:
    if key is None:
        return Problems.of(())
    return Problems.of(key_problems(key_column(files, decision, key), key))


def known_names(file: FileLook, decision: Decision, number: int) -> dict[str, str]:
    """Return the dataset's column name for each column name of a file."""
    return {
        file.names[place]: column.name for column in decision.columns if (place := column.positions[number]) is not None
    }


def _places(file: FileLook, decision: Decision, keys: Problems, start: int) -> Places:
    """Return the flags known before the second pass, by the dataset's column names."""
    found: dict[str | None, Rows] = {}
    for part in (file.problems, *(bad for column in file.columns for bad in column.bad)):
        for name, rows in part.flagged_rows().items():
            found[_united(name, decision)] = np.union1d(found.get(_united(name, decision), rows), rows)
    for name, rows in keys.flagged_rows().items():
        own = rows[(rows >= start) & (rows < start + file.rows)] - start
        found[name] = np.union1d(found.get(name, own), own)
    return found


def _united(name: str | None, decision: Decision) -> str | None:
    return next((c.name for c in decision.columns if name is not None and c.name.lower() == name.lower()), name)


def all_problems(files: Sequence[FileLook], decision: Decision, found: Sequence[ConversionFindings]) -> list[Problems]:
    """Return the problems of the files' forms, then those of each column. Rows count from the first file's first."""
    starts, many = _starts(files), len(files) > 1

    def in_source(part: Problems, number: int) -> Problems:
        moved = part.moved(starts[number]).renamed(known_names(files[number], decision, number))
        return moved.with_file(Path(files[number].path).name) if many else moved

    ordered = [in_source(file.problems, number) for number, file in enumerate(files)]
    for column in decision.columns:
        for number, place in enumerate(column.positions):
            bad = files[number].columns[place].bad if place is not None else []
            ordered += [in_source(part, number) for part in bad]
        ordered.append(Problems.of(column.notes))
        for number, each in enumerate(found):
            ordered += [in_source(part, number) for part in each.problems.get(column.name, [])]
    return ordered


def report_of(job: Job, files: Sequence[FileLook], decision: Decision, problems: Problems) -> LoadReport:
    """Return the report on the load."""
    first = files[0]
    is_one = len(files) == 1 and job.path == job.files[0]
    together = hashlib.sha256("".join(file.sha256 for file in files).encode()).hexdigest()
    facts = [
        FileFacts(str(Path(file.path).resolve()), file.sha256, file.size, start, file.rows)
        for start, file in zip(_starts(files), files, strict=True)
    ]
    source = SourceFacts(
        str(job.path.resolve()), first.sha256 if is_one else together, sum(file.size for file in files)
    )
    return LoadReport(
        records=sum(file.rows for file in files),
        problems=problems,
        encoding=", ".join(dict.fromkeys(file.encoding for file in files)),
        dialect=first.dialect,
        source=source,
        blank_lines=sum(file.blank_lines for file in files),
        header=tuple(first.header if is_one else (column.name for column in decision.columns)),
        key=job.key,
        files=() if is_one else tuple(facts),
        options=job.options.as_document(),
        null_words=sum(column.null_words for file in files for column in file.columns),
    )
