"""Drafts a loaded or created dataset version without some of its rows: parts, flags, caveats and documents."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import DamagedFile
from whence.model.schema import INTERNAL_PREFIX, LINE_COLUMN, ROW_FLAG_COLUMN, flag_column
from whence.store.caveat_file import Caveats
from whence.store.cut_source import LOAD_REPORT, cut_source
from whence.store.draft import Draft
from whence.store.manifest import StoredPart
from whence.store.parts import PartFile, write_part
from whence.store.runs import Run
from whence.store.spliced_part import Changes, ReadRows, splice_part
from whence.store.store import Store

Mask = npt.NDArray[np.bool_]

_FORGOTTEN_WORDS = "The words of this caveat held values of rows that were forgotten."
_STRETCH = 262_144


def draft_without(
    store: Store, run: Run, record: DatasetRecord, stays: Mask, values: frozenset[str] = frozenset()
) -> Draft:
    """Return the draft of a version that has only the rows for which `stays` is true.

    Its source file is cut as well, and lines are numbered as in the cut file; a file that cannot be cut is left out.
    A caveat that stays and whose words hold one of `values` loses its words.
    """
    source = cut_source(store, record, stays, values)
    caveats = _without_values(store.caveat_table(record), values)
    kept = _caveats_that_stay(caveats, stays)
    documents = {name: store.document(record, name) or {} for name in _documents(store, record)}
    if LOAD_REPORT in documents:
        documents[LOAD_REPORT] = _cut_report(documents[LOAD_REPORT], kept, stays)
    left = _renumbered(caveats.filter(pa.array(kept)), stays)
    if source is not None:
        place = left.schema.get_field_index("line")
        left = left.set_column(place, "line", source.new_lines(left["line"]))
    changes = {} if source is None else {LINE_COLUMN: source.new_lines}
    known = {} if source is None else {LINE_COLUMN: pa.array(source.lines)}
    with ThreadPoolExecutor(1, "whence-source") as beside:
        # To hash, write and sync the source file takes as long as to cut the parts.
        kept_source = None if source is None else beside.submit(store.add_content, source.pieces)
        parts = tuple(cut_parts(store, run.staging, record, stays, changes, known=known))
    return Draft(
        schema=record.schema,
        parts=parts,
        text=record.text,
        doubt=_doubt_of(store, record, stays),
        caveats=Caveats(left),
        documents=documents,
        sources=() if kept_source is None else (kept_source.result(),),
    )


def new_rids(stays: Mask) -> npt.NDArray[np.int64]:
    """Return the new row id of each row, and -1 for those that go.

    >>> new_rids(np.array([True, False, True])).tolist()
    [0, -1, 1]
    """
    return np.where(stays, np.cumsum(stays) - 1, -1)


def _documents(store: Store, record: DatasetRecord) -> list[str]:
    return [name.removesuffix(".json") for name in store.manifest(record).files if name.endswith(".json")]


def cut_parts(
    store: Store,
    staging: Path,
    record: DatasetRecord,
    stays: Mask,
    changes: Changes | None = None,
    known: Mapping[str, pa.Array] | None = None,
) -> Iterator[PartFile]:
    """Yield the parts without the rows that go; `changes` says what values of columns become in rows that stay.

    `known` holds columns that were read already.
    A part that loses no row and in which nothing changes is shared with the old version.
    """
    for number, part in enumerate(store.manifest(record).parts):
        path = staging / f"cut-{number:05d}.parquet"
        kept = stays[part.offset : part.offset + part.rows]
        # A file outside the workspace is copied: a link to it would be a way back to the rows.
        if kept.all() and part.changed is None and not changes:
            source = store.layout.dataset(record.id) / part.path
            try:
                os.link(source, path)
            except OSError:
                shutil.copyfile(source, path)
            yield PartFile(str(path), part.rows, part.size, part.sha256)
        else:
            yield _cut_part(store, record, part, path, kept=kept, changes=changes or {}, known=known or {})


def _cut_part(
    store: Store,
    record: DatasetRecord,
    part: StoredPart,
    path: Path,
    *,
    kept: Mask,
    changes: Changes,
    known: Mapping[str, pa.Array],
) -> PartFile:
    def read(start: int, stop: int, columns: Sequence[str]) -> pa.Table:
        if known.keys() >= set(columns) != set():
            return pa.table({name: known[name].slice(part.offset + start, stop - start) for name in columns})
        return store.read(record, part.offset + start, part.offset + stop, columns)

    if part.changed is None:
        spliced = splice_part(path, _own_bytes(store, record, part), kept, read, changes, syncs=store.late_syncs)
        if spliced is not None:
            return spliced
    columns = stored_columns(store, record)
    batches = _batches(read, part.rows, columns, kept)
    changed = (_changed(batch, changes) for batch in batches)
    return write_part(path, changed, read(0, 0, columns).schema, store.late_syncs)


def _own_bytes(store: Store, record: DatasetRecord, part: StoredPart) -> bytes:
    """Return the content of a part file; what is damaged must not get a new checksum."""
    data = (store.layout.dataset(record.id) / part.path).read_bytes()
    if hashlib.sha256(data).hexdigest() != part.sha256:
        raise DamagedFile(f"A file of {record.label} is not what was written.", "Run `whence doctor`.")
    return data


def _batches(read: ReadRows, rows: int, columns: Sequence[str], kept: Mask) -> Iterator[pa.RecordBatch]:
    for start in range(0, rows, _STRETCH):
        stop = min(start + _STRETCH, rows)
        yield from read(start, stop, columns).filter(pa.array(kept[start:stop])).combine_chunks().to_batches()


def _changed(batch: pa.RecordBatch, changes: Changes) -> pa.RecordBatch:
    for place, field in enumerate(batch.schema):
        if field.name in changes:
            batch = batch.set_column(place, field, changes[field.name](batch.column(place)))
    return batch


def stored_columns(store: Store, record: DatasetRecord) -> list[str]:
    """Return every column of the part files: those of users, doubt flags, line numbers and row ids of inputs."""
    folder = store.layout.dataset(record.id)
    names = (name for part in store.manifest(record).parts for name in pq.read_schema(folder / part.path).names)
    return [*record.schema.names, *dict.fromkeys(name for name in names if name.startswith(INTERNAL_PREFIX))]


def _caveats_that_stay(caveats: pa.Table, stays: Mask) -> Mask:
    """Return which caveats stay: those of rows that stay, and those of no row."""
    rows = pc.fill_null(caveats["row"], -1).to_numpy()
    return cast(Mask, np.where(rows < 0, True, np.append(stays, True)[rows]))


def _without_values(caveats: pa.Table, values: frozenset[str]) -> pa.Table:
    """Return the caveats with other words where theirs hold one of the values."""

    def holds(text: str | None) -> bool:
        return text is not None and any(value in text for value in values)

    said = zip(caveats["message"].to_pylist(), caveats["text"].to_pylist(), strict=True)
    hit = pa.array([any(map(holds, each)) for each in said], pa.bool_()) if values else None
    if hit is None or not pc.any(hit).as_py():
        return caveats
    words = pc.if_else(hit, pa.scalar(_FORGOTTEN_WORDS), caveats["message"])
    texts = pc.if_else(hit, pa.scalar(None, pa.string()), caveats["text"])
    places = {name: place for place, name in enumerate(caveats.column_names)}
    return caveats.set_column(places["message"], "message", words).set_column(places["text"], "text", texts)


def _renumbered(caveats: pa.Table, stays: Mask) -> pa.Table:
    old = caveats["row"]
    rows = np.append(new_rids(stays), -1)[pc.fill_null(old, -1).to_numpy()]
    return caveats.set_column(0, "row", pa.array(rows, pa.int64(), mask=pc.is_null(old).to_numpy()))


def _doubt_of(store: Store, record: DatasetRecord, stays: Mask) -> Doubt:
    def has_flag(column: str) -> bool:
        return bool(store.read(record, 0, record.rows, [column]).column(0).to_numpy()[stays].any())

    places = {name: record.schema.position(name) for name in record.doubt.columns}
    columns = (name for name, place in places.items() if place is not None and has_flag(flag_column(place)))
    return Doubt(frozenset(columns), record.doubt.rows and has_flag(ROW_FLAG_COLUMN), record.doubt.row_set)


def _cut_report(report: Mapping[str, Any], kept: Mask, stays: Mask) -> dict[str, object]:
    """Return the report of a load without the problems that go, and with the number of rows that stay."""
    kinds = np.repeat([str(kind) for kind, _ in report["kinds"]], [int(count) for _, count in report["kinds"]])
    left = [str(kind) for kind in kinds[kept[: len(kinds)]]]
    counts = {kind: left.count(kind) for kind in dict.fromkeys(left)}
    return {
        **report,
        "records": int(stays.sum()),
        "kinds": [[kind, 1] for kind in left],
        "counts": dict(sorted(counts.items(), key=lambda each: -each[1])),
        "files": [_cut_file(file, stays) for file in report["files"]],
    }


def _cut_file(file: Mapping[str, Any], stays: Mask) -> dict[str, object]:
    """Return the facts of one file of a folder, with the place and number of its rows that stay."""
    first, rows = int(file["first_row"]), int(file["rows"])
    return {**file, "first_row": int(stays[:first].sum()), "rows": int(stays[first : first + rows].sum())}
