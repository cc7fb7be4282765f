"""The displays of one run so far, for readers while the cell runs and after it failed."""

from __future__ import annotations

import threading

from whence.notebook.display import Display, Rich, Stream


class DisplayLog:
    """Displays in order; consecutive texts of one stream are one display. Safe to use from several threads.

    >>> log = DisplayLog()
    >>> log.add(Stream("stdout", "half a "))
    >>> log.add(Stream("stdout", "line"))
    >>> log.displays
    (Stream(name='stdout', text='half a line'),)
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Pieces of text are joined when they are read: joining at each `add` would copy all text every time.
        self._entries: list[Rich | list[Stream]] = []

    def add(self, display: Display) -> None:
        """Add a display at the end."""
        with self._lock:
            last = self._entries[-1] if self._entries else None
            if isinstance(display, Rich):
                self._entries.append(display)
            elif isinstance(last, list) and last[0].name == display.name:
                last.append(display)
            else:
                self._entries.append([display])

    @property
    def displays(self) -> tuple[Display, ...]:
        """The displays so far."""
        with self._lock:
            return tuple(each if isinstance(each, Rich) else _joined(each) for each in self._entries)


def _joined(pieces: list[Stream]) -> Stream:
    return Stream(pieces[0].name, "".join(each.text for each in pieces))
