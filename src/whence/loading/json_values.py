"""Reads the records of a JSON file one by one, each with its line. Text that is no record is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from whence.model.errors import BadInput

_BLANK = re.compile(r"[ \t\r\n]*")
_HEAD = 16 << 20
"""Characters examined to tell objects over several lines from one object per line."""


class Real(str):
    """A number with a point or an exponent, as it is written. Whether a double keeps it is decided later."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class JsonRecord:
    """One record. `values` is None if the text is no object. `repeated` holds later values of keys that came twice."""

    line: int
    text: str
    values: dict[str, object] | None
    repeated: dict[str, object] = field(default_factory=dict)


class _Pairs(dict[str, object]):
    """An object that keeps the first value of a key, and a later one in `repeated`."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__()
        self.repeated: dict[str, object] = {}
        for key, value in pairs:
            if key in self:
                self.repeated[key] = value
            else:
                self[key] = value


# `parse_constant`: NaN and Infinity are no JSON, but Python and others write them.
_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs, parse_float=Real, parse_constant=Real)


def json_records(pieces: Iterable[str], name: str) -> Iterator[JsonRecord]:
    """Return the records of JSON lines, of an array, or of consecutive objects, from text in pieces."""
    window = _Window(pieces, name)
    window.skip_blank()
    if window.starts_with("["):
        return _array(window)
    window.fill(_HEAD)
    first, _, _ = window.rest.partition("\n")
    return _objects(window) if _parse(first) is None and _starts_object(window.rest) else _lines(window)


class _Window:
    """A sliding window over the text. It reads more only when needed."""

    def __init__(self, pieces: Iterable[str], name: str) -> None:
        self._pieces = iter(pieces)
        self._name = name
        self._text = ""
        self._position = 0
        self.line = 1

    @property
    def rest(self) -> str:
        """The text that was read and not used yet."""
        return self._text[self._position :]

    def fill(self, size: int = 1) -> bool:
        """Read on until at least `size` characters are there. Return whether anything was read."""
        more: list[str] = []
        length = len(self._text) - self._position
        while length < size and (piece := next(self._pieces, None)) is not None:
            more.append(piece)
            length += len(piece)
        if more:
            self._text, self._position = self.rest + "".join(more), 0
        return bool(more)

    def skip_blank(self) -> None:
        """Move to the next character that is not blank."""
        while True:
            found = _BLANK.match(self._text, self._position)
            self._move(found.end() if found else self._position)
            if self._position < len(self._text) or not self.fill():
                return

    def starts_with(self, letter: str) -> bool:
        """Whether this character comes next."""
        return self._text[self._position : self._position + 1] == letter

    def take(self) -> None:
        """Skip one character."""
        self._move(self._position + 1)

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left."""
        return self._position >= len(self._text) and not self.fill()

    def value(self) -> JsonRecord:
        """Return the value that begins here. If the window cuts it off, read more text and parse it again."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._position)
            except (ValueError, RecursionError) as error:
                # The window doubles, so that a long value is not parsed again for every piece.
                if self.fill(2 * (len(self._text) - self._position) + 1):
                    continue
                raise self.broken() from error
            if end == len(self._text) and self.fill(end - self._position + 1):
                continue  # a number may go on
            record = _record(self.line, self._text[self._position : end], value)
            self._move(end)
            return record

    def lines(self) -> Iterator[str]:
        """Yield what is left, line by line."""
        first, held = self.rest, ""
        self._text, self._position = "", 0
        for piece in chain((first,), self._pieces):
            *whole, held = (held + piece).split("\n")
            yield from whole
        yield held

    def broken(self) -> BadInput:
        """Return the error for text that is no valid JSON at this position."""
        what = f"The JSON in {self._name} breaks off or is wrong near line {self.line}."
        return BadInput(what, "Check it with a JSON tool.")

    def _move(self, position: int) -> None:
        self.line += self._text.count("\n", self._position, position)
        self._position = position


def _starts_object(text: str) -> bool:
    """Whether an object written over several lines begins here."""
    try:
        return isinstance(_DECODER.raw_decode(text, 0)[0], _Pairs)
    except (ValueError, RecursionError):
        return False


def _lines(window: _Window) -> Iterator[JsonRecord]:
    first = window.line
    for number, line in enumerate(window.lines(), start=first):
        if line.strip():
            yield _record(number, line.rstrip("\r"), _parse(line))


def _array(window: _Window) -> Iterator[JsonRecord]:
    window.take()
    window.skip_blank()
    while not window.starts_with("]"):
        yield window.value()
        line = window.line
        window.skip_blank()
        if window.starts_with(","):
            window.take()
            window.skip_blank()
        elif not window.starts_with("]"):
            # Report the line on which the value ended, not the one after the blanks.
            window.line = line
            raise window.broken()
    window.take()
    window.skip_blank()
    if not window.is_at_end:
        raise window.broken()


def _objects(window: _Window) -> Iterator[JsonRecord]:
    while not window.is_at_end:
        yield window.value()
        window.skip_blank()


def _record(line: int, text: str, value: object) -> JsonRecord:
    if isinstance(value, _Pairs):
        return JsonRecord(line, text, value, value.repeated)
    return JsonRecord(line, text, None)


def _parse(text: str) -> object:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
