"""A workspace in one file: all of it comes back, and an archive that was tampered with does not."""

from __future__ import annotations

import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tests.notebook.schedule.fakes import Desk
from tests.store.making import make
from whence.model.errors import BadInput, DamagedFile, WhenceError
from whence.store.archive import export_archive, import_archive
from whence.store.doctor import doctor
from whence.store.store import Store


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    desk = Desk(tmp_path / "old.whence")
    first = desk.add("a", plus=1, stored=True)
    desk.add("b", ["a"])
    desk.wait()
    desk.change(first, "a", plus=2, stored=True)
    desk.wait()
    export_archive(desk.store, tmp_path / "w.zip")
    desk.close()
    return tmp_path / "w.zip"


def test_everything_comes_back_and_nothing_runs(archive: Path, tmp_path: Path) -> None:
    import_archive(archive, tmp_path / "new.whence")
    desk = Desk(tmp_path / "new.whence")
    assert desk.statuses() == {"c1": "ready", "c2": "ready"}
    assert (desk.values(), len(desk.book.history())) == ({"a": 2, "b": 2}, 3)
    desk.restore(2)
    desk.wait()
    assert (desk.values(), sum(desk.calc.ran.values()), doctor(desk.store)) == ({"a": 1, "b": 1}, 0, [])
    desk.close()


def test_datasets_in_storage_outside_the_workspace_come_along(tmp_path: Path) -> None:
    old = Store.open(tmp_path / "old.whence", storage=str(tmp_path / "big"))
    (tmp_path / "a.csv").write_text("a\n1\n")
    source, arrays = old.add_file(tmp_path / "a.csv"), {"part0": {"source0": np.arange(2)}}
    made = make(old, "t", pa.table({"a": [1, 2]}), sources=[source], arrays=arrays)
    export_archive(old, tmp_path / "w.zip")
    old.close()
    shutil.rmtree(tmp_path / "big")
    import_archive(tmp_path / "w.zip", tmp_path / "new.whence")
    new = Store.open(tmp_path / "new.whence")
    assert new.read(new.current("t"), 0, 2).to_pydict() == {"a": [1, 2]}
    assert new.arrays(made, "part0") is not None
    assert ((new.root / source.path).read_text(), doctor(new)) == ("a\n1\n", [])
    new.close()


def rewritten(archive: Path, change: Callable[[str, bytes], tuple[str, bytes]], **more: bytes) -> Path:
    target = archive.with_name("changed.zip")
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(target, "w") as new:
        for each in old.infolist():
            new.writestr(*change(each.filename, old.read(each)))
        for name, content in more.items():
            new.writestr(name.replace("__", "/"), content)
    return target


def test_a_flipped_byte_is_found(archive: Path, tmp_path: Path) -> None:
    def flip(name: str, content: bytes) -> tuple[str, bytes]:
        if name.endswith(".parquet"):
            content = content[:40] + bytes([content[40] ^ 1]) + content[41:]
        return name, content

    with pytest.raises(DamagedFile, match="The archive is damaged"):
        import_archive(rewritten(archive, flip), tmp_path / "new.whence")
    assert not (tmp_path / "new.whence").exists()


@pytest.mark.parametrize("name", ["..__outside", "datasets__..__..__outside", "cron.d__job", "__etc__passwd"])
def test_a_file_that_belongs_elsewhere_is_refused(archive: Path, tmp_path: Path, name: str) -> None:
    target = rewritten(archive, lambda *each: each, **{name: b"x"})
    with pytest.raises(BadInput, match="which belongs to no workspace"):
        import_archive(target, tmp_path / "new.whence")
    assert not (tmp_path / "new.whence").exists()
    assert not (tmp_path / "outside").exists()


def test_a_database_with_code_in_it_is_refused(archive: Path, tmp_path: Path) -> None:
    def add_trigger(name: str, content: bytes) -> tuple[str, bytes]:
        if name != "meta.db":
            return name, content
        file = tmp_path / "evil.db"
        file.write_bytes(content)
        database = sqlite3.connect(file)
        database.execute("create trigger t after insert on runs begin delete from datasets; end")
        database.commit()
        database.close()
        return name, file.read_bytes()

    with pytest.raises(BadInput, match="holds a trigger runs that is not ours"):
        import_archive(rewritten(archive, add_trigger), tmp_path / "new.whence")


def test_only_an_archive_and_only_into_an_empty_folder(archive: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not empty"):
        import_archive(archive, tmp_path)
    for content in (b"", b"hello", archive.read_bytes()[:-100]):
        (tmp_path / "x.zip").write_bytes(content)
        with pytest.raises(WhenceError):
            import_archive(tmp_path / "x.zip", tmp_path / "new.whence")
    shutil.make_archive(str(tmp_path / "other"), "zip", tmp_path / "old.whence")
    with pytest.raises(BadInput, match=r"other\.zip is not an archive of a workspace"):
        import_archive(tmp_path / "other.zip", tmp_path / "new.whence")
