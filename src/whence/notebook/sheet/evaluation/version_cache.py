"""Caches a value derived from a sheet until the sheet changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from whence.notebook.sheet.state import SheetState

Value = TypeVar("Value")


class VersionCache(Generic[Value]):
    """A value of one version of a sheet: computed at the first request, and computed anew after a change."""

    def __init__(self, state: SheetState, make: Callable[[], Value]) -> None:
        self._state = state
        self._make = make
        self._known: tuple[int, Value] | None = None

    @property
    def now(self) -> Value:
        """The value for the sheet as it is now."""
        if self._known is None or self._known[0] != self._state.version:
            self._known = self._state.version, self._make()
        return self._known[1]
