"""Whatever the text, each of its fields is found again: as a value, or in a problem at its place."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.loading.reading import read
from whence.loading import Loaded
from whence.loading.exact import Form, Record, records

HEADER = "aa,bb\n"
WIDTH = 2

FIELD = st.one_of(
    st.sampled_from(
        ["", '""', "1", "-7", "2.5", "1e3", "1e400", "NA", "007", "true", "2024-01-31", "2024-02-30", " 3 "]
    ),
    st.text(alphabet='a1,"\n\ré .-', max_size=4),
)
BODY = st.lists(st.lists(FIELD, min_size=1, max_size=3).map(",".join), max_size=12).map("\n".join)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nasty")


@given(BODY)
@example("1,1\n2,2\n3,\x00\n4,4\n")
@settings(max_examples=300, deadline=None)
def test_every_field_is_a_value_or_is_kept_in_a_problem(folder: Path, body: str) -> None:
    data = (HEADER + body).encode()
    loaded = read(folder, data)
    _, *expected = records(data, Form())
    assert loaded.table.num_rows == len(expected)
    assert loaded.table["__whence_line"].to_pylist() == [record.line for record in expected]
    kept = {(problem.row, problem.column): problem.text for problem in loaded.problems if problem.kind != "zero byte"}
    for row, record in enumerate(expected):
        check_row(loaded, row, record, kept)


def check_row(loaded: Loaded, row: int, record: Record, kept: dict[tuple[int | None, str | None], str | None]) -> None:
    for column, name in enumerate(("aa", "bb")):
        field = record.fields[column] if column < len(record.fields) else None
        value = loaded.table[name][row]
        if value.as_py() is None:
            assert kept.get((row, name), "") == ("" if field is None else field.decode()) or not field
        else:
            assert field is not None
            assert means(value, field.decode())
    extras = record.fields[WIDTH:]
    if any(extra is not None for extra in extras):
        text = kept[(row, None)]
        assert text == loaded.table["_extra"][row].as_py()
        assert text is not None
        (again,) = records(text.encode(), Form()) if text.strip("\r\n") else [None]
        assert again is not None
        assert again.fields == extras


def means(value: pa.Scalar, text: str) -> bool:
    """Whether a typed value says what the text says."""
    if pa.types.is_string(value.type):
        return bool(value.as_py() == text)
    if pa.types.is_boolean(value.type):
        return str(value.as_py()).lower() == text.strip().lower()
    if pa.types.is_integer(value.type) or pa.types.is_decimal(value.type):
        return Decimal(value.as_py()) == Decimal(text.strip())
    if pa.types.is_floating(value.type):
        return bool(value.as_py() == float(text))
    return str(value.as_py()) == text.strip()
