from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.store.making import make
from whence.model.caveat import Caveat
from whence.model.errors import BadInput, DamagedFile, WorkspaceInUse
from whence.store.arrays import read_arrays, write_arrays
from whence.store.doctor import doctor
from whence.store.store import Store

CAVEATS = (Caveat("why", "load", 0, "a", 2, "x"), Caveat("whole row", "load", 1), Caveat("column", "load", column="a"))


def full(store: Store, source: Path) -> None:
    source.write_text("a\n1\n")
    make(
        store,
        "t",
        pa.table({"a": [1, 2]}),
        caveats=CAVEATS,
        documents={"load_report": {"records": 2, "word": "é"}},
        arrays={"edge": {"rows": np.array([3, 1, 2]), "offsets": np.array([0, 300_000], dtype=np.int64)}},
        sources=[store.add_file(source)],
    )


def test_everything_published_comes_back_after_the_folder_was_copied(store: Store, tmp_path: Path) -> None:
    full(store, tmp_path / "a.csv")
    store.close()
    shutil.copytree(tmp_path / "w", tmp_path / "copy")
    shutil.rmtree(tmp_path / "w")
    copy = Store.open(tmp_path / "copy")
    record = copy.current("t")
    assert copy.read(record, 0, 2).to_pydict() == {"a": [1, 2]}
    assert tuple(copy.caveats(record)) == CAVEATS
    assert copy.document(record, "load_report") == {"records": 2, "word": "é"}
    assert copy.document(record, "nothing") is None
    assert copy.arrays(record, "nothing") is None
    arrays = copy.arrays(record, "edge")
    assert arrays is not None
    assert {name: array.tolist() for name, array in arrays.items()} == {"rows": [3, 1, 2], "offsets": [0, 300_000]}
    assert doctor(copy) == []
    copy.close()


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=5),
        hnp.arrays(
            st.sampled_from([np.int64, np.int32, np.uint64, np.uint8, np.bool_, np.float64]).map(np.dtype),
            st.integers(0, 20),
        ),
        min_size=1,
        max_size=4,
    )
)
@settings(deadline=None, max_examples=60)
def test_arrays_come_back_with_the_values_and_type_they_had(
    tmp_path_factory: pytest.TempPathFactory, arrays: dict[str, np.ndarray]
) -> None:
    path = tmp_path_factory.mktemp("arrays") / "x.arrow"
    write_arrays(path, arrays)
    found = read_arrays(path)
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype


def test_small_numbers_take_little_room(tmp_path: Path) -> None:
    rows = np.random.default_rng(1).integers(0, 100, 100_000)
    assert write_arrays(tmp_path / "x.arrow", {"rows": rows}).size < 110_000


def test_a_second_opening_is_refused_and_says_who_holds_it(store: Store) -> None:
    with pytest.raises(WorkspaceInUse, match="in use by this process"):
        Store.open(store.root)


def test_a_folder_that_holds_other_things_is_not_made_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("x")
    with pytest.raises(BadInput, match=r"is not a workspace: it holds thesis\.doc"):
        Store.open(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.doc"]


def test_a_source_is_kept_once_by_its_content(store: Store, tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(b"same")
    first, second = store.add_file(tmp_path / "a.csv"), store.add_file(tmp_path / "b.csv")
    assert first == second
    assert (store.root / first.path).read_bytes() == b"same"
    assert list((store.root / "tmp").iterdir()) == []


def test_any_flipped_bit_in_any_stored_file_is_found(store: Store, tmp_path: Path) -> None:
    full(store, tmp_path / "a.csv")
    folders = [store.root / "datasets", store.root / "lineage", store.root / "files"]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert len(files) == 7
    for path in files:
        good = path.read_bytes()
        path.write_bytes(flipped(good, len(good) // 2))
        assert doctor(store), path
        path.write_bytes(good)
    assert doctor(store) == []


@pytest.mark.parametrize("where", [0.1, 0.3, 0.5, 0.7, 0.9, 0.999])
def test_a_flipped_bit_never_gives_a_wrong_answer(tmp_path: Path, where: float) -> None:
    values = np.random.default_rng(2).integers(0, 1 << 60, 5_000)
    with_store(tmp_path, lambda store: make(store, "t", pa.table({"a": values}), arrays={"e": {"x": values}}))
    for path in [*(tmp_path / "w/datasets").rglob("part.parquet"), *(tmp_path / "w/lineage").rglob("*.arrow")]:
        good = path.read_bytes()
        path.write_bytes(flipped(good, int(len(good) * where)))
    with_store(tmp_path, expect_damage)


def expect_damage(store: Store) -> None:
    record = store.current("t")
    with pytest.raises(DamagedFile):
        store.read(record, 0, 10)
    with pytest.raises(DamagedFile):
        store.arrays(record, "e")


def with_store(tmp_path: Path, action: Callable[[Store], object]) -> None:
    store = Store.open(tmp_path / "w")
    try:
        action(store)
    finally:
        store.close()


def flipped(data: bytes, position: int) -> bytes:
    return data[:position] + bytes([data[position] ^ 0x10]) + data[position + 1 :]
