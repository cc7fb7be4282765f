"""Loads a file, a folder or a pattern as a dataset version: chooses the reader, and cleans up after a failed load."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pyarrow as pa

from whence.loading.archive import is_archive
from whence.loading.archive_members import UnpackedArchive, unpacked
from whence.loading.changed_table import first_new_row, join_rows
from whence.loading.cuts import STRETCH
from whence.loading.delimited import Job, Parts, read_delimited
from whence.loading.earlier_load import EarlierLoad, find_earlier_load
from whence.loading.flag_table_notes import with_table_notes
from whence.loading.folder import files_of, is_pattern
from whence.loading.options import Options
from whence.loading.parquet_folder import cannot_be_referenced, combine_facts, file_facts, is_large, refer, typed_files
from whence.loading.passes import Runner, run_in_turn
from whence.loading.progress import Progress, Report
from whence.loading.publish import draft_of_parts, draft_of_parts_alone, draft_of_table
from whence.loading.read_excel import read_excel
from whence.loading.read_json import read_json
from whence.loading.read_sqlite import SQLITE, read_sqlite
from whence.loading.read_typed import read_typed, rewrite_typed
from whence.loading.report import FileFacts
from whence.loading.source import PARQUET
from whence.loading.table_formats import TableFormat, table_format
from whence.loading.table_lineage import SCHEMA as LINEAGE_SCHEMA
from whence.loading.table_lineage import lineage_folder, lineage_of_version, with_saved_lineage
from whence.loading.table_notes import DOUBT, ROW_SET, TableNote, notes_folder, notes_of_version
from whence.loading.table_snapshot import TableFile, TableSnapshot
from whence.loading.typed_file import TypedFile, begins_with
from whence.loading.typed_formats import open_typed
from whence.loading.typed_rows import TypedRows
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput
from whence.model.schema import TABLE_ROW_COLUMN
from whence.store.draft import Draft
from whence.store.durable import hash_file
from whence.store.key_columns import DOCUMENT as KEYS
from whence.store.runs import Run
from whence.store.store import Store

SPREAD_BYTES = 256 << 20
"""Several files that are larger than this together are read in Spark's tasks, if there is a Spark."""
SPLIT_BYTES = 512 << 20
"""A single file that is larger than this is split into stretches that Spark's tasks read."""
Documents = Mapping[str, Mapping[str, object]]
_JSON = (".json", ".jsonl", ".ndjson")


@dataclass(frozen=True)
class LoadRequest:
    """The options of a load, apart from the path and the dataset's name."""

    key: str | None = None
    options: Options = field(default_factory=Options)
    sheet: str | None = None
    table: str | None = None
    report: Report | None = None
    spread: Callable[[], Runner] | None = None
    """Returns a runner that reads files in Spark's tasks."""
    stretch: int = STRETCH
    """Approximate number of bytes of a single file that each task reads."""
    origin: str | None = None
    """Where the data is from, if the file is only a copy."""
    in_place: bool | None = None
    """Whether Parquet files are read in place. None means that large folders are."""
    reaches: bool = True
    """Whether Spark's tasks can read the files."""
    archive: UnpackedArchive | None = None
    """The archive of which the file or folder was unpacked."""
    version: int | str | None = None
    """The version of a Delta table; the snapshot, branch or tag of an Iceberg table. None means the newest."""
    timestamp: str | None = None
    """The time at which the version of such a table was current."""


def load_path(store: Store, path: Path, name: str, request: LoadRequest | None = None) -> DatasetRecord:
    """Load a file, a folder or a pattern as a new version of a dataset."""
    return publish(store, name, lambda run: draft_of_path(store, run, path, request or LoadRequest()))


def load_csv(store: Store, path: Path, name: str, request: LoadRequest | None = None) -> DatasetRecord:
    """Load delimited text, whatever the file's name, as a new version of a dataset."""
    return publish(store, name, lambda run: draft_of_text(store, run, path, _files(path), request or LoadRequest()))


def publish(store: Store, name: str, draft: Callable[[Run], Draft]) -> DatasetRecord:
    """Publish the dataset version that a run drafts. If the run fails, remove everything it wrote."""
    run = store.begin("load", name)
    try:
        return store.publish(run, draft(run))
    # Ctrl-C as well: an abandoned run must not leave its staging folder behind.
    except BaseException as error:
        store.abandon(run, str(error))
        raise


def draft_of_path(store: Store, run: Run, path: Path, request: LoadRequest) -> Draft:
    """Read a path with the reader that its first bytes and its name call for, and return the draft."""
    form = table_format(path)
    if form is not None:
        return _draft_of_table(store, run, path, form, request)
    _refuse_pinned_version(path, request)
    typed = typed_files(path)
    if typed or request.in_place:
        return _draft_of_typed(store, run, path, typed or [path], request)
    if path.is_dir() or is_pattern(path):
        return draft_of_text(store, run, path, _files(path), request)
    options = request.options
    if path.suffix.lower() in (".xlsx", ".xlsm") and begins_with(path, b"PK"):
        _only(options, {"header", "skip", "types"}, "an Excel file")
        read = read_excel(path, request.sheet, options.header, options.skip, options.types)
        return draft_of_table(
            store, run, path, loaded=read, key=request.key, origin=request.origin, archive=request.archive
        )
    if is_archive(path):
        return _draft_of_archive(store, run, path, request)
    reader = _reader(path, request)
    if reader is None:
        return draft_of_text(store, run, path, [path], request)
    _only(options, {"types"}, path.name)
    _refuse("sheet= is for Excel files", request.sheet)
    parts = reader(path, run.staging / "parts", types=options.types, key=request.key, progress=Progress(request.report))
    return draft_of_parts(store, path, parts, request.origin, request.archive)


def _draft_of_archive(store: Store, run: Run, path: Path, request: LoadRequest) -> Draft:
    """Return the draft of a zip or tar file: its files are one dataset, as those of a folder are."""
    archive = unpacked(path, run.staging / "unpacked")
    try:
        return draft_of_path(store, run, archive.chosen, replace(request, archive=archive, in_place=False))
    except BadInput as error:
        raise BadInput(archive.in_words(error.message), error.hint) from error


def _draft_of_table(store: Store, run: Run, path: Path, form: TableFormat, request: LoadRequest) -> Draft:
    """Return the draft of one version of a table, which refers to its files in place or copies their rows."""
    _only(request.options, {"types"}, f"{path.name}, {form.name},")
    snapshot = form.read(path, request.version, request.timestamp)
    files = [file.path for file in snapshot.files]
    keys: Documents = {}
    records = _records_beside(form, snapshot)
    doubts = "doubts about its rows stand beside the table" if any(each.kind == DOUBT for each in records) else None
    if _is_in_place(snapshot.path, files, request, lambda: snapshot.cannot_be_referenced or doubts):
        read = refer(snapshot.path, files, is_asked=bool(request.in_place))
    else:
        earlier = None if doubts else find_earlier_load(store, run.name, form, snapshot)
        read, keys = _changed_table(store, run, snapshot, earlier, request) or _copied_table(run, snapshot, request)
    read = with_table_notes(run.staging, read, records)
    found = with_saved_lineage(read, _lineage_beside(form, snapshot))
    read = found.read
    pinned = {"version": request.version, "timestamp": request.timestamp}
    options = {**read.report.options, **{name: value for name, value in pinned.items() if value is not None}}
    source = replace(read.report.source, path=request.origin or str(path.resolve()), version=snapshot.version)
    read = replace(read, report=replace(read.report, source=source, options=options))
    text = f"load {request.origin or path.name}"
    draft = draft_of_parts_alone(read, text if snapshot.version is None else f"{text}, version {snapshot.version}")
    doubt = replace(draft.doubt, row_set=any(each.kind == ROW_SET for each in records))
    documents = {**draft.documents, **keys, **found.documents}
    return replace(draft, documents=documents, arrays=found.arrays, doubt=doubt)


def _records_beside(form: TableFormat, snapshot: TableSnapshot) -> list[TableNote]:
    """Return the doubts about a table that stand beside it."""
    folder = notes_folder(snapshot.path)
    return notes_of_version(snapshot, form.read(folder, None, None)) if form.is_at(folder) else []


def _lineage_beside(form: TableFormat, snapshot: TableSnapshot) -> pa.Table:
    """Return the row lineage of a table that stands beside it."""
    folder = lineage_folder(snapshot.path)
    if not form.is_at(folder):
        return LINEAGE_SCHEMA.empty_table()
    return lineage_of_version(snapshot, form.read(folder, None, None))


def _changed_table(
    store: Store, run: Run, snapshot: TableSnapshot, earlier: EarlierLoad | None, request: LoadRequest
) -> tuple[Parts, Documents] | None:
    """Return the rows of a table that has changed. Only files whose rows are not known are read."""
    if earlier is None or request.key is not None or request.options.types:
        return None
    new = [file for file in snapshot.files if earlier.facts(file) is None]
    read = _copied_table(run, snapshot, request, new, first_new_row(earlier, snapshot))[0] if new else None
    joined = join_rows(store, run.staging, earlier, read, snapshot)
    shutil.rmtree(run.staging / "parts", ignore_errors=True)
    return None if joined is None else (joined, _row_keys(snapshot))


def _copied_table(
    run: Run,
    snapshot: TableSnapshot,
    request: LoadRequest,
    files: Sequence[TableFile] | None = None,
    first_row: int = 0,
) -> tuple[Parts, Documents]:
    """Write the rows of a table, or of some of its files, as parts. `first_row` is the number of the first of them.

    Rows are known by the numbers that the table gives them, if it does.
    """
    has_row_ids = snapshot.has_row_ids and request.key is None
    table = replace(snapshot, files=snapshot.files if files is None else files)
    table = table if has_row_ids else table.without_row_ids()
    hidden = (TABLE_ROW_COLUMN,) if has_row_ids else ()
    keys = _row_keys(snapshot) if has_row_ids else {}
    paths = [file.path for file in table.files]
    return _copied(run, table.path, table.rows_by_file, paths, request, hidden=hidden, first_row=first_row), keys


def _row_keys(snapshot: TableSnapshot) -> Documents:
    return {KEYS: {"columns": [TABLE_ROW_COLUMN], "declared": True}} if snapshot.has_row_ids else {}


def _refuse_pinned_version(path: Path, request: LoadRequest) -> None:
    if request.version is not None or request.timestamp is not None:
        raise BadInput(
            f"version= and timestamp= are for Delta and Iceberg tables, and {path} is none.", "Leave them out."
        )


def _draft_of_typed(store: Store, run: Run, path: Path, files: Sequence[Path], request: LoadRequest) -> Draft:
    """Return the draft of files with types, which refers to them in place or copies them."""
    _only(request.options, {"types"}, f"{path.name}, of files with types,")
    if _is_in_place(path, files, request):
        return draft_of_parts_alone(refer(path, files, is_asked=bool(request.in_place)), f"load {path.name}")
    read = _copied(run, path, [_typed(file) for file in files], files, request)
    return draft_of_parts(store, path, read, request.origin, request.archive)


def _copied(
    run: Run,
    path: Path,
    rows: Sequence[TypedFile],
    files: Sequence[Path],
    request: LoadRequest,
    hidden: Sequence[str] = (),
    first_row: int = 0,
) -> Parts:
    """Write the rows of files with types as parts. Their last columns are hidden ones."""
    typed = TypedRows(rows, hidden)
    facts = [FileFacts(str(file.resolve()), hash_file(file), file.stat().st_size, 0, 0) for file in files]
    read = rewrite_typed(
        typed,
        run.staging / "parts",
        combine_facts(path, facts),
        types=request.options.types,
        key=request.key,
        progress=Progress(request.report),
        first_row=first_row,
    )
    return replace(read, report=replace(read.report, files=file_facts(facts, typed.counts)))


def _typed(path: Path) -> TypedFile:
    """Return a file of a folder as rows with types. Raise an error if it is none, whatever its name says."""
    file = open_typed(path)
    if file is None:
        raise BadInput(f"The file {path} is not of the format that its name says.", "Take it away or get it again.")
    return file


def _is_in_place(
    path: Path, files: Sequence[Path], request: LoadRequest, obstacle: Callable[[], str | None] = lambda: None
) -> bool:
    """Whether the files are read in place. If the user insists and they cannot be, raise an error with the reason."""
    if request.in_place is False or (request.in_place is None and not is_large(files)):
        return False
    reason = "their rows have a key or types to be looked at" if request.key or request.options.types else None
    if not all(begins_with(file, PARQUET) for file in files):
        reason = "they are no Parquet files"
    if not request.reaches:
        reason = "Spark's processes do not see them"
    reason = reason or obstacle() or cannot_be_referenced(files)
    if reason is not None and request.in_place:
        raise BadInput(f"The rows of {path} cannot be read where they lie: {reason}.", "Leave in_place= out.")
    return reason is None


def draft_of_text(store: Store, run: Run, path: Path, files: Sequence[Path], request: LoadRequest) -> Draft:
    """Read delimited text in two passes and return the draft."""
    _refuse("sheet= is for Excel files", request.sheet)
    _refuse("table= is for databases", request.table)
    runner = request.spread() if request.spread is not None and _is_large(files) else run_in_turn
    aside, progress = store.layout.aside(run.name), Progress(request.report)
    job = Job(
        path=path,
        files=files,
        staging=run.staging,
        options=request.options,
        key=request.key,
        runner=runner,
        aside=aside,
        progress=progress,
        stretch=request.stretch,
    )
    return draft_of_parts(store, path, read_delimited(job), request.origin, request.archive)


def _is_large(files: Sequence[Path]) -> bool:
    least = SPREAD_BYTES if len(files) > 1 else SPLIT_BYTES
    return sum(file.stat().st_size for file in files if file.exists()) > least


def _files(path: Path) -> list[Path]:
    return files_of(path) if path.is_dir() or is_pattern(path) else [path]


def _reader(path: Path, request: LoadRequest) -> Callable[..., Parts] | None:
    """Return the reader for this file, or None if it is delimited text."""
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    if begins_with(path, SQLITE):
        return partial(read_sqlite, table=request.table)
    typed = open_typed(path)
    if typed is not None:
        return partial(_read_typed, typed)
    return read_json if suffixes and suffixes[-1] in _JSON else None


def _read_typed(
    file: TypedFile, path: Path, folder: Path, types: Mapping[str, str], key: str | None, progress: Progress
) -> Parts:
    return read_typed(file, folder, types, key, progress)


def _only(options: Options, allowed: set[str], what: str) -> None:
    """Raise an error for an option that has no meaning here, instead of ignoring it."""
    for name in options.as_document():
        if name not in allowed:
            raise BadInput(f"{name}= is for delimited text, and {what} is none.", "Leave it out.")


def _refuse(sentence: str, given: str | None) -> None:
    if given is not None:
        raise BadInput(f"{sentence}, and this is delimited text.", "Leave it out.")
