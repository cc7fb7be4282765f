"""Answers kept in memory do not outlive the removal of a dataset."""

from __future__ import annotations

import pyarrow as pa

from whence.loading.create import create
from whence.store.memory_cache import MemoryCache
from whence.store.store import Store


def test_an_answer_is_computed_once_until_a_dataset_is_forgotten(store: Store) -> None:
    made = create(store, "t", pa.table({"n": [1]}))
    asked: list[str] = []

    def ask(name: str) -> int:
        asked.append(name)
        return len(asked)

    cache = MemoryCache(store, ask, most=4)
    assert [cache("a"), cache("a"), cache("b")] == [1, 1, 2]
    store.forgetting.forget([made])
    assert [cache("a"), cache("a")] == [3, 3]
    cache.clear()
    assert (cache("a"), asked) == (4, ["a", "b", "a", "a"])


def test_an_answer_begun_before_a_removal_is_not_found_after_it(store: Store) -> None:
    made = create(store, "t", pa.table({"n": [1]}))

    def count(name: str) -> int:
        known = len(store.datasets())
        if known:
            store.forgetting.forget([made])
            cache("other")  # another question notices the removal, and empties the cache, before this one is answered
        return known

    cache = MemoryCache(store, count, most=4)
    assert (cache("t"), cache("t")) == (1, 0)
