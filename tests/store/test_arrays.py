"""Files of arrays give back what they were given, whatever the form it was kept in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.store.arrays import read_arrays, write_arrays

NUMBERS = st.integers(-(2**63), 2**63 - 1)
ARRAYS = st.lists(NUMBERS, max_size=30).map(lambda values: np.array(values, dtype=np.int64))
RISING = st.lists(NUMBERS, max_size=30).map(lambda values: np.array(sorted(values), dtype=np.int64))
NEAR = st.tuples(st.integers(-1, 2**40), st.lists(st.integers(0, 300), max_size=30)).map(
    lambda parts: parts[0] + np.cumsum([0, *parts[1]], dtype=np.int64)
)


@given(st.lists(ARRAYS | RISING | NEAR, min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_arrays_come_back(tmp_path_factory: pytest.TempPathFactory, arrays: list[np.ndarray]) -> None:
    path = tmp_path_factory.mktemp("arrays") / "a.arrow"
    named = {f"a{number}": array for number, array in enumerate(arrays)}
    write_arrays(path, named)
    again = read_arrays(path)
    assert list(again) == list(named)
    for name, array in named.items():
        assert again[name].dtype == array.dtype
        assert again[name].tolist() == array.tolist()


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.bool_, np.float64])
def test_other_types_come_back(tmp_path: Path, dtype: type[np.generic]) -> None:
    array = np.arange(1000).astype(dtype)
    write_arrays(tmp_path / "a.arrow", {"a": array})
    (again,) = read_arrays(tmp_path / "a.arrow").values()
    assert again.dtype == array.dtype
    assert np.array_equal(again, array)


def test_rows_that_are_their_own_origin_take_next_to_nothing(tmp_path: Path) -> None:
    write_arrays(tmp_path / "a.arrow", {"source0": np.arange(5, 100_005)})
    assert (tmp_path / "a.arrow").stat().st_size < 2_000
