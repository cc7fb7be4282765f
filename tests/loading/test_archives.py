"""Zip and tar files: their files are one dataset, as those of a folder, and hostile ones are refused."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import whence
from tests.loading.reading import notes_of
from whence.loading import archive, load_path, load_report
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.model.errors import BadInput
from whence.store.doctor import doctor
from whence.store.store import Store

Files = Mapping[str, bytes]
MONTHS = {"m/b.csv": b"a,b\n3,x\noops,y\n", "m/a.csv": b"a,b\n1,p\n2,q\n"}


def parquet(**columns: list[object]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


def write_zip(path: Path, files: Files) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.mkdir("a folder")
        for name, data in files.items():
            made.writestr(name, data)
    return path


def write_tar(path: Path, files: Files) -> Path:
    mode = {".gz": "w:gz", ".tgz": "w:gz", ".bz2": "w:bz2", ".xz": "w:xz"}.get(path.suffix, "w")
    with tarfile.open(path, mode) as made:  # type: ignore[call-overload]  # the mode is known by the name only
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            made.addfile(member, io.BytesIO(data))
    return path


WRITERS: dict[str, Callable[[Path, Files], Path]] = {
    "months.zip": write_zip,
    "months.tar": write_tar,
    "months.tar.gz": write_tar,
    "months.tgz": write_tar,
    "months.tar.bz2": write_tar,
    "months.tar.xz": write_tar,
    "months.data": write_zip,
}


@pytest.mark.parametrize("name", WRITERS)
def test_the_files_of_an_archive_are_one_dataset_as_those_of_a_folder(store: Store, tmp_path: Path, name: str) -> None:
    path = WRITERS[name](tmp_path / name, {**MONTHS, ".hidden": b"x", "notes.md": b"y"})
    folder = tmp_path / "plain"
    for member, data in MONTHS.items():
        (folder / member).parent.mkdir(parents=True, exist_ok=True)
        (folder / member).write_bytes(data)
    record, plain = load_path(store, path, "t"), load_path(store, folder, "plain")
    columns = ["a", "b", "__whence_line"]
    assert store.read(record, 0, 9, columns).to_pydict() == store.read(plain, 0, 9, columns).to_pydict()
    assert notes_of(store, record) == [f"Not loaded from {name}: notes.md.", *notes_of(store, plain)]
    report, other = load_report(store, record), load_report(store, plain)
    assert report is not None
    assert other is not None
    assert [(file.path, file.first_row, file.rows, file.sha256) for file in report.files] == [
        (f"{path}/m/{Path(file.path).name}", file.first_row, file.rows, file.sha256) for file in other.files
    ]
    assert (report.source.path, report.source.bytes) == (str(path), path.stat().st_size)
    # The archive is the source that is kept, and not its files.
    assert (store.root / "files" / report.source.sha256).read_bytes() == path.read_bytes()
    assert doctor(store) == []


def test_options_and_other_kinds_of_files(store: Store, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "t.zip", MONTHS)
    record = load_path(
        store, path, "t", LoadRequest(key="b", options=Options(file_column="from", types={"a": "string"}))
    )
    assert store.read(record, 0, 9).to_pydict() == {
        "a": ["1", "2", "3", "oops"],
        "b": ["p", "q", "x", "y"],
        "from": ["a.csv", "a.csv", "b.csv", "b.csv"],
    }
    two = {"1.parquet": parquet(n=[1]), "2.parquet": parquet(n=[2], s=["x"]), "read.me": b"x"}
    record = load_path(store, write_tar(tmp_path / "t.tar", two), "t")
    assert store.read(record, 0, 9).to_pydict() == {"n": [1, 2], "s": [None, "x"]}
    assert notes_of(store, record) == [
        "Not loaded from t.tar: read.me.",
        "1.parquet has no column s, so its rows are empty there.",
    ]
    mixed = {"t.csv": b"n\n1\n", "t.json": b'{"n": 2}', "t.parquet": parquet(n=[3])}
    record = load_path(store, write_zip(tmp_path / "t.zip", mixed), "t")
    assert store.read(record, 0, 9).to_pydict() == {"n": [1]}
    assert notes_of(store, record) == ["Not loaded from t.zip: t.json, t.parquet."]


def test_a_single_file_of_any_kind_is_loaded(store: Store, tmp_path: Path) -> None:
    for files in ({"t.json": b'{"n": 2}'}, {"README": b"n\n2\n"}, {"x/t.jsonl": b'{"n": 2}\n', "a.png": b"\x89PNG"}):
        record = load_path(store, write_zip(tmp_path / "t.zip", files), "t")
        assert store.read(record, 0, 9).to_pydict() == {"n": [2]}
        report = load_report(store, record)
        assert report is not None
        name = next(iter(files))
        assert [(file.path, file.rows) for file in report.files] == [(f"{tmp_path}/t.zip/{name}", 1)]


def test_what_cannot_be_loaded_is_one_sentence(store: Store, tmp_path: Path) -> None:
    inner = write_zip(tmp_path / "inner.zip", MONTHS).read_bytes()
    for files, words in (
        ({}, r"t\.zip holds no file that can be loaded\. It is empty"),
        ({"a.png": b"\x89PNG", "b.png": b""}, r"holds no file that can be loaded\. It holds a\.png, b\.png"),
        ({"inner.zip": inner}, r"It holds inner\.zip \(an archive itself, which is not unpacked\)"),
        ({"a.json": b"{}", "b.json": b"{}"}, r"several files that are not loaded as one: a\.json, b\.json"),
        ({"../a.csv": b"n\n1\n"}, r"'\.\./a\.csv', a path that leaves the archive"),
        ({"/etc/a.csv": b"n\n1\n"}, r"'/etc/a\.csv', a path that leaves the archive"),
        ({"c:/a.csv": b"n\n1\n"}, "a path that leaves the archive"),
        ({"xl/workbook.xml": b"<x/>", "[Content_Types].xml": b""}, r"is an Excel file.*\.xlsx"),
        ({"t/1.parquet": parquet(n=[1]), "t/_delta_log/0.json": b"{}"}, r"t\.zip holds a Delta table"),
        ({"x/a.csv": b"", "b.csv": b"n\n1\n"}, r"The file t\.zip/x/a\.csv is empty"),
    ):
        write_zip(tmp_path / "t.zip", files)
        with pytest.raises(BadInput, match=words):
            load_path(store, tmp_path / "t.zip", "t")
    record = load_path(store, write_zip(tmp_path / "t.zip", {"inner.zip": inner, "a.csv": b"n\n1\n"}), "t")
    assert notes_of(store, record) == ["Not loaded from t.zip: inner.zip (an archive itself, which is not unpacked)."]
    assert list((store.root / "staging").iterdir()) == []


def test_encrypted_damaged_and_repeating_archives_are_refused(store: Store, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "t.zip", {"a.csv": b"n\n" + b"1\n" * 9000})
    data = path.read_bytes()
    directory, middle = data.rindex(b"PK\x01\x02"), data.index(b"a.csv") + 12
    for damaged, words in (
        (data[: directory + 8] + b"\x01" + data[directory + 9 :], r"t\.zip is encrypted\."),
        (data[: len(data) // 2], r"The archive .*t\.zip cannot be read"),
        (data[:middle] + b"\xff\xff\xff" + data[middle + 3 :], r"The archive .*t\.zip cannot be read"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(BadInput, match=words):
            load_path(store, path, "t")
    tar = write_tar(tmp_path / "t.tar.gz", {"a.csv": bytes(range(256)) * 900})
    tar.write_bytes(tar.read_bytes()[:-30])
    with pytest.raises(BadInput, match=r"The archive .*t\.tar\.gz cannot be read"):
        load_path(store, tar, "t")
    with tarfile.open(tmp_path / "twice.tar", "w") as made:
        for _ in range(2):
            made.addfile(tarfile.TarInfo("a.csv"), io.BytesIO())
    with pytest.raises(BadInput, match=r"twice\.tar holds two files of the name a\.csv"):
        load_path(store, tmp_path / "twice.tar", "t")


def test_archives_that_explode_are_refused(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = write_zip(tmp_path / "bomb.zip", {"a.csv": b"a,b\n" * 20_000_000})
    with pytest.raises(BadInput, match=r"bomb\.zip unpacks to more than 200 times its size"):
        load_path(store, bomb, "t")
    small = write_zip(tmp_path / "t.zip", {f"{n}.csv": b"n\n1\n" for n in range(5)})
    monkeypatch.setattr(archive, "MOST_MEMBERS", 4)
    with pytest.raises(BadInput, match="holds more than 4 files"):
        load_path(store, small, "t")
    monkeypatch.undo()
    monkeypatch.setattr(archive, "free_bytes", lambda folder: 30)
    with pytest.raises(BadInput, match="unpacks to more than half of the free disk"):
        load_path(store, small, "t")
    assert list((store.root / "staging").iterdir()) == []


def test_links_are_not_followed_and_are_named(store: Store, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "t.tar", "w") as made:
        link = tarfile.TarInfo("passwd.csv")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        made.addfile(link)
        member = tarfile.TarInfo("a.csv")
        member.size = 4
        made.addfile(member, io.BytesIO(b"n\n1\n"))
    record = load_path(store, tmp_path / "t.tar", "t")
    assert store.read(record, 0, 9).to_pydict() == {"n": [1]}
    assert notes_of(store, record) == ["Not loaded from t.tar: passwd.csv (a link or device)."]


def test_an_archive_is_loaded_again_and_has_lineage(ws: whence.Workspace, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "months.zip", MONTHS)
    months = ws.load(path)
    assert (months.name, months.count) == ("months", 4)
    ws.run_cell("load", source=str(path), name="by_cell")
    assert ws["by_cell"].to_arrow().to_pydict() == months.to_arrow().to_pydict()
    write_zip(path, {**MONTHS, "m/c.csv": b"a,b\n9,z\n"})
    again = ws.reload("months")
    assert (again.version, again.to_arrow()["b"].to_pylist()) == (2, ["p", "q", "x", "y", "z"])
    out = ws.sql("select b from months where a = 9", name="out")
    assert out.lineage.backward([0], to="months").ids.tolist() == [4]
