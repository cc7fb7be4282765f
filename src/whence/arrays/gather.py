"""Collects the cells that a question reaches, piece by piece. It stops when all are reached or when time is up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from whence.arrays.shapes import Ids
from whence.lineage.selection import Selection

PIECE = 1 << 20
"""About how many cells are listed at a time."""


class TookTooLong(Exception):
    """Raised when a question has taken as long as another way of answering it would."""


@dataclass(frozen=True)
class Deadline:
    """A moment after which it is better to answer in another way; None if there is no other."""

    at: float | None = None

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """Return a deadline so many seconds from now; None sets none."""
        return cls(None if seconds is None else time.perf_counter() + seconds)

    def check(self) -> None:
        """Raise if it has passed."""
        if self.at is not None and time.perf_counter() > self.at:
            raise TookTooLong


NEVER = Deadline()


def pieces(keys: Ids, ask: Callable[[Ids], Ids], deadline: Deadline = NEVER) -> Iterator[Ids]:
    """Yield the answers for some keys at a time; the last piece's answers decide how many keys come next."""
    start, step = 0, 1
    while start < len(keys):
        deadline.check()
        asked = keys[start : start + step]
        found = ask(asked)
        yield found
        start += len(asked)
        per_key = max(len(found) / len(asked), 1)
        # Grows gently, as the first cells may say little about the others; one slow cell is noticed at once.
        step = max(1, min(int(PIECE / per_key), step * 8))


def gather(keys: Ids, ask: Callable[[Ids], Ids], cells: int, deadline: Deadline = NEVER) -> Selection:
    """Return all cells that the keys reach together."""
    kept: list[Ids] = []
    count = 0
    mask = None
    for found in pieces(keys, ask, deadline):
        if mask is None:
            kept.append(found)
            count += len(found)
            # From a quarter of all cells on a mask of a byte each is smaller than ids, and shows when all are reached.
            if count * 4 < cells:
                continue
            mask = np.zeros(cells, dtype=bool)
            found = np.concatenate(kept)
        mask[found] = True
        if mask.all():
            return Selection.everything(cells)
    if mask is not None:
        return Selection.of_mask(mask)
    return Selection.of(np.concatenate(kept) if kept else np.empty(0, dtype=np.int64), cells)
