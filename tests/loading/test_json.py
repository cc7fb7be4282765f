from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.loading.reading import loaded_of, places, rows, types
from whence.loading import Loaded
from whence.loading.read_json import read_json
from whence.model.errors import BadInput


def read(folder: Path, text: str, name: str = "t.jsonl") -> Loaded:
    path = folder / name
    path.write_text(text)
    return loaded_of(read_json(path, folder / name.replace(".", "_")))


def test_each_line_is_a_row_and_each_key_a_column(tmp_path: Path) -> None:
    loaded = read(tmp_path, '{"a": 1, "b": "x"}\n\n{"b": null, "c": true}\n{"a": 2.5}\n')
    assert types(loaded) == {"a": "double", "b": "string", "c": "boolean"}
    assert rows(loaded) == [(1.0, "x", None), (None, None, True), (2.5, None, None)]
    assert loaded.table["__whence_line"].to_pylist() == [1, 3, 4]
    assert loaded.problems == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('[{"a": 1},\n {"a": 2}]\n', [1, 2]),
        ('[\n{"a":\n1}\n,{"a": 2}\n]', [2, 4]),
        ('{\n "a": 1\n}\n{"a": 2}', [1, 4]),
    ],
)
def test_arrays_and_objects_over_several_lines_are_records_too(tmp_path: Path, text: str, lines: list[int]) -> None:
    loaded = read(tmp_path, text, "t.json")
    assert rows(loaded) == [(1,), (2,)]
    assert loaded.table["__whence_line"].to_pylist() == lines


def test_a_value_of_another_kind_is_a_misfit_with_its_json(tmp_path: Path) -> None:
    loaded = read(tmp_path, '{"a": 1}\n{"a": 2}\n{"a": 3}\n{"a": {"b": [1.50]}}\n')
    assert rows(loaded) == [(1,), (2,), (3,), (None,)]
    assert places(loaded) == [("misfit", 3, "a", '{"b": [1.50]}')]


def test_kinds_that_change_all_the_time_stay_json(tmp_path: Path) -> None:
    loaded = read(tmp_path, '{"a": 1}\n{"a": "1"}\n{"a": [1]}\n')
    assert rows(loaded) == [("1",), ('"1"',), ("[1]",)]
    assert places(loaded) == [("mixed types", None, "a", None)]


def test_text_stays_text_unless_all_of_it_is_dates(tmp_path: Path) -> None:
    loaded = read(tmp_path, '{"n": "12", "d": "2024-01-31"}\n{"n": "007", "d": "2024-02-01"}\n')
    assert rows(loaded) == [("12", date(2024, 1, 31)), ("007", date(2024, 2, 1))]


def test_no_digit_is_lost(tmp_path: Path) -> None:
    loaded = read(
        tmp_path, '{"a": 0.1234567890123456789, "b": [0.1]}\n{"a": 12345678901, "b": [0.12345678901234567]}\n'
    )
    assert rows(loaded) == [
        (Decimal("0.1234567890123456789"), "[0.1]"),
        (Decimal(12345678901), "[0.12345678901234567]"),
    ]


def test_half_a_letter_is_shown_as_such_and_kept(tmp_path: Path) -> None:
    loaded = read(tmp_path, '{"a": "x\\ud800y"}\n{"a": "z"}\n')
    assert rows(loaded) == [("x�y",), ("z",)]
    assert places(loaded) == [("bad letters", 0, "a", '"x\\ud800y"')]


def test_bytes_that_are_no_letters_are_shown_as_such_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes('{"a": "é"}\n{"a": "é'.encode() + b'\xff"}\n')
    loaded = loaded_of(read_json(path, tmp_path / "parts"))
    assert rows(loaded) == [("é",), ("é�",)]
    assert places(loaded) == [("bad bytes", None, None, '{"a": "é\\xff"}')]
    assert loaded.problems[0].line == 2


def test_a_line_that_is_no_object_is_kept_as_an_empty_row_with_its_text(tmp_path: Path) -> None:
    loaded = read(tmp_path, '{"a": 1}\n{"a": 2\n[3]\n')
    assert rows(loaded) == [(1,), (None,), (None,)]
    assert places(loaded) == [("not an object", 1, None, '{"a": 2'), ("not an object", 2, None, "[3]")]


def test_a_key_that_comes_twice_keeps_both_values(tmp_path: Path) -> None:
    loaded = read(tmp_path, '{"a": 1, "a": "x"}\n')
    assert rows(loaded) == [(1,)]
    assert places(loaded) == [("repeated key", 0, "a", '"x"')]


def test_words_that_are_no_json_numbers_are_misfits(tmp_path: Path) -> None:
    loaded = read(tmp_path, '{"a": 1.5}\n{"a": NaN}\n{"a": -Infinity}\n')
    assert places(loaded) == [("misfit", 1, "a", "NaN"), ("misfit", 2, "a", "-Infinity")]


def test_lists_and_objects_of_one_form_are_nested_columns(tmp_path: Path) -> None:
    loaded = read(tmp_path, '{"a": [1, 2], "b": {"x": 1, "y": "z"}}\n{"a": [], "b": {"x": 2}}\n')
    assert types(loaded) == {"a": "array<bigint>", "b": "struct<x:bigint,y:string>"}
    assert rows(loaded) == [([1, 2], {"x": 1, "y": "z"}), ([], {"x": 2, "y": None})]


def test_objects_without_keys_are_kept_as_json(tmp_path: Path) -> None:
    loaded = read(tmp_path, '{"a": {}, "b": [{}]}\n{"a": {}, "b": []}\n')
    assert rows(loaded) == [("{}", "[{}]"), ("{}", "[]")]


@pytest.mark.parametrize("text", ['[{"a": 1}', '[{"a": 1} {"a": 2}]', '[{"a": 1}] x', "[1, 2]", "nothing"])
def test_json_that_is_broken_or_has_no_object_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match=r"breaks off or is wrong near line 1|has no JSON object"):
        read(tmp_path, text, "t.json")


LEAF = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5))
VALUE = st.recursive(
    LEAF, lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=2), inner))
)


@given(st.lists(st.fixed_dictionaries({"a": VALUE, "b": LEAF}), min_size=1, max_size=6))
@settings(max_examples=150, deadline=None)
def test_every_value_is_in_its_cell_or_in_a_problem(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, object]]
) -> None:
    folder = tmp_path_factory.mktemp("json")
    loaded = read(folder, "\n".join(json.dumps(record) for record in records) + "\n")
    kept = {(problem.row, problem.column) for problem in loaded.problems}
    for row, record in enumerate(records):
        for name, value in record.items():
            found = loaded.table[name][row].as_py()
            assert found is not None or value is None or (row, name) in kept


@pytest.mark.parametrize("form", ["lines", "array", "objects"])
def test_a_file_of_many_chunks_is_read_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    """Text comes in pieces that cut through values and letters, records in chunks; nothing is kept between passes."""
    records: list[dict[str, object]] = [
        {"n": n, "d": f"2024-01-{n % 28 + 1:02d}", "é": "ü" * (n % 5), "l": [n, n / 2]} for n in range(60)
    ]
    records[41] |= {"n": "x", "late": True}
    records[50]["d"] = "no date"
    indent = 1 if form == "objects" else None
    texts = [json.dumps(record, ensure_ascii=False, indent=indent) for record in records]
    text = f"[{', '.join(texts)}]" if form == "array" else "\n".join(texts)
    whole = read(tmp_path, text, "whole.json")
    monkeypatch.setattr("whence.loading.read_json.CHUNK", 7)
    monkeypatch.setattr("whence.loading.read_json.IN_MEMORY", 0)
    monkeypatch.setattr("whence.loading.read_json.blocks", lambda data: map(bytes, batched(data)))
    pieces = read(tmp_path, text, "pieces.json")
    assert types(pieces) == types(whole) == {
        "n": "bigint", "d": "string", "é": "string", "l": "array<double>", "late": "boolean",
    }  # fmt: skip
    assert rows(pieces) == rows(whole)
    assert places(pieces) == places(whole) == [("misfit", 41, "n", '"x"')]
    assert pieces.table["__whence_line"].to_pylist() == whole.table["__whence_line"].to_pylist()


def batched(data: bytes) -> list[bytes]:
    return [data[at : at + 11] for at in range(0, len(data), 11)]
