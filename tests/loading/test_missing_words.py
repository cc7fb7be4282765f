"""Words such as `?` that come often are said once for their column, and mark no cell."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import whence
from tests.loading.reading import places, read, rows, types


def test_a_question_mark_that_comes_often_in_text_is_said_once(tmp_path: Path) -> None:
    loaded = read(tmp_path, "work\nPrivate\n ?\nState\n?\n?\nPrivate\n")
    assert places(loaded) == [("frequent word", None, "work", "?")]
    expected = "3 values of work are '?'; they may mean missing; nulls=['?'] makes them empty."
    assert loaded.problems[0].message == expected
    assert rows(loaded)[1] == (" ?",)


def test_a_word_that_comes_twice_or_may_be_an_answer_is_not_said(tmp_path: Path) -> None:
    assert places(read(tmp_path, "a,b\nx,none\n?,none\n?,none\ny,NA\nz,NA\nw,NA\n")) == []


def test_among_numbers_such_words_are_misfits_only(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a\n" + "1\n" * 20 + "?\n" * 3)
    assert types(loaded) == {"a": "bigint"}
    assert [place[0] for place in places(loaded)] == ["misfit"] * 3


def test_the_census_says_how_many_values_are_question_marks(tmp_path: Path) -> None:
    folder = os.environ.get("WHENCE_SHARED_DATA")
    if folder is None:
        pytest.skip("set WHENCE_SHARED_DATA to a folder with census/census.csv")
    with whence.open(tmp_path / "census.whence") as ws:
        report = ws.load(Path(folder) / "census" / "census.csv", name="census").load_report
        assert report is not None
        said = {each.column: each.message.split(";")[0] for each in report.problems if each.kind == "frequent word"}
    assert said == {
        "1": "1,836 values of 1 are '?'",
        "6": "1,843 values of 6 are '?'",
        "13": "583 values of 13 are '?'",
    }
