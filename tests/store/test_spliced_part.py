"""A part file without some rows holds what Arrow's filter gives, for whichever program reads it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from whence.store.durable import hash_file
from whence.store.parts import ROW_GROUP, write_part
from whence.store.spliced_part import splice_part
from whence.store.thrift_compact import I32, LIST, STRUCT, ThriftList, ThriftStruct, parse_struct, struct_bytes

ROWS = 3 * ROW_GROUP + 1_000


def table(rows: int, seed: int = 0) -> pa.Table:
    draw = np.random.default_rng(seed)
    numbers = draw.integers(-1000, 1000, rows)
    return pa.table(
        {
            "n": pa.array(numbers, mask=draw.random(rows) < 0.1),
            "name": [f"name {each}" for each in range(rows)],
            "town": [None if each % 7 == 0 else f"town {each % 50}" for each in numbers.tolist()],
            "x": pa.array(np.where(numbers == 5, np.inf, numbers / 3)),
            "on": pa.array(numbers % 2 == 0),
            "id": pa.array(np.arange(rows, dtype=np.int32)),
        }
    )


def reader(path: Path) -> Any:  # noqa: ANN401 - a function of rows and columns
    return lambda start, stop, names: pq.read_table(path, columns=list(names)).select(list(names))[start:stop]


def without(rows: int, *gone: int) -> Any:  # noqa: ANN401 - a mask
    kept = np.ones(rows, dtype=bool)
    kept[list(gone)] = False
    return kept


@pytest.mark.parametrize(
    "gone",
    [[5], [0, ROWS - 1], list(range(ROW_GROUP)), list(range(ROW_GROUP - 3, 2 * ROW_GROUP + 7, 2)), list(range(ROWS))],
)
def test_every_reader_sees_the_rows_that_stay(gone: list[int], tmp_path: Path) -> None:
    given, source, target = table(ROWS), tmp_path / "a.parquet", tmp_path / "b.parquet"
    write_part(source, given.to_batches(), given.schema)
    kept = without(ROWS, *gone)
    moved = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
    part = splice_part(
        target, source.read_bytes(), kept, reader(source), {"id": lambda ids: pa.array(moved[ids.to_numpy()])}
    )
    assert part is not None
    expected = given.filter(pa.array(kept))
    expected = expected.set_column(5, "id", pa.array(np.arange(len(expected), dtype=np.int32)))
    file = pq.ParquetFile(target, page_checksum_verification=True)
    assert file.read().equals(expected) or (file.read().num_rows == expected.num_rows == 0)
    assert sum(file.metadata.row_group(each).num_rows for each in range(file.num_row_groups)) == kept.sum()
    assert (part.rows, part.size, part.sha256) == (kept.sum(), target.stat().st_size, hash_file(target))
    # Another reader with statistics: it skips row groups by them.
    query = f"select count(*), sum(n), sum(id), count(town), min(name) from '{target}' where n > 990"
    other = tmp_path / "other.parquet"
    pq.write_table(expected, other)
    seen = [duckdb.execute(query.replace(str(target), str(each))).fetchall() for each in (target, other)]
    assert seen[0] == seen[1]


def test_no_byte_of_a_row_that_goes_is_left_and_other_chunks_are_copied(tmp_path: Path) -> None:
    given, source, target = table(ROWS), tmp_path / "a.parquet", tmp_path / "b.parquet"
    needle = "Ottilie-Quandt-7741"
    names = given.column("name").to_pylist()
    names[ROW_GROUP + 3] = needle
    given = given.set_column(1, "name", pa.array(names))
    pq.write_table(given, source, compression="none", row_group_size=ROW_GROUP)
    assert needle.encode() in source.read_bytes()
    assert splice_part(target, source.read_bytes(), without(ROWS, ROW_GROUP + 3), reader(source), {}) is not None
    assert needle.encode() not in target.read_bytes()
    chunks = [pq.read_metadata(each).row_group(2).column(1) for each in (source, target)]
    pages = [
        path.read_bytes()[each.dictionary_page_offset or each.data_page_offset :][: each.total_compressed_size]
        for path, each in zip((source, target), chunks, strict=True)
    ]
    assert pages[0] == pages[1]


def test_spliced_files_are_spliced_again(tmp_path: Path) -> None:
    given, path = table(2 * ROW_GROUP), tmp_path / "0.parquet"
    write_part(path, given.to_batches(), given.schema)
    for number in range(1, 4):
        after = tmp_path / f"{number}.parquet"
        kept = without(given.num_rows, number, given.num_rows - number)
        assert splice_part(after, path.read_bytes(), kept, reader(path), {}) is not None
        given, path = given.filter(pa.array(kept)), after
        assert pq.read_table(path).equals(given)


def test_a_file_with_nested_columns_is_not_spliced(tmp_path: Path) -> None:
    given, source = pa.table({"n": [[1], [2, 3]]}), tmp_path / "a.parquet"
    write_part(source, given.to_batches(), given.schema)
    assert splice_part(tmp_path / "b.parquet", source.read_bytes(), without(2, 0), reader(source), {}) is None
    assert not (tmp_path / "b.parquet").exists()


def test_a_file_that_encodes_a_column_in_another_way_is_not_spliced(tmp_path: Path) -> None:
    given, source = pa.table({"at": pa.array([1, 2], pa.timestamp("us"))}), tmp_path / "a.parquet"
    pq.write_table(given, source, use_deprecated_int96_timestamps=True)
    read = reader(source)

    def micros(start: int, stop: int, names: Sequence[str]) -> pa.Table:
        return read(start, stop, names).cast(given.schema)

    assert splice_part(tmp_path / "b.parquet", source.read_bytes(), without(2, 0), micros, {}) is None


def test_a_footer_is_the_same_after_it_was_parsed(tmp_path: Path) -> None:
    given, source = table(ROWS), tmp_path / "a.parquet"
    write_part(source, given.to_batches(), given.schema)
    data = source.read_bytes()
    length = int.from_bytes(data[-8:-4], "little")
    footer = data[-8 - length : -8]
    assert struct_bytes(parse_struct(footer)) == footer
    long = ThriftStruct({1: (I32, -(2**31)), 40: (LIST, ThriftList(STRUCT, [ThriftStruct({2: (1, True)})] * 20))})
    assert parse_struct(struct_bytes(long)) == long
