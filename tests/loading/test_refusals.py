"""What cannot be loaded is said in one clear sentence, and leaves nothing behind."""

from __future__ import annotations

import errno
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from whence.loading import load_path, load_report
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.model.errors import BadInput, UserError, WhenceError
from whence.store import durable
from whence.store.doctor import doctor
from whence.store.store import Store


def is_one_sentence(error: WhenceError) -> bool:
    return error.message.endswith(".") and ". " not in error.message and "\n" not in str(error)


def binary(folder: Path) -> tuple[Path, str]:
    (folder / "data.csv").write_bytes(bytes(range(256)) * 100)
    return folder / "data.csv", "is not text"


def picture(folder: Path) -> tuple[Path, str]:
    (folder / "photo.csv").write_bytes(b"\xff\xd8\xff\xe0" + bytes(1000))
    return folder / "photo.csv", "looks like a picture"


def missing(folder: Path) -> tuple[Path, str]:
    return folder / "nothing.csv", "There is no file"


def packed_picture(folder: Path) -> tuple[Path, str]:
    (folder / "x.csv.gz").write_bytes(gzip.compress(b"\x89PNG" + bytes(100)))
    return folder / "x.csv.gz", "looks like a picture"


def wrong_type(folder: Path) -> tuple[Path, str]:
    (folder / "t.json").write_text('{"a": 1')
    return folder / "t.json", "has no JSON object|breaks off"


@pytest.mark.parametrize("make", [binary, picture, missing, packed_picture, wrong_type])
def test_a_file_that_cannot_be_read_is_refused(
    store: Store, tmp_path: Path, make: Callable[[Path], tuple[Path, str]]
) -> None:
    path, words = make(tmp_path)
    with pytest.raises(BadInput, match=words) as caught:
        load_path(store, path, "t")
    assert is_one_sentence(caught.value)
    assert (store.datasets(), list((store.root / "staging").iterdir()), doctor(store)) == ([], [], [])


def test_a_file_that_may_not_be_read_is_refused(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n")

    def refuse(*_: object) -> object:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # a mode of 0 does not stop root, who may run the tests
    with pytest.raises(BadInput, match="may not be read") as caught:
        load_path(store, tmp_path / "t.csv", "t")
    assert is_one_sentence(caught.value)


def test_a_full_disk_is_said_and_leaves_nothing(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.csv").write_text("a\n" + "1\n" * 1000)
    write = durable.HashingFile.write

    def fill(file: durable.HashingFile, data: bytes | memoryview) -> int:
        if file.size > 500:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data)

    monkeypatch.setattr(durable.HashingFile, "write", fill)
    with pytest.raises(UserError, match=r"cannot be written: No space left on device\. Free some space"):
        load_path(store, tmp_path / "t.csv", "t")
    monkeypatch.undo()
    assert (store.datasets(), list((store.root / "staging").iterdir()), doctor(store)) == ([], [], [])
    assert load_path(store, tmp_path / "t.csv", "t").rows == 1000


def test_json_whose_types_change_keeps_every_value(store: Store, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"a": 1, "b": 1}\n{"a": 2, "b": "x"}\n{"a": 3}\n{"a": [4], "b": {"c": 2}}\n')
    record = load_path(store, tmp_path / "t.jsonl", "t")
    assert store.read(record, 0, 9).to_pydict() == {"a": [1, 2, 3, None], "b": ["1", '"x"', None, '{"c": 2}']}
    report = load_report(store, record)
    assert report is not None
    assert [(problem.kind, problem.row, problem.column, problem.text) for problem in report.problems] == [
        ("misfit", 3, "a", "[4]"),
        ("mixed types", None, "b", None),
    ]


def test_a_decision_that_does_not_apply_is_refused_and_not_passed_over(store: Store, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"a": 1}')
    (tmp_path / "t.csv").write_text("a\n1\n")
    for path, how, words in (
        ("t.json", LoadRequest(options=Options(delimiter=";")), "delimiter= is for delimited text, and t.json is none"),
        ("t.json", LoadRequest(sheet="x"), "sheet= is for Excel files"),
        ("t.csv", LoadRequest(sheet="x"), "sheet= is for Excel files, and this is delimited text"),
        ("t.csv", LoadRequest(table="x"), "table= is for databases, and this is delimited text"),
    ):
        with pytest.raises(BadInput, match=words):
            load_path(store, tmp_path / path, "t", how)
