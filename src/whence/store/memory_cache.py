"""An in-memory cache of answers about datasets, emptied when the user has a dataset forgotten (`ws.forget`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Generic, TypeVar, TypeVarTuple, Unpack

from whence.store.store import Store

Question = TypeVarTuple("Question")
Answer = TypeVar("Answer")


class MemoryCache(Generic[*Question, Answer]):
    """A cache of the newest answers of a function. The first question after `ws.forget` empties it."""

    def __init__(self, store: Store, compute: Callable[[Unpack[Question]], Answer], *, most: int) -> None:
        self._store = store
        self._forgets = store.forgets

        # The count is part of the key: an answer that was begun before a removal must not be found after it.
        def answer(_forgets: int, question: tuple[*Question]) -> Answer:
            return compute(*question)

        self._answers = lru_cache(maxsize=most)(answer)

    def __call__(self, *question: *Question) -> Answer:
        """Return the answer, computed now if the cache does not hold it."""
        forgets = self._store.forgets
        if forgets != self._forgets:
            self._forgets = forgets
            self.clear()
        return self._answers(forgets, question)

    def clear(self) -> None:
        """Drop every answer."""
        self._answers.cache_clear()
