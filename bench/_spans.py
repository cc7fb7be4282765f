"""Measures nested spans around functions of whence, and draws them as a picture: one row of boxes for each level."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from html import escape
from typing import Any
from unittest.mock import patch

WIDTH, ROW, GAP, LETTER = 960, 20, 14, 6.3
_COLORS = ("#cfd8e3", "#b9d7ea", "#bfe3c6", "#f3dfa2", "#f2c4b3", "#d9c8ea", "#c8e0dd")


@dataclass
class Span:
    """How long something took, and what was called within it; calls of one name within one span are one."""

    name: str
    seconds: float = 0.0
    parts: dict[str, Span] = field(default_factory=dict)

    def part(self, name: str) -> Span:
        """Return the span of this name within this one."""
        return self.parts.setdefault(name, Span(name))


@dataclass(frozen=True)
class Place:
    """A function that is measured: an attribute of a module or class, and what the picture calls it."""

    owner: object
    attribute: str
    name: str


class Recorder:
    """Records the spans of one thread. A function that calls itself, or its like, counts once."""

    def __init__(self) -> None:
        self._open: list[Span] = []
        self._thread = threading.get_ident()

    def record(self, name: str, action: Callable[[], object]) -> Span:
        """Run an action and return its span."""
        root = Span(name)
        self._open = [root]
        start = time.perf_counter()
        action()
        root.seconds = time.perf_counter() - start
        return root

    @contextmanager
    def watching(self, places: Sequence[Place]) -> Iterator[None]:
        """Measure these functions in the block."""
        with ExitStack() as stack:
            for place in places:
                given = getattr(place.owner, place.attribute)
                stack.enter_context(patch.object(place.owner, place.attribute, self._measured(place.name, given)))
            yield

    def _measured(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def measured(*args: object, **named: object) -> object:
            if threading.get_ident() != self._thread or self._open[-1].name == name:
                return function(*args, **named)
            span = self._open[-1].part(name)
            self._open.append(span)
            start = time.perf_counter()
            try:
                return function(*args, **named)
            finally:
                span.seconds += time.perf_counter() - start
                self._open.pop()

        return measured


def draw(roots: Sequence[Span]) -> str:
    """Return an SVG picture in which each root has the full width. Dark text on light boxes suits every theme."""
    boxes: list[str] = []
    top = 0
    for root in roots:
        boxes += _boxes(root, 0.0, top, WIDTH / root.seconds)
        top += _depth(root) * ROW + GAP
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top - GAP}" width="{WIDTH}" role="img" '
        'font-family="system-ui, sans-serif" font-size="11" fill="#1d2733">',
        *boxes,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def describe(span: Span, depth: int = 0) -> Iterator[str]:
    """Yield a line for each span: the same as the picture, as text."""
    yield f"{'  ' * depth}{span.name} {milliseconds_text(span.seconds)}"
    for part in span.parts.values():
        yield from describe(part, depth + 1)


def milliseconds_text(seconds: float) -> str:
    """Return a duration with two digits or more.

    >>> milliseconds_text(0.0123), milliseconds_text(0.0004), milliseconds_text(1.5)
    ('12 ms', '0.4 ms', '1,500 ms')
    """
    return f"{1000 * seconds:,.0f} ms" if seconds >= 0.01 else f"{1000 * seconds:.1f} ms"


def _depth(span: Span) -> int:
    return 1 + max((_depth(part) for part in span.parts.values()), default=0)


def _boxes(span: Span, left: float, top: float, scale: float) -> Iterator[str]:
    width = span.seconds * scale
    if width < 1:
        return
    color = _COLORS[sum(map(ord, span.name)) % len(_COLORS)]
    title = escape(f"{span.name}: {milliseconds_text(span.seconds)}")
    yield (
        f'<g><title>{title}</title><rect x="{left:.1f}" y="{top}" width="{max(width - 1, 0.6):.1f}" '
        f'height="{ROW - 1}" fill="{color}"/>{_label(span, left, top, width)}</g>'
    )
    for part in span.parts.values():
        yield from _boxes(part, left, top + ROW, scale)
        left += part.seconds * scale


def _label(span: Span, left: float, top: float, width: float) -> str:
    """Return as much of the name and the time as the box has room for."""
    room = int((width - 8) / LETTER)
    fitting = (each for each in (f"{span.name} {milliseconds_text(span.seconds)}", span.name) if len(each) <= room)
    text = next(fitting, "")
    return f'<text x="{left + 4:.1f}" y="{top + ROW - 6}">{escape(text)}</text>' if text else ""
