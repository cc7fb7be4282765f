"""The counting-sort index against a plain dictionary."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.lineage.index import build_index

KEYS = 6


@settings(derandomize=True, max_examples=200)
@given(
    st.lists(st.tuples(st.integers(0, KEYS - 1), st.integers(0, 9)), max_size=30),
    st.lists(st.integers(0, KEYS - 1), max_size=8),
)
def test_an_index_gives_the_values_of_each_key_in_their_order(pairs: list[tuple[int, int]], asked: list[int]) -> None:
    keys = np.array([key for key, _ in pairs], dtype=np.int64)
    values = np.array([value for _, value in pairs], dtype=np.int64)
    index = build_index(keys, values, KEYS)
    expected = [value for key in asked for other, value in pairs if other == key]
    assert index.of(np.array(asked, dtype=np.int64)).tolist() == expected
