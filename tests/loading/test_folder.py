from __future__ import annotations

from pathlib import Path

import pytest

from whence.loading import load_path, load_report
from whence.loading.folder import files_of
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.model.dataset import Doubt
from whence.model.errors import BadInput
from whence.store.doctor import doctor
from whence.store.store import Store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "months"
    (made / "deep").mkdir(parents=True)
    (made / "b.csv").write_text("a,b\n3,x\noops,y,z\n")
    (made / "a.csv").write_text("a,b\n1,p\n2,q\n")
    (made / "deep" / "c.tsv").write_text("B\tc\nr\t5\n")
    (made / "_SUCCESS").write_text("")
    (made / "notes.md").write_text("x")
    return made


def test_the_rows_of_all_files_come_in_the_order_of_their_names(store: Store, folder: Path) -> None:
    record = load_path(store, folder, "months")
    assert [(field.name, field.type) for field in record.schema] == [
        ("a", "bigint"),
        ("b", "string"),
        ("c", "bigint"),
        ("_extra", "string"),
    ]
    assert store.read(record, 0, 9, ["a", "b", "c", "_extra", "__whence_line"]).to_pydict() == {
        "a": [1, 2, 3, None, None],
        "b": ["p", "q", "x", "y", "r"],
        "c": [None, None, None, None, 5],
        "_extra": [None, None, None, "z", None],
        "__whence_line": [2, 3, 2, 3, 2],
    }


def test_differing_columns_are_a_caveat_of_the_column_and_problems_name_their_file(store: Store, folder: Path) -> None:
    report = load_report(store, load_path(store, folder, "months"))
    assert report is not None
    assert [(problem.kind, problem.row, problem.column, problem.text) for problem in report.problems] == [
        ("long row", 3, None, "z"),
        ("differing columns", None, "a", None),
        ("misfit", 3, "a", "oops"),
        ("differing columns", None, "c", None),
    ]
    assert report.problems[0].message.startswith("b.csv: Line 3 has 3 fields instead of 2")
    assert report.problems[1].message == "Column a is not in c.tsv; its cells are empty there."
    assert report.problems[2].message.startswith("b.csv: 'oops' in column a, line 3")


def test_a_pattern_names_several_files(store: Store, folder: Path) -> None:
    record = load_path(store, folder / "*.csv", "months", LoadRequest(options=Options(file_column="month")))
    assert store.read(record, 0, 9, ["a", "month"]).to_pydict() == {
        "a": [1, 2, 3, None],
        "month": ["a.csv", "a.csv", "b.csv", "b.csv"],
    }
    with pytest.raises(BadInput, match="No file matches"):
        load_path(store, folder / "x*.csv", "t")


def test_a_column_that_differs_in_case_is_one_column_and_marked_where_it_is_in_doubt(
    store: Store, tmp_path: Path
) -> None:
    made = tmp_path / "cases"
    made.mkdir()
    (made / "1.csv").write_text("k,n\nx,1\ny,2\nz,3\n")
    (made / "2.csv").write_text("K,N\nw,oops\nv\n")
    record = load_path(store, made, "t")
    assert record.doubt == Doubt(frozenset({"n"}), rows=True)
    assert store.flags(record).to_pydict() == {
        "k": [False] * 5,
        "n": [False, False, False, True, True],
        "_row": [False, False, False, False, True],
    }


def test_each_file_is_kept_and_the_report_says_which_rows_are_its_own(store: Store, folder: Path) -> None:
    record = load_path(store, folder, "months")
    report = load_report(store, record)
    assert report is not None
    assert [(Path(file.path).name, file.first_row, file.rows) for file in report.files] == [
        ("a.csv", 0, 2),
        ("b.csv", 2, 2),
        ("c.tsv", 4, 1),
    ]
    assert {file.name for file in (store.root / "files").iterdir()} == {file.sha256 for file in report.files}
    assert doctor(store) == []


def test_a_folder_without_data_is_refused(tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(b"x")
    with pytest.raises(BadInput, match=r"has no CSV file in it\. It has 1 other files"):
        files_of(tmp_path)
