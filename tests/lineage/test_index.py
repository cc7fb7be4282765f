"""Indexes against a plain dictionary: in memory and from a file, one key, several, all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from whence.lineage.index import Index, IndexFacts, SingleIndex, build_arrays, build_index, build_lookup, from_arrays
from whence.lineage.lookup import CoarseLookup, IdentityLookup, Lookup, UnionLookup
from whence.lineage.selection import Selection
from whence.store.index_file import IndexFile, write_index

KEYS, VALUES = 6, 10
PAIRS = st.lists(st.tuples(st.integers(0, KEYS - 1), st.integers(0, VALUES - 1)), max_size=30)
ASKED = st.lists(st.integers(0, KEYS - 1), max_size=8)


def columns(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([key for key, _ in pairs], dtype=np.int64), np.array([value for _, value in pairs], dtype=np.int64)


def check(lookup: Lookup, pairs: list[tuple[int, int]], asked: list[int]) -> None:
    """Every question a lookup can be asked, by definition."""
    by_key = {key: sorted({value for other, value in pairs if other == key}) for key in range(KEYS)}
    keys = np.array(asked, dtype=np.int64)
    assert lookup.of(keys).tolist() == [value for key in asked for value in by_key[key]]
    assert lookup.lengths(keys).tolist() == [len(by_key[key]) for key in asked]
    for chosen in (set(asked), set(range(KEYS)) - set(asked), set(range(KEYS)), set(asked[:1])):
        selection = Selection.of(np.array(sorted(chosen), dtype=np.int64), KEYS)
        found = lookup.select(selection)
        expected = sorted({value for key in chosen for value in by_key[key]})
        assert (found.ids.tolist(), found.count) == (expected, len(expected))
        assert found.page(0, 2).tolist() == expected[:2]
        assert found.rest.tolist() == sorted(set(range(VALUES)) - set(expected))


@settings(derandomize=True, max_examples=200)
@given(PAIRS, ASKED)
def test_an_index_gives_the_values_of_each_key_in_their_order(pairs: list[tuple[int, int]], asked: list[int]) -> None:
    index = build_index(*columns(pairs), KEYS)
    expected = [value for key in asked for other, value in pairs if other == key]
    assert index.of(np.array(asked, dtype=np.int64)).tolist() == expected


@settings(derandomize=True, max_examples=300)
@given(PAIRS, ASKED)
def test_a_lookup_answers_as_a_dictionary_would(pairs: list[tuple[int, int]], asked: list[int]) -> None:
    check(build_lookup(*columns(pairs), KEYS, VALUES), pairs, asked)


@settings(derandomize=True, max_examples=100)
@given(PAIRS.map(lambda pairs: list(dict(pairs).items())), ASKED)
def test_one_value_per_key_is_stored_as_one_array(pairs: list[tuple[int, int]], asked: list[int]) -> None:
    lookup = build_lookup(*columns(pairs), KEYS, VALUES)
    assert isinstance(lookup, SingleIndex)
    check(lookup, pairs, asked)


@settings(derandomize=True, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PAIRS, ASKED)
def test_an_index_from_a_file_answers_as_one_in_memory(
    tmp_path: Path, pairs: list[tuple[int, int]], asked: list[int]
) -> None:
    arrays, facts = build_arrays(*columns(pairs), KEYS, VALUES)
    write_index(tmp_path / "index", arrays, vars(facts))
    file = IndexFile(tmp_path / "index")
    check(from_arrays(file.arrays, IndexFacts(**file.facts)), pairs, asked)


@settings(derandomize=True, max_examples=100)
@given(PAIRS, PAIRS, ASKED)
def test_several_lookups_are_one(some: list[tuple[int, int]], more: list[tuple[int, int]], asked: list[int]) -> None:
    parts = (build_lookup(*columns(some), KEYS, VALUES), build_lookup(*columns(more), KEYS, VALUES))
    check(UnionLookup(parts), some + more, asked)


def test_the_same_rows_need_no_arrays() -> None:
    lookup = build_lookup(np.arange(5), np.arange(5), 5, 5)
    assert lookup == IdentityLookup(5)
    chosen = Selection.of(np.array([3, 1]), 5)
    assert lookup.select(chosen).ids.tolist() == [1, 3]
    assert lookup.of(np.array([4, 4])).tolist() == [4, 4]


def test_coarse_lineage_is_everything_for_anybody() -> None:
    pairs = [(key, value) for key in range(KEYS) for value in range(VALUES)]
    check(CoarseLookup(KEYS, VALUES), pairs, [2, 0])


@pytest.mark.parametrize(("groups", "width"), [(100, 1), (30_000, 2), (70_000, 4)])
def test_numbers_are_stored_in_the_narrowest_type(groups: int, width: int) -> None:
    keys = np.repeat(np.arange(groups), 2)
    forward, _ = build_arrays(np.arange(len(keys)), keys, len(keys), groups)
    assert forward["single"].dtype.itemsize == width
    backward, _ = build_arrays(keys, np.arange(len(keys)), groups, len(keys))
    assert backward["values"].dtype.itemsize == width


def test_the_bits_say_when_whole_datasets_go_through_whole() -> None:
    grouped, facts = build_arrays(np.array([0, 1, 0]), np.array([0, 1, 2]), 2, 3)
    assert (facts.reaches_all, facts.is_disjoint) == (True, True)
    assert from_arrays({}, facts).select(Selection.everything(2)).is_everything
    assert isinstance(build_lookup(np.array([0, 1, 0]), np.array([0, 1, 2]), 2, 3), Index)
    assert grouped["offsets"].tolist() == [0, 2, 3]
    _, shared = build_arrays(np.array([0, 1]), np.array([1, 1]), 2, 3)
    assert (shared.reaches_all, shared.is_disjoint) == (False, False)
