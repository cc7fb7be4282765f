"""Finds the rows that a dataset has of a table already, so that a reload reads only files with rows that changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow.compute as pc

from whence.caveats.file_lines import STATING
from whence.loading.flag_table_notes import KIND
from whence.loading.problem_table import Problems, as_problems
from whence.loading.report import FileFacts, LoadReport, load_report
from whence.loading.table_formats import TableFormat
from whence.loading.table_snapshot import DeletedPositions, Positions, TableFile, TableSnapshot
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, UnknownDataset
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store


@dataclass(frozen=True)
class EarlierLoad:
    """A version of a dataset that holds the rows of some files of a table."""

    record: DatasetRecord
    report: LoadReport
    kept: Mapping[str, FileFacts]
    """The files of the table now whose rows it holds, by path."""

    def facts(self, file: TableFile) -> FileFacts | None:
        """Return where its rows of a file of the table begin; None if it does not hold them."""
        return self.kept.get(_address(file))

    @property
    def has_lost_files(self) -> bool:
        """Whether it holds rows of files that the table has no more, or of which rows were deleted since."""
        return len(self.kept) < len(self.report.files)


def find_earlier_load(store: Store, name: str, form: TableFormat, snapshot: TableSnapshot) -> EarlierLoad | None:
    """Return the newest version of a name if it was loaded from an earlier version of the table, and shares files.

    None as well if its rows are not simply those of the files, as after some were forgotten.
    """
    record = _loaded(store, name)
    report = None if record is None else load_report(store, record)
    if record is None or report is None or report.source.version not in snapshot.ancestors:
        return None
    report = _without_notes_beside(report)
    is_plain = report.key is None and "types" not in report.options and KIND not in report.counts
    in_place = any(part.changed is not None for part in store.manifest(record).parts)
    if not is_plain or in_place or sum(each.rows for each in report.files) != record.rows:
        return None
    kept = _kept_files(form, snapshot, report)
    return EarlierLoad(record, report, kept) if kept else None


def _loaded(store: Store, name: str) -> DatasetRecord | None:
    """Return the newest version of a name as it was loaded, below versions that only state doubts about its rows."""
    try:
        record = store.current(name)
        while record.origin in STATING and record.parents:
            record = store.by_id(record.parents[0])
    except UnknownDataset:
        return None
    return None if isinstance(record, ForgottenRecord) or record.origin != "load" else record


def _without_notes_beside(report: LoadReport) -> LoadReport:
    """Return a report without what a saved table says of itself as a whole, which the load finds again."""
    table = as_problems(report.problems).table
    is_note = pc.and_(pc.equal(table["kind"], KIND), table["row"].is_null())
    return replace(report, problems=Problems(table.filter(pc.invert(is_note))))


def _kept_files(form: TableFormat, snapshot: TableSnapshot, report: LoadReport) -> dict[str, FileFacts]:
    """Return the files of a table that a load has read as they are now, by path."""
    try:
        before = form.read(snapshot.path, report.source.version, None).files
    except BadInput:  # the table does not remember this version any more
        return {}
    if [_address(each) for each in before] != [each.path for each in report.files]:
        return {}
    then = {_address(file): (file, facts) for file, facts in zip(before, report.files, strict=True)}
    pairs = ((now, *then[_address(now)]) for now in snapshot.files if _address(now) in then)
    return {facts.path: facts for now, before_now, facts in pairs if _has_same_rows(now, before_now, facts)}


def _address(file: TableFile) -> str:
    return str(file.path.resolve())


def _has_same_rows(now: TableFile, then: TableFile, facts: FileFacts) -> bool:
    is_read_alike = now.columns.equals(then.columns, check_metadata=True)
    is_read_alike &= (now.rule, now.constants, now.row_ids) == (then.rule, then.constants, then.row_ids)
    deleted, deleted_then = _deleted_positions(now), _deleted_positions(then)
    if not is_read_alike or deleted is None or deleted_then is None or not np.array_equal(deleted, deleted_then):
        return False
    # A table that was made anew may name other files alike, and a dataset may have forgotten rows of a file.
    is_there = now.path.exists() and now.path.stat().st_size == facts.bytes
    return is_there and now.rows - len(deleted) == facts.rows


def _deleted_positions(file: TableFile) -> Positions | None:
    """Return the deleted rows of a file; None if they are known by their values."""
    found: list[Positions] = []
    for each in file.deletes:
        if not isinstance(each, DeletedPositions):
            return None
        found.append(each.positions)
    return _united(found)


def _united(positions: Sequence[Positions]) -> Positions:
    return np.unique(np.concatenate([np.zeros(0, np.int64), *positions]))
