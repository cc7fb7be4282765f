"""Computes the next item in the background while the current one is used."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")


def ahead(items: Iterator[Item]) -> Iterator[Item]:
    """Yield the same items. A thread computes the next one before it is requested."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        # None marks the end, so no item may be None.
        waiting = pool.submit(next, items, None)
        while (item := waiting.result()) is not None:
            waiting = pool.submit(next, items, None)
            yield item
