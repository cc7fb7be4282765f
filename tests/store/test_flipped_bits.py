"""One flipped bit in any file of a workspace is found: by doctor, or when the workspace is opened."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tests.store import sample_step
from tests.store.making import make
from whence.caveats.current_flags import write_flag_copy
from whence.caveats.reach import FlagMasks
from whence.model.caveat import Caveat
from whence.model.errors import DamagedFile
from whence.store.derived import KINDS, Kind
from whence.store.doctor import doctor
from whence.store.index_file import write_index
from whence.store.migrations import OLDEST, STEPS
from whence.store.parts import ROW_GROUP
from whence.store.store import Store

INDEX_KINDS: tuple[Kind, ...] = ("index", "deferred", "recomputed", "prepared")
UNCHECKED = {"lock"}
"""Says who has the workspace open; rewritten at each opening."""


@pytest.fixture(scope="module")
def full_workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A closed workspace that has at least one file of every kind."""
    folder = tmp_path_factory.mktemp("whole")
    sample_step.fill(folder / "w")
    with pytest.MonkeyPatch.context() as patch:
        sample_step.install(patch)
        fill(folder)
        yield folder / "w"


def fill(folder: Path) -> None:
    """Open the workspace by way of a step to the next format, which leaves a backup behind, and add what is missing."""
    store = Store.open(folder / "w")
    source = folder / "a.csv"
    source.write_text("a\n1\n")
    rows = 8 * ROW_GROUP + 11
    made = make(
        store,
        "t",
        pa.table({"a": np.arange(rows), "s": pa.array(np.arange(rows) % 7).cast(pa.string())}),
        caveats=(Caveat("why", "load", 0, "a", 2, "x"),),
        documents={"load_report": {"records": 2}, "lineage": {"parts": 1}, "rowkeys": {"kind": "values"}},
        arrays={"part0": {"source0": np.arange(rows)}, "rowkeys": {"v0": np.arange(rows) % 100}},
        sources=[store.add_file(source)],
    )
    store.views.view(made, [("s", "desc")], [("a", ">", 5)]).rids(0, 10)
    store.profiles.profile(made, "s")
    store.take(made, np.array([rows - 1, 3, 5 * ROW_GROUP, 2 * ROW_GROUP + 9, 4 * ROW_GROUP, 7 * ROW_GROUP]))
    store.scattered.wait(made.id)
    for kind in INDEX_KINDS:
        write_index(store.derived.path(kind, made.id, "question"), {"ids": np.arange(rows)}, {"rows": rows})
    doubts = FlagMasks({"a": np.arange(rows) % 3 == 0}, row_set=False)
    write_flag_copy(store, made, doubts, store.derived.path("flags", made.id, doubts.fingerprint))
    write_flag_copy(store, made, doubts, store.derived.path("ranges", made.id, doubts.fingerprint))
    store.late_notes.add(made.id, "lineage could not be captured")
    assert doctor(store) == []
    store.close()


def kind_of(path: Path, root: Path) -> str:
    """Files of one kind are checked in one way."""
    first, *rest = path.relative_to(root).parts
    if first in ("files", "lineage"):
        return first
    if first == "datasets":
        return "rows" if "rows" in rest else path.name
    return f"tmp/{rest[0]}" if first == "tmp" else path.name


def is_found(root: Path) -> bool:
    try:
        store = Store.open(root)
    except DamagedFile:
        return True
    try:
        return doctor(store) != []
    finally:
        store.close()


def flip(path: Path, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)


def check(full_workspace: Path, tmp_path: Path, flips: int, seed: int) -> Counter[str]:
    found: Counter[str] = Counter()
    dice = random.Random(seed)
    files = sorted(path for path in full_workspace.rglob("*") if path.is_file() and path.name not in UNCHECKED)
    for path in files:
        for _ in range(flips):
            copy = tmp_path / "copy"
            shutil.copytree(full_workspace, copy)
            bit = dice.randrange(path.stat().st_size * 8)
            flip(copy / path.relative_to(full_workspace), bit)
            assert is_found(copy), f"bit {bit} of {path.relative_to(full_workspace)}"
            shutil.rmtree(copy)
            found[kind_of(path, full_workspace)] += 1
    return found


def test_a_flipped_bit_in_any_file_is_found(full_workspace: Path, tmp_path: Path) -> None:
    found = check(full_workspace, tmp_path, 1, 1)
    assert set(found) == {
        "meta.db",
        "meta.seal",
        "manifest.json",
        "caveats.parquet",
        "load_report.json",
        "lineage.json",
        "rowkeys.json",
        "rows",
        "lineage",
        "files",
        *(f"tmp/{kind}" for kind in KINDS),
        f"meta-format-{OLDEST + len(STEPS)}.db",
        f"meta-format-{OLDEST + len(STEPS)}.sha256",
    }


@pytest.mark.long
def test_flipped_bits_of_a_store_are_all_found(full_workspace: Path, tmp_path: Path) -> None:
    assert sum(check(full_workspace, tmp_path, 30, 2).values()) > 500


def test_after_a_crash_there_is_no_seal_and_the_workspace_opens(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "w")
    make(store, "t", pa.table({"a": [1]}))
    shutil.copytree(tmp_path / "w", tmp_path / "copy")  # what a crash would leave
    store.close()
    assert (tmp_path / "w" / "meta.seal").exists()
    assert not (tmp_path / "copy" / "meta.seal").exists()
    assert not is_found(tmp_path / "copy")
    assert not is_found(tmp_path / "w")
