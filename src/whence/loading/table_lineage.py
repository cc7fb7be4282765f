"""The rows of sources behind each row of a table that whence saved: a small table of their own beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from whence.loading.delimited import Parts
from whence.loading.flag_table_notes import KIND
from whence.loading.problem_table import Problems, as_problems
from whence.loading.problems import of_file
from whence.loading.table_notes import content_keys
from whence.loading.table_snapshot import TableSnapshot
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput
from whence.model.plural import counted
from whence.store.arrays import Array
from whence.store.store import Store

FOLDER = "_whence_lineage"
"""Programs that clean the folder of a table leave names alone that begin so."""
SCHEMA = pa.schema(
    [
        ("version", pa.string()),
        ("replaces", pa.bool_()),
        ("columns", pa.list_(pa.string())),
        ("message", pa.string()),
        ("row_key", pa.string()),
        ("source", pa.string()),
        ("file", pa.string()),
        ("sha256", pa.string()),
        ("source_row", pa.int64()),
        ("line", pa.int64()),
        ("source_key", pa.string()),
    ]
)
"""Each save writes one line with `replaces`, `columns` and `message`, and one for each pair of rows.

`row_key` is a hash of the row's values in `columns`, as rows of such tables have no order. `source_key` is one of all
values of the source row.
"""
FOUND = pa.schema([SCHEMA.field(name) for name in ("source", "file", "source_row", "line", "source_key")]).insert(
    0, pa.field("row", pa.int64())
)
"""The columns of the lineage of a loaded dataset."""
DOCUMENT = "lineage_beside"
ARRAYS = "lineage_beside"
MOST_ROWS = 5_000_000
"""The rows of a larger table are not looked up: hashing them would take longer than loading them."""
_SOURCE = ("source", "file", "sha256")
_OF_PAIRS = ("row_key", *_SOURCE, "source_row", "line", "source_key")


@dataclass(frozen=True)
class FoundLineage:
    """The lineage that stands beside a table, at the rows that were loaded."""

    arrays: Mapping[str, Mapping[str, Array]]
    documents: Mapping[str, object]
    read: Parts


def lineage_folder(table: Path) -> Path:
    """Return the folder of the table of lineage of a table."""
    return table / FOLDER


def lineage_of_version(snapshot: TableSnapshot, beside: TableSnapshot) -> pa.Table:
    """Return what was written about the rows of a version of a table, down to the last save that replaced all rows."""
    table = _rows(beside)
    found = [SCHEMA.empty_table()]
    known = set(table.column("version").to_pylist())
    for version in snapshot.ancestors:
        if version not in known:
            continue
        mine = table.filter(pc.equal(table.column("version"), version))
        found.append(mine)
        if pc.any(mine.column("replaces")).as_py():
            break
    return pa.concat_tables(found)


def _rows(beside: TableSnapshot) -> pa.Table:
    try:
        batches = [batch.select(SCHEMA.names) for file in beside.rows_by_file for batch in file.batches()]
        tables = [pa.Table.from_batches([each]).cast(SCHEMA) for each in batches]
        return pa.concat_tables([SCHEMA.empty_table(), *tables])
    except (KeyError, pa.ArrowException) as error:
        raise BadInput(
            f"The lineage beside the table, in {beside.path}, cannot be read.", "Remove that folder."
        ) from error


def with_saved_lineage(read: Parts, lineage: pa.Table) -> FoundLineage:
    """Return rows with the lineage that was written about rows of the same values, and a note if some have none."""
    heads = lineage.filter(lineage.column("row_key").is_null()).to_pylist()
    if not heads:
        return FoundLineage({}, {}, read)
    notes = [each["message"] for each in heads if each["message"]]
    rows = sum(part.rows for part in read.parts)
    pairs = lineage.filter(lineage.column("row_key").is_valid())
    columns = heads[0]["columns"]
    if rows > MOST_ROWS:
        notes.append(f"Row lineage stands beside the table, but {counted(rows, 'row')} are too many to look up.")
        placed = None
    elif any(each["columns"] != columns for each in heads) or not _have_columns(read, columns):
        notes.append("Row lineage beside the table is about rows with other columns.")
        placed = None
    else:
        placed = _placed(read, pairs, columns)
    if placed is None:
        return FoundLineage({}, {}, _with_notes(read, notes))
    arrays, sources = placed
    without = rows - len(np.unique(arrays["row"]))
    if without and len(pairs):
        notes.append(f"Row lineage stands beside the table for all but {counted(without, 'row')}.")
    documents = {DOCUMENT: {"sources": sources}}
    return FoundLineage({ARRAYS: arrays}, documents, _with_notes(read, notes))


def _have_columns(read: Parts, columns: Sequence[str]) -> bool:
    names = set(pq.read_schema(read.parts[0].path).names) if read.parts else set()
    return names.issuperset(columns)


def _with_notes(read: Parts, notes: Sequence[str]) -> Parts:
    if not notes:
        return read
    problems = [as_problems(read.report.problems), Problems.of([of_file(KIND, each) for each in notes])]
    return replace(read, report=replace(read.report, problems=Problems.joined(problems)))


def _placed(read: Parts, pairs: pa.Table, columns: Sequence[str]) -> tuple[dict[str, Array], list[dict[str, object]]]:
    """Return the pairs as arrays, by row, and the sources that the numbers in them mean."""
    here = pa.table({"row_key": _keys(read, columns)})
    here = here.append_column("row", pa.array(np.arange(here.num_rows)))
    found = here.join(pairs.select(_OF_PAIRS), "row_key", join_type="inner")
    found = found.sort_by([(name, "ascending") for name in ("row", *_SOURCE, "source_row")])
    mine = list(zip(*(found.column(name).to_pylist() for name in _SOURCE), strict=True))
    numbers = {facts: number for number, facts in enumerate(sorted(set(mine)))}
    keys = np.frombuffer(bytes.fromhex("".join(found.column("source_key").to_pylist())), ">u8").reshape(-1, 2)
    sources: list[dict[str, object]] = [dict(zip(_SOURCE, facts, strict=True)) for facts in numbers]
    arrays: dict[str, Array] = {
        "row": found.column("row").to_numpy(),
        "source": np.array([numbers[each] for each in mine], np.int64),
        "source_row": found.column("source_row").to_numpy(),
        "line": found.column("line").fill_null(-1).to_numpy(),
        "key_first": keys[:, 0].astype(np.uint64),
        "key_second": keys[:, 1].astype(np.uint64),
    }
    return arrays, sources


def _keys(read: Parts, columns: Sequence[str]) -> list[str]:
    tables = (pq.read_table(part.path, columns=list(columns), partitioning=None) for part in read.parts)
    return content_keys(tables, columns)


@dataclass(frozen=True)
class SavedLineage:
    """The lineage that stood beside the table that a dataset was loaded from."""

    sources: Sequence[Mapping[str, str]]
    arrays: Mapping[str, Array]

    def of(self, rows: npt.NDArray[np.int64]) -> pa.Table:
        """Return the source rows behind these rows: a line for each pair."""
        is_asked = np.isin(self.arrays["row"], rows)
        some = {name: array[is_asked] for name, array in self.arrays.items()}
        facts = [self.sources[number] for number in some["source"].tolist()]
        keys = zip(some["key_first"].tolist(), some["key_second"].tolist(), strict=True)
        return pa.table(
            [
                some["row"].tolist(),
                [each["source"] for each in facts],
                [each["file"] for each in facts],
                some["source_row"].tolist(),
                [None if line < 0 else line for line in some["line"].tolist()],
                [f"{first:016x}{second:016x}" for first, second in keys],
            ],
            schema=FOUND,
        )


def saved_lineage(store: Store, record: DatasetRecord) -> SavedLineage | None:
    """Return the lineage that stood beside the table of a dataset version; None if there was none."""
    document, arrays = store.document(record, DOCUMENT), store.arrays(record, ARRAYS)
    if document is None or arrays is None:
        return None
    sources = document["sources"]
    assert isinstance(sources, list)
    return SavedLineage(sources, arrays)
