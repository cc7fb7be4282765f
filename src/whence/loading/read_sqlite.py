"""Reads a table of an SQLite file as the parts of a dataset."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import numpy as np

from whence.loading.cells import plain
from whence.loading.delimited import Parts
from whence.loading.problems import Problem, of_file
from whence.loading.progress import Progress
from whence.loading.records import CHUNK, Chunk, Records, read_records, replayed
from whence.loading.report import SourceFacts
from whence.loading.scratch import IN_MEMORY
from whence.model.errors import BadInput
from whence.store.durable import hash_file

SQLITE = b"SQLite format 3\x00"
# Escaped, because an underscore alone stands for any letter, and SQLite reserves only names that begin with `sqlite_`.
_TABLES = r"""
    select name from sqlite_master
    where type in ('table', 'view') and name not like 'sqlite\_%' escape '\' order by rowid
"""


def read_sqlite(
    path: Path,
    folder: Path,
    table: str | None = None,
    types: Mapping[str, str] | None = None,
    key: str | None = None,
    progress: Progress | None = None,
) -> Parts:
    """Write one table or view as parts into a folder, the first unless one is named."""
    try:
        with _opened(path) as database:
            names = [name for (name,) in database.execute(_TABLES)]
            chosen = _choose_table(names, path, table)
            query = f'select * from "{chosen.replace(chr(34), chr(34) * 2)}"'
            header = [column[0] for column in database.execute(f"{query} limit 0").description]
        records = Records(
            lambda: SourceFacts(str(path.resolve()), hash_file(path), path.stat().st_size),
            replayed(lambda: _chunks(path, query), keep=path.stat().st_size <= IN_MEMORY),
            list(_others(names, chosen, table)),
            header=header,
        )
        return read_records(records, folder, types or {}, key, progress)
    except sqlite3.Error as error:
        raise BadInput(f"The SQLite file {path} cannot be read: {error}.", "Check it with another program.") from error


def _opened(path: Path) -> closing[sqlite3.Connection]:
    # `ahead` reads the chunks in a background thread, hence check_same_thread.
    return closing(sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True, check_same_thread=False))


def _chunks(path: Path, query: str) -> Iterator[Chunk]:
    start = 1
    with _opened(path) as database:
        cursor = database.execute(query)
        while rows := cursor.fetchmany(CHUNK):
            columns: dict[str | int, list[object]] = {
                number: [plain(value) for value in values] for number, values in enumerate(zip(*rows, strict=True))
            }
            yield Chunk(columns, np.arange(start, start + len(rows)))
            start += len(rows)


def _choose_table(names: list[str], path: Path, table: str | None) -> str:
    if not names:
        raise BadInput(f"The SQLite file {path} has no table in it.")
    if table is not None and table not in names:
        raise BadInput(f"The SQLite file {path} has no table {table}.", f"There are {', '.join(names)}.")
    return table or names[0]


def _others(names: list[str], chosen: str, table: str | None) -> Iterator[Problem]:
    others = [name for name in names if name != chosen]
    if others and table is None:
        what = f"The table {chosen} was loaded; there are also {', '.join(others)}, table= chooses one."
        yield of_file("other tables", what)
