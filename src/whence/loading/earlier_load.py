"""Finds the rows that a dataset has of a table already, so that a reload reads only the files that were added since."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow.parquet as pq

from whence.caveats.file_lines import STATING
from whence.loading.delimited import Parts
from whence.loading.flag_table_notes import KIND
from whence.loading.parquet_folder import combine_facts
from whence.loading.problem_table import Problems, as_problems
from whence.loading.report import FileFacts, LoadReport, load_report
from whence.loading.table_formats import TableFormat
from whence.loading.table_snapshot import TableFile, TableSnapshot
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, UnknownDataset
from whence.store.forgotten import ForgottenRecord
from whence.store.parts import PartFile
from whence.store.store import Store

_MOST_PARTS = 64
"""A dataset of more parts is read anew, because each reload adds one, and every query opens all of them."""


@dataclass(frozen=True)
class EarlierLoad:
    """A version of a dataset that holds the rows of the first files of a table."""

    record: DatasetRecord
    report: LoadReport

    @property
    def files(self) -> tuple[FileFacts, ...]:
        """The files of the table whose rows it holds."""
        return tuple(self.report.files)

    def parts(self, store: Store, folder: Path) -> Iterator[PartFile]:
        """Yield its part files in another folder. They are shared, not copied, where the file system can do that."""
        folder.mkdir(parents=True, exist_ok=True)
        for number, part in enumerate(store.manifest(self.record).parts):
            source, path = store.layout.dataset(self.record.id) / part.path, folder / f"known-{number:05d}.parquet"
            try:
                os.link(source, path)
            except OSError:
                shutil.copyfile(source, path)
            yield PartFile(str(path), part.rows, part.size, part.sha256)

    def with_parts(self, parts: tuple[PartFile, ...], report: LoadReport) -> Parts:
        """Return rows with the doubts of this version."""
        doubt = self.record.doubt
        return Parts(parts, report, frozenset(doubt.columns | ({None} if doubt.rows else set())))


def find_earlier_load(
    store: Store, name: str, path: Path, form: TableFormat, snapshot: TableSnapshot
) -> EarlierLoad | None:
    """Return the newest version of a name if a table has only gained files since it was loaded.

    None as well if the columns of the table changed, or if rows of the files that were there have been deleted.
    """
    record = _loaded(store, name)
    report = None if record is None else load_report(store, record)
    if record is None or report is None or report.source.version not in snapshot.ancestors:
        return None
    parts = store.manifest(record).parts
    is_plain = report.key is None and "types" not in report.options and KIND not in report.counts
    if not is_plain or not record.rows or len(parts) >= _MOST_PARTS:
        return None
    if any(part.changed is not None for part in parts) or not _begins_with(path, form, snapshot, report):
        return None
    return EarlierLoad(record, report)


def unchanged(store: Store, staging: Path, earlier: EarlierLoad) -> Parts:
    """Return the rows that were known, for a table without new files."""
    return earlier.with_parts(tuple(earlier.parts(store, staging / "parts")), replace(earlier.report, options={}))


def join_added(store: Store, staging: Path, earlier: EarlierLoad, added: Parts, path: Path) -> Parts | None:
    """Return the rows that were known with those of the added files behind them; None if their parts would differ."""
    known = tuple(earlier.parts(store, staging / "parts"))
    layouts = [pq.read_schema(part.path).remove_metadata() for part in (*known, *added.parts)]
    before, now = as_problems(earlier.report.problems), as_problems(added.report.problems)
    if any(layout != layouts[0] for layout in layouts) or _about_columns(before) != _about_columns(now):
        for part in known:
            Path(part.path).unlink()
        return None
    rows = earlier.record.rows
    files = (*earlier.files, *(replace(each, first_row=each.first_row + rows) for each in added.report.files))
    report = replace(
        added.report,
        problems=_by_columns([before, now], layouts[0].names),
        source=combine_facts(path, files),
        files=files,
    )
    joined = earlier.with_parts((*known, *added.parts), report)
    return replace(joined, flagged=joined.flagged | added.flagged)


def _loaded(store: Store, name: str) -> DatasetRecord | None:
    """Return the newest version of a name as it was loaded, below versions that only state doubts about its rows."""
    try:
        record = store.current(name)
        while record.origin in STATING and record.parents:
            record = store.by_id(record.parents[0])
    except UnknownDataset:
        return None
    return None if isinstance(record, ForgottenRecord) or record.origin != "load" else record


def _begins_with(path: Path, form: TableFormat, snapshot: TableSnapshot, report: LoadReport) -> bool:
    """Whether the table still begins with the files of a load, and reads them in the same way."""
    first = snapshot.files[: len(report.files)]
    found = [(str(each.path.resolve()), each.path.stat().st_size, each.rows) for each in first if each.path.exists()]
    # The number of rows is that of the file's footer: the dataset may have forgotten some of them.
    if not first or found != [(each.path, each.bytes, each.rows) for each in report.files]:
        return False
    try:
        before = form.read(path, report.source.version, None)
    except BadInput:  # the table does not remember this version any more
        return False
    pairs = zip(first, before.files, strict=False)
    return len(before.files) == len(first) and all(_are_read_alike(now, then) for now, then in pairs)


def _are_read_alike(now: TableFile, then: TableFile) -> bool:
    is_same = now.path == then.path and now.columns.equals(then.columns, check_metadata=True)
    is_same = is_same and (now.rule, now.constants, now.row_ids) == (then.rule, then.constants, then.row_ids)
    return is_same and not now.deletes and not then.deletes


def _about_columns(problems: Problems) -> Problems:
    return Problems(problems.table.filter(problems.table["row"].is_null()))


def _by_columns(several: list[Problems], names: list[str]) -> Problems:
    """Return problems in the order of a single load: those of no row, then those of each column."""
    placed = [problem for problems in several for problem in problems if problem.row is not None]
    ordered = sorted(placed, key=lambda problem: names.index(problem.column or ""))
    return Problems.joined([_about_columns(several[0]), Problems.of(ordered)])
