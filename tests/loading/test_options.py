from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from tests.loading.reading import places, rows, types
from whence.loading import Loaded, load_path, read_csv
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.model.errors import BadInput, UnknownColumn
from whence.store.store import Store


def read(folder: Path, text: str, **decided: Any) -> Loaded:  # noqa: ANN401 - whatever was decided
    (folder / "t.csv").write_text(text)
    return read_csv(folder / "t.csv", Options(**decided))


def test_a_delimiter_that_is_given_is_not_guessed(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a;b,c\n1;2,3\n", delimiter=",")
    assert (list(types(loaded)), rows(loaded)) == (["a;b", "c"], [("1;2", 3)])


def test_another_quote_encloses_fields(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,b\n'x,''y',1\n\"z,2\n", quote="'")
    assert (rows(loaded), loaded.problems) == ([("x,'y", 1), ('"z', 2)], [])
    assert loaded.report.dialect is not None
    assert loaded.report.dialect.quote == "'"


def test_without_a_quote_all_quotes_are_letters(tmp_path: Path) -> None:
    loaded = read(tmp_path, 'a,b\n"x,1\n"y",2\n', quote="")
    assert (rows(loaded), loaded.problems) == ([('"x', 1), ('"y"', 2)], [])


def test_whether_there_is_a_header_can_be_said(tmp_path: Path) -> None:
    assert rows(read(tmp_path, "a,b\n1,2\n", header=False)) == [("a", "b"), ("1", "2")]
    loaded = read(tmp_path, "1,2\n3,4\n", header=True)
    assert (list(types(loaded)), rows(loaded)) == (["1", "2"], [(3, 4)])


def test_an_encoding_that_is_given_is_no_guess(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("a\nŁódź\n".encode("cp1250"))
    loaded = read_csv(tmp_path / "t.csv", Options(encoding="cp1250"))
    assert rows(loaded) == [("Łódź",)]
    assert loaded.doubtful["a"].tolist() == []
    assert [each.message for each in loaded.problems] == ["Column a was read as cp1250, as encoding= says."]


def test_bytes_that_the_given_encoding_does_not_have_are_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a\n\xc4\x81\n")
    loaded = read_csv(tmp_path / "t.csv", Options(encoding="cp1252"))
    (problem,) = loaded.problems
    assert "as encoding= says, but some bytes are no letters in it" in problem.message
    assert loaded.doubtful["a"].tolist() == [0]


def test_lines_before_the_header_are_left_out_and_kept_in_the_report(tmp_path: Path) -> None:
    loaded = read(tmp_path, "made by hand\n\na,b\n1,2\n", skip=2)
    assert rows(loaded) == [(1, 2)]
    assert places(loaded) == [("skipped", None, None, "made by hand\n\n")]
    assert loaded.table["__whence_line"].to_pylist() == [4]


def test_words_that_stand_for_nothing_are_left_out_and_counted(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,b\nNA,x\n1, - \n2,NA\n", nulls=["NA", "-"])
    assert (rows(loaded), loaded.problems) == ([(None, "x"), (1, None), (2, None)], [])
    assert loaded.report.null_words == 3


def test_lines_of_comment_are_no_data_wherever_they_are(tmp_path: Path) -> None:
    text = '// one "\na,b\n1,2\n// two\n"x\n// three",4\n5,6\n'
    loaded = read(tmp_path, text, comment="//")
    assert rows(loaded) == [("1", 2), ("x\n// three", 4), ("5", 6)]
    assert [(problem.kind, problem.line, problem.text) for problem in loaded.problems if problem.kind == "comment"] == [
        ("comment", 1, '// one "'),
        ("comment", 4, "// two"),
    ]
    assert loaded.table["__whence_line"].to_pylist() == [3, 5, 7]


def test_without_a_comment_sign_no_line_is_a_comment(tmp_path: Path) -> None:
    assert rows(read(tmp_path, "# a,b\n1,2\n", comment="")) == [(1, 2)]


@pytest.mark.parametrize(
    ("texts", "kind", "expected"),
    [
        (["007", "12"], "bigint", [7, 12]),
        (["1", "3000000000"], "int", [1, None]),
        (['"1,234"', "+5"], "double", [1234.0, 5.0]),
        (["1,5", "2,25"], "double", [None, None]),
        (["1.5", "2.25", "x"], "decimal(5,1)", [Decimal("1.5"), None, None]),
        (["yes", "N", "1", "maybe"], "boolean", [True, False, True, None]),
        (["31.1.2024", "x", "y"], "date", [date(2024, 1, 31), None, None]),
        (["2024-01-31 10:20", "x", "y"], "timestamp_ntz", [datetime(2024, 1, 31, 10, 20), None, None]),
        (["1", "2"], "string", ["1", "2"]),
    ],
)
def test_a_type_that_is_given_is_kept_to(tmp_path: Path, texts: list[str], kind: str, expected: list[object]) -> None:
    body = "\n".join(f"{text};k" for text in texts) if kind == "double" else "\n".join(f"{text},k" for text in texts)
    loaded = read(tmp_path, f"x{';' if kind == 'double' else ','}k\n{body}\n", types={"X": kind})
    values = [row[0] for row in rows(loaded)]
    if texts[0] == "1,5":
        expected = [1.5, 2.25]  # the comma can be nothing else
    assert values == expected
    assert types(loaded)["x"] == kind
    misfits = {problem.row for problem in loaded.problems if problem.kind in ("misfit", "out of range")}
    assert misfits == {row for row, value in enumerate(values) if value is None}


@pytest.mark.parametrize(
    ("decided", "sentence"),
    [
        ({"delimiter": "ab"}, "delimiter is one ASCII letter"),
        ({"quote": "\n"}, "quote is one ASCII letter"),
        ({"delimiter": "'", "quote": "'"}, "cannot both be"),
        ({"header": "yes"}, "header is True, False or left out"),
        ({"encoding": "klingon"}, "There is no encoding 'klingon'"),
        ({"types": {"a": "number"}}, "Column a cannot be read as 'number'"),
        ({"types": {"a": "decimal(50,2)"}}, "cannot be read as"),
        ({"skip": -1}, "skip is a number of lines"),
        ({"nulls": "NA"}, "nulls is a list of words"),
        ({"comment": "#\n"}, "cannot hold a line end"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused_in_one_sentence(decided: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        Options(**decided)


def test_a_type_for_a_column_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownColumn, match=r"types names the column z, which is not there\. There are a, b\."):
        read(tmp_path, "a,b\n1,2\n", types={"z": "string"})


def test_what_was_decided_is_in_the_report(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,b\n1,2\n", header=False, nulls=["-"])
    assert loaded.report.options == {"header": False, "nulls": ["-"]}


def test_types_are_for_every_kind_of_file(store: Store, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"n": 7, "z": "08"}\n{"n": "x", "z": "9"}\n{"n": 1.5, "z": null}\n')
    with closing(sqlite3.connect(tmp_path / "t.db")) as database:
        database.execute("create table t (n, z)")
        database.executemany("insert into t values (?, ?)", [(7, "08"), ("x", "9"), (1.5, None)])
        database.commit()
    book = Workbook()
    for row in (("n", "z"), (7, "08"), ("x", "9"), (1.5, None)):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    for name in ("t.jsonl", "t.db", "t.xlsx"):
        how = LoadRequest(key="z", options=Options(types={"N": "string", "z": "int"}))
        record = load_path(store, tmp_path / name, "t", how)
        assert store.read(record, 0, 3).to_pydict() == {"n": ["7", "x", "1.5"], "z": [8, 9, None]}, name
        assert [caveat.message for caveat in store.caveats(record)][-1].startswith("The key z is missing in"), name
        with pytest.raises(UnknownColumn, match="types names the column q"):
            load_path(store, tmp_path / name, "t", LoadRequest(options=Options(types={"q": "int"})))
