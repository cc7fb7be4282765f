"""What happens when the disk is really full: a file system of a few megabytes, filled to the last block."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tests.store.making import make
from whence.model.errors import UserError
from whence.store.doctor import doctor
from whence.store.store import Store

MEGABYTE = 1 << 20


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MB."""
    place = tmp_path / "small"
    place.mkdir()
    try:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)], check=True, capture_output=True)
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
        store.forget([record])
    filler.unlink()
    store.close()
    store = Store.open(small / "w")
    assert doctor(store) == []
    assert [each.name for each in store.datasets()] in ([], ["first"])
    store.close()
