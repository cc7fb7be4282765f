from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from whence.loading import parse as parse_module
from whence.loading.exact import UNCLOSED, Form, records
from whence.loading.parse import Odd, parse

FIELD = st.sampled_from(["", '""', '"a"', '"a,b"', '"a""b"', '"x\ny"', '"""a"', "a", "1", 'a"b', '"a"b', '"'])
NASTY = st.one_of(
    st.text(alphabet=st.sampled_from(list('ab1,;"\n\r\t |é\x00\\')), max_size=60),
    st.lists(st.lists(FIELD, min_size=1, max_size=3).map(",".join), max_size=6).map("\n".join),
)
TIDY = st.lists(st.lists(st.text(alphabet='ab,"\n\r é', max_size=5), min_size=2, max_size=2), max_size=12)


@dataclass
class Body:
    """All pieces of a text together."""

    columns: list[list[str | None]]
    lines: list[int]
    odd: list[Odd]


def read_all(data: bytes, width: int, form: Form | None = None) -> Body:
    body = Body([[] for _ in range(width)], [], [])
    for piece in parse(data, form or Form(), width):
        body.odd += [replace(odd, row=odd.row + len(body.lines)) for odd in piece.odd]
        body.lines += piece.lines.tolist()
        for column, values in zip(body.columns, piece.columns, strict=True):
            column += values.to_pylist()
    return body


def by_python(text: str) -> list[list[str]]:
    return [record for record in csv.reader(io.StringIO(text, newline="")) if record]


def exactly(data: bytes) -> list[list[str]]:
    return [[(value or b"").decode() for value in record.fields] for record in records(data, Form())]


def has_unclosed_quote(data: bytes) -> bool:
    return any(kind == UNCLOSED for record in records(data, Form()) for _, kind in record.odd)


@given(NASTY)
@settings(max_examples=400, deadline=None)
def test_the_exact_reading_is_the_one_of_pythons_csv_module(text: str) -> None:
    data = text.encode()
    if not has_unclosed_quote(data):
        assert exactly(data) == by_python(text)


@given(NASTY, st.integers(1, 4), st.integers(1, 40))
@example('"",', 2, 40)
@settings(max_examples=400, deadline=None)
def test_the_fast_way_gives_what_the_exact_way_gives(text: str, width: int, window: int) -> None:
    data = text.encode()
    expected = list(records(data, Form()))
    with patch.object(parse_module, "WINDOW", window), patch.object(parse_module, "EXACT_STRETCH", window):
        body = read_all(data, width)
    assert body.lines == [record.line for record in expected]
    padded = [(record.fields + [None] * width)[:width] for record in expected]
    assert body.columns == [
        [None if (field := fields[column]) is None else field.decode() for fields in padded] for column in range(width)
    ]
    ragged = [row for row, record in enumerate(expected) if len(record.fields) != width]
    assert [odd.row for odd in body.odd if odd.column is None] == ragged


@given(TIDY, st.sampled_from(["\n", "\r\n", "\r"]), st.integers(1, 40))
@settings(max_examples=200, deadline=None)
def test_what_python_writes_is_read_back(rows: list[list[str]], newline: str, window: int) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator=newline, quoting=csv.QUOTE_ALL).writerows(rows)
    with patch.object(parse_module, "WINDOW", window):
        body = read_all(out.getvalue().encode(), 2)
    assert [list(row) for row in zip(*body.columns, strict=True)] == rows
    assert body.odd == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a,b\nc,d\n", [1, 2]),
        ("\n\na,b\r\n\r\nc,d", [3, 5]),
        ('a,"x\ny\r\nz"\nc,d\n', [1, 4]),
        ("a,b\rc,d\re,f", [1, 2, 3]),
        ('a,b\nc,5" pipe\n"x\ny",d\ne,f\n', [1, 2, 3, 5]),
    ],
)
def test_each_record_knows_the_line_it_begins_on(text: str, lines: list[int]) -> None:
    assert read_all(text.encode(), 2).lines == lines


def test_an_empty_field_is_null_and_a_quoted_empty_one_is_not() -> None:
    body = read_all(b'a,\n"",b\n,""\n', 2)
    assert body.columns == [["a", "", None], [None, "b", ""]]


def test_a_quote_that_is_never_closed_spoils_one_cell_only() -> None:
    body = read_all(b'a,b\nc,"d\ne,f\n', 2)
    assert body.columns == [["a", "c", "e"], ["b", '"d', "f"]]
    assert [(odd.row, odd.column, odd.kind) for odd in body.odd] == [(1, 1, UNCLOSED)]
