"""The records of a JSON file, one after the other, each with its line; what is not a record is kept as text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from whence.model.errors import BadInput

_BLANK = re.compile(r"[ \t\r\n]*")
_BETWEEN = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")


class Real(str):
    """A number with a point or an exponent, as it is written: whether a double keeps it is judged later."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class JsonRecord:
    """One record; `values` is None if the text is no object, and `repeated` names the keys that came twice."""

    line: int
    text: str
    values: dict[str, object] | None
    repeated: dict[str, object] = field(default_factory=dict)


class _Pairs(dict[str, object]):
    """An object that remembers the values of keys that came twice."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__()
        self.repeated: dict[str, object] = {}
        for key, value in pairs:
            if key in self:
                self.repeated[key] = value
            else:
                self[key] = value


_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs, parse_float=Real, parse_constant=Real)


def json_records(text: str, name: str) -> Iterator[JsonRecord]:
    """The records of JSON lines, of an array, or of objects that follow one another."""
    start = _blank(text, 0)
    if text[start : start + 1] == "[":
        return _array(text, start + 1, name)
    first = text[start : text.find("\n", start) if "\n" in text[start:] else len(text)]
    return _objects(text, start, name) if _parse(first) is None and _starts_object(text, start) else _lines(text)


def _starts_object(text: str, start: int) -> bool:
    """Whether an object written over several lines begins here."""
    try:
        return isinstance(_DECODER.raw_decode(text, start)[0], _Pairs)
    except (ValueError, RecursionError):
        return False


def _lines(text: str) -> Iterator[JsonRecord]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _record(number, line.rstrip("\r"), _parse(line))


def _array(text: str, position: int, name: str) -> Iterator[JsonRecord]:
    line, counted = 1, 0
    position = _blank(text, position)
    while text[position : position + 1] != "]":
        line, counted = line + text.count("\n", counted, position), position
        value, end = _decode(text, position, name, line)
        yield _record(line, text[position:end], value)
        separator = _BETWEEN.match(text, end)
        position = separator.end() if separator else _blank(text, end)
        if not separator and text[position : position + 1] != "]":
            raise _broken(name, line)
    if text[position + 1 :].strip():
        raise _broken(name, line)


def _objects(text: str, position: int, name: str) -> Iterator[JsonRecord]:
    line, counted = 1, 0
    while position < len(text):
        line, counted = line + text.count("\n", counted, position), position
        value, end = _decode(text, position, name, line)
        yield _record(line, text[position:end], value)
        position = _blank(text, end)


def _decode(text: str, position: int, name: str, line: int) -> tuple[object, int]:
    try:
        return _DECODER.raw_decode(text, position)
    except (ValueError, RecursionError) as error:
        raise _broken(name, line) from error


def _record(line: int, text: str, value: object) -> JsonRecord:
    if isinstance(value, _Pairs):
        return JsonRecord(line, text, value, value.repeated)
    return JsonRecord(line, text, None)


def _parse(text: str) -> object:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _blank(text: str, position: int) -> int:
    found = _BLANK.match(text, position)
    return found.end() if found else position


def _broken(name: str, line: int) -> BadInput:
    return BadInput(f"The JSON in {name} breaks off or is wrong near line {line}.", "Check it with a JSON tool.")
