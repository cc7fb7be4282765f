"""What was found out about a sheet stays known until the sheet changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from whence.notebook.sheet.state import SheetState

Found = TypeVar("Found")


class Kept(Generic[Found]):
    """Made when it is first asked for, and made anew after a change."""

    def __init__(self, state: SheetState, make: Callable[[], Found]) -> None:
        self._state = state
        self._make = make
        self._known: tuple[int, Found] | None = None

    @property
    def now(self) -> Found:
        """As the sheet stands."""
        if self._known is None or self._known[0] != self._state.version:
            self._known = self._state.version, self._make()
        return self._known[1]
