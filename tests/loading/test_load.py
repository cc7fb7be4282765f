from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from tests.store.making import make
from whence.loading import load_csv, load_report, read_csv
from whence.loading.dialect import Dialect
from whence.loading.load import LoadRequest
from whence.loading.report import SourceFacts
from whence.model.caveat import Caveat
from whence.model.dataset import Doubt
from whence.model.errors import BadInput, UnknownColumn, WhenceError
from whence.store.doctor import doctor
from whence.store.durable import hash_file
from whence.store.store import Store

MESSY = "id,price,_row\n1,12.5,a\n2,oops,b\n3,4\n4,5,c,d\n5,6,e\n6,7,f\n"


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "parts.csv"
    path.write_text(MESSY)
    return path


def test_a_load_keeps_rows_lines_marks_caveats_report_and_file(store: Store, messy: Path) -> None:
    record = load_csv(store, messy, "parts")
    assert [(field.name, field.type) for field in record.schema] == [
        ("id", "bigint"),
        ("price", "double"),
        ("_row", "string"),
        ("_extra", "string"),
    ]
    assert record.doubt == Doubt(frozenset({"price", "_row"}), rows=True)
    assert store.read(record, 0, 9, ["id", "price", "__whence_line"]).to_pydict() == {
        "id": [1, 2, 3, 4, 5, 6],
        "price": [12.5, None, 4.0, 5.0, 6.0, 7.0],
        "__whence_line": [2, 3, 4, 5, 6, 7],
    }
    assert store.flags(record, 1, 5).to_pydict() == {
        "id": [False, False, False, False],
        "price": [True, False, False, False],
        "_row": [False, True, False, False],
        "_extra": [False, False, False, False],
        "_row_": [False, True, True, False],
    }
    misfit = "'oops' in column price, line 3, is not a number; it is kept as text and the cell is empty."
    assert Caveat(misfit, "load", 1, "price", 3, "oops") in store.caveats(record)
    assert (store.root / "files" / hash_file(messy)).read_text() == MESSY
    assert doctor(store) == []


def test_the_report_comes_back_as_it_was(store: Store, messy: Path) -> None:
    report = load_report(store, load_csv(store, messy, "parts"))
    assert report is not None
    assert report == read_csv(messy).report
    assert report.records == 6
    assert report.counts == {"short row": 1, "not in file": 1, "long row": 1, "misfit": 1}
    assert report.dialect == Dialect(",", '"', header=True)
    assert report.source == SourceFacts(str(messy), hash_file(messy), len(MESSY))


def test_a_dataset_that_was_not_loaded_has_no_report(store: Store) -> None:
    assert load_report(store, make(store, "t", pa.table({"a": [1]}))) is None


def test_a_clean_file_leaves_no_doubt(store: Store, tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("a,b\n1,x\n")
    record = load_csv(store, tmp_path / "c.csv", "c")
    assert record.doubt.is_certain
    assert store.caveats(record) == []


def test_a_key_that_repeats_or_is_missing_is_named_with_its_lines(store: Store, tmp_path: Path) -> None:
    (tmp_path / "k.csv").write_text("k,v\na,1\nb,2\na,3\n,4\n")
    record = load_csv(store, tmp_path / "k.csv", "k", LoadRequest(key="k"))
    assert [(caveat.row, caveat.message) for caveat in store.caveats(record)] == [
        (2, "The key k in line 4 is a, as in line 2."),
        (3, "The key k is missing in line 5."),
    ]


def test_a_key_that_is_no_column_is_refused(store: Store, messy: Path) -> None:
    with pytest.raises(UnknownColumn, match=r"The key code is not a column\. There are id, price, _row\."):
        load_csv(store, messy, "parts", LoadRequest(key="code"))
    assert store.datasets() == []


def bad_inputs(folder: Path) -> dict[str, Path]:
    (folder / "empty.csv").write_bytes(b"")
    (folder / "photo.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    (folder / "noise.csv").write_bytes(bytes(range(256)) * 20)
    (folder / "folder.csv").mkdir()
    (folder / "blank.csv").write_bytes(b"\n\n\r\n")
    (folder / "Data.CSV").write_bytes(b"a\n1\n")
    return {
        "is empty": folder / "empty.csv",
        "looks like a picture": folder / "photo.csv",
        "is not text": folder / "noise.csv",
        "has no CSV file in it": folder / "folder.csv",
        "has no header and no rows": folder / "blank.csv",
        r"There is no file .* Did you mean Data\.CSV\?": folder / "data.csv",
        r"There is no folder": folder / "nowhere" / "data.csv",
    }


def test_bad_input_gets_one_clear_sentence_and_leaves_nothing(store: Store, tmp_path: Path) -> None:
    for words, path in bad_inputs(tmp_path).items():
        with pytest.raises(BadInput, match=words) as caught:
            load_csv(store, path, "t")
        assert caught.value.message.count(". ") == 0
    assert store.datasets() == []
    assert list((store.root / "staging").iterdir()) == []
    assert list((store.root / "files").iterdir()) == []
    assert doctor(store) == []


def test_a_file_that_may_not_be_read_is_named(store: Store, messy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # a mode of 0 does not stop root, who may run the tests
    with pytest.raises(BadInput, match="may not be read"):
        load_csv(store, messy, "t")


def test_a_file_that_changes_while_it_is_read_is_refused_and_leaves_nothing(
    store: Store, messy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_file = store.add_file

    def change_first(path: Path) -> object:
        path.write_text(MESSY + "7,8,g\n")
        return add_file(path)

    monkeypatch.setattr(store, "add_file", change_first)
    with pytest.raises(WhenceError, match="changed while it was read"):
        load_csv(store, messy, "t")
    assert store.datasets() == []
    assert list((store.root / "staging").iterdir()) == []
