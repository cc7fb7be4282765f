"""What happens when the disk is really full: a file system of a few megabytes, filled to the last block."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import whence
from tests.store.making import make
from whence.model.errors import UserError
from whence.store.doctor import doctor
from whence.store.store import Store

MEGABYTE = 1 << 20


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MB."""
    yield from mounted(tmp_path, 8)


@pytest.fixture
def medium(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 MB."""
    yield from mounted(tmp_path, 64)


def mounted(tmp_path: Path, megabytes: int) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(place)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"a small file system needs the right to mount one: {error}")
    yield place
    if subprocess.run(["umount", str(place)], check=False, capture_output=True).returncode:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
        pytest.fail("a file is still open although the workspace was closed")


def fill_up(place: Path) -> Path:
    """Take every free block."""
    filler = place / "filler"
    with filler.open("wb", buffering=0) as file:
        size = MEGABYTE
        while size:
            try:
                file.write(b"\0" * size)
            except OSError:
                size //= 2
    return filler


def noise(megabytes: float) -> pa.Table:
    return pa.table({"a": np.random.default_rng(1).integers(0, 1 << 62, int(megabytes * MEGABYTE / 8))})


def test_rows_that_do_not_fit_are_refused_in_one_sentence_and_leave_nothing(small: Path) -> None:
    store = Store.open(small / "w")
    first = make(store, "first", pa.table({"a": [1, 2]}))
    with pytest.raises(
        UserError, match=r"cannot be written: No space left on device\. Free some space and try again\."
    ):
        make(store, "big", noise(20))
    assert [path for path in (small / "w/staging").rglob("*") if path.is_file()] == []
    assert store.datasets() == [first]
    assert store.read(first, 0, 2).to_pydict() == {"a": [1, 2]}
    store.close()
    store = Store.open(small / "w")
    assert doctor(store) == []
    assert make(store, "small", pa.table({"a": [3]})).version == 1
    store.close()


def test_on_a_disk_full_to_the_last_block_reading_goes_on_and_writing_resumes_when_there_is_room(small: Path) -> None:
    store = Store.open(small / "w")
    first = make(store, "first", noise(0.5))
    filler = fill_up(small)
    with pytest.raises(UserError, match=r"Free some space and try again\."):
        make(store, "second", noise(0.5))
    with pytest.raises(UserError, match=r"Free some space and try again\."):
        store.views.view(first, ["a"], []).rids()
    with pytest.raises(UserError, match=r"Free some space and try again\."):
        store.profiles.profile(first, "a")
    assert store.read(first, 5, 6).num_rows == 1
    assert [path for path in (small / "w/tmp").rglob("*") if path.is_file()] == []
    filler.unlink()
    assert store.views.view(first, ["a"], []).count == first.rows
    assert make(store, "second", pa.table({"a": [1]})).version == 1
    store.close()
    store = Store.open(small / "w")
    assert doctor(store) == []
    store.close()


def test_a_forgetting_that_finds_no_room_is_finished_when_there_is_some(small: Path) -> None:
    store = Store.open(small / "w")
    record = make(store, "first", noise(0.5))
    filler = fill_up(small)
    with pytest.raises(UserError, match=r"Free some space and try again\."):
        store.forgetting.forget([record])
    filler.unlink()
    store.close()
    store = Store.open(small / "w")
    assert doctor(store) == []
    assert [each.name for each in store.datasets()] in ([], ["first"])
    store.close()


def test_a_new_run_is_refused_on_a_disk_that_is_nearly_full_and_the_reserve_lets_one_forget(medium: Path) -> None:
    store = Store.open(medium / "w", max_dataset_bytes=1 << 30)
    first = make(store, "first", noise(12))
    more = [make(store, f"n{number}", noise(12)) for number in range(2)]
    assert not (store.root / "reserve").exists()
    make(store, "tiny", pa.table({"a": [1]}))
    assert (store.root / "reserve").stat().st_size == 8 * MEGABYTE, "with half of the disk used a reserve is set aside"
    filler = fill_up(medium)
    with pytest.raises(UserError, match=r"Only 0\.0 MB are free on the disk of .*/w; new .* at least 3\.2 MB\."):
        make(store, "another", pa.table({"a": [1]}))
    assert store.read(first, 0, 1).num_rows == 1
    assert store.forgetting.forget(more) == more, "forgetting needs room for the database's log"
    assert not (store.root / "reserve").exists()
    filler.unlink()
    make(store, "another", pa.table({"a": [1]}))
    store.close()
    store = Store.open(medium / "w")
    assert doctor(store) == []
    store.close()


def test_load_create_and_sql_that_find_no_room_say_so_and_leave_nothing(medium: Path, ws: whence.Workspace) -> None:
    """Spark's own scratch files lie elsewhere, so that only what whence writes meets the full disk."""
    assert ws.spark is not None
    rows = "".join(f"{number},{number * 7919 % 104729}{number * 31 % 1000003}{number}\n" for number in range(700_000))
    (medium.parent / "big.csv").write_text("a,b\n" + rows)
    with whence.open(medium / "w", max_dataset_bytes=1 << 30) as workspace:
        noisy = workspace.create("noisy", noise(8))
        fill_up(medium)
        os.truncate(medium / "filler", (medium / "filler").stat().st_size - 9 * MEGABYTE)
        room = r"cannot be written: No space left on device\. Free some space and try again\."
        with pytest.raises(UserError, match=room):
            workspace.load(medium.parent / "big.csv")
        with pytest.raises(UserError, match=room):
            workspace.create("more", noise(20))
        with pytest.raises(whence.WhenceError, match=room):
            workspace.sql("select a, xxhash64(a) as b, xxhash64(a, 1) as c from noisy", name="out")
        assert [dataset.name for dataset in workspace.datasets()] == ["noisy"]
        assert noisy.rows(0, 1).num_rows == 1
        assert [path for path in (medium / "w/staging").rglob("*") if path.is_file()] == []
        (medium / "filler").unlink()
        assert workspace.sql("select count(*) as n from noisy", name="out").to_arrow().to_pylist() == [{"n": MEGABYTE}]
        assert doctor(workspace._context.store) == []
