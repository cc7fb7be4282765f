"""`Answer`: what a tool says, cut to pages of at most 2 kB."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

LONGEST = 2_000
"""The most bytes of an answer. An agent pays for each of them, and asks for more if it needs more."""
_LONGEST_HEAD = 1_200
_LONGEST_LINE = 500
_LONGEST_TRAILER = 80


@dataclass(frozen=True)
class Answer:
    """What is always said, then items from `start` on, as many as fit. `total` counts all items."""

    head: Iterable[str]
    items: Iterable[str] = ()
    start: int = 0
    total: int | None = None
    content: Mapping[str, object] | None = field(default=None)
    """The same as data, for programs."""

    @property
    def text(self) -> str:
        """The page, with a last line that says how to ask for the next one."""
        items = list(self.items) if self.total is None else self.items
        total = self.start + len(items) if isinstance(items, list) and self.total is None else self.total or 0
        lines = _fitting((_line(each) for each in self.head), _LONGEST_HEAD)
        shown = _fitting((_line(each) for each in items), LONGEST - _size(lines) - _LONGEST_TRAILER)
        left = total - self.start - len(shown)
        return "\n".join(
            [*lines, *shown, *([f"{left:,} more: ask again with more={total - left}."] if left > 0 else [])]
        )


def clip(text: str, most: int) -> str:
    """Return a text of at most `most` bytes on one line, with an ellipsis where it is cut.

    >>> clip("a\\nb", 10), clip("abcdefgh", 6)
    ('a b', 'abc…')
    """
    flat = " ".join(text.split("\n"))
    data = flat.encode()
    return flat if len(data) <= most else data[: most - 3].decode(errors="ignore") + "…"


def _line(text: str) -> str:
    return clip(text, _LONGEST_LINE)


def _fitting(lines: Iterable[str], most: int) -> list[str]:
    """Return the first lines that fit, and at least one, so that an agent who asks for more gets on."""
    shown: list[str] = []
    for line in lines:
        if shown and _size([*shown, line]) > most:
            break
        shown.append(line)
    return shown


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)
