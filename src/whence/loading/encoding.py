"""Detects the encoding of a text file and how certain that is, and converts the file to UTF-8.

In a file that is mostly UTF-8, each byte that is not is carried through parsing as a private-use letter, because its
cell is known only afterwards. `restore` then returns the text to show and the text with these bytes spelled out.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from whence.loading.exact import Bytes
from whence.loading.scratch import Scratch, blocks
from whence.model.errors import BadInput
from whence.model.lazy_module import LazyModule

# Loaded on first use: a file in UTF-8 needs no detection.
if TYPE_CHECKING:
    import charset_normalizer
else:
    charset_normalizer = LazyModule("charset_normalizer")

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LIKELY = [
    "cp1252",
    "iso8859_15",
    "cp1250",
    "cp1251",
    "koi8_r",
    "cp1253",
    "cp1254",
    "cp932",
    "gb18030",
    "big5",
    "euc_kr",
]
_SAMPLE = 1 << 16
_LINES = 10_000
_HIGH = re.compile(rb"[\x80-\xff]")
_NEWLINE = re.compile(rb"[\r\n]")
# Letters at the end of Unicode's last private-use plane: byte b travels as the letter _CARRIER + b.
_CARRIER = 0x10FF00
_ESCAPED = re.compile("[\udc80-\udcff]")
CARRIED = re.compile(f"[{chr(_CARRIER + 0x80)}-{chr(_CARRIER + 0xFF)}]")


@dataclass(frozen=True)
class Text:
    """The text of a file as UTF-8 without a byte order mark."""

    data: Bytes
    encoding: str
    is_guess: bool = False
    """Letters beyond ASCII may be wrong."""
    has_bad_bytes: bool = False
    is_users_choice: bool = False
    """The user gave the encoding."""


def decode(data: Bytes, name: str, scratch: Scratch | None = None, encoding: str | None = None) -> Text:
    """Convert a file's bytes to UTF-8. `name` is the file's name, for the error if it is no text."""
    scratch = scratch or Scratch()
    if encoding is not None:
        return replace(_marked(data, 0, encoding, scratch), is_users_choice=True)
    for mark, marked in _MARKS:
        if data[: len(mark)] == mark:
            return _marked(data, len(mark), marked, scratch)
    if (wide := _wide_without_mark(data)) is not None:
        return _marked(data, 0, wide, scratch, is_guess=True)
    if _is_binary(data[:_SAMPLE]):
        raise BadInput(f"The file {name} is not text.", "Give a file of text, such as CSV.")
    if _is_utf8(data):
        return Text(data, "utf-8")
    sample = _beyond_ascii(data)
    good, bad = _utf8_balance(sample)
    return _carried(data, 0, scratch) if good > bad else _guessed(data, sample, scratch)


def restore(text: str) -> tuple[str, str]:
    """Return the text of a cell with carried bytes as it is shown, and with these bytes spelled out as \\x..."""
    shown = CARRIED.sub("�", text)
    return shown, CARRIED.sub(lambda found: f"\\x{ord(found[0]) - _CARRIER:02x}", text)


def _marked(data: Bytes, start: int, encoding: str, scratch: Scratch, is_guess: bool = False) -> Text:
    """Return text in an encoding that is known, or almost certain."""
    if codecs.lookup(encoding).name == "utf-8":
        if not _is_utf8(data):
            return _carried(data, start, scratch)
        return Text(scratch.keep(blocks(data, start)) if start else data, "utf-8")
    try:
        return Text(scratch.keep(_recoded(data, start, encoding, "strict")), encoding, is_guess)
    except UnicodeDecodeError:
        # Code units that stand for no letter become U+FFFD, and every cell with letters beyond ASCII is in doubt.
        return Text(scratch.keep(_recoded(data, start, encoding, "replace")), encoding, is_guess=True)


def _recoded(data: Bytes, start: int, encoding: str, errors: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    for block in blocks(data, start):
        yield decoder.decode(block).encode()
    yield decoder.decode(b"", final=True).encode()


def _is_utf8(data: Bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    waiting = False
    try:
        for block in blocks(data):
            if waiting or not block.isascii():  # asking costs far less than decoding
                decoder.decode(block)
                waiting = bool(decoder.getstate()[0])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _wide_without_mark(data: Bytes) -> str | None:
    """Detect UTF-16 without a mark: in text with Latin letters every other byte is zero."""
    sample = data[:4096]
    low, high = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if half and high > 0.7 * half and low < 0.1 * half:
        return "utf-16-le"
    return "utf-16-be" if half and low > 0.7 * half and high < 0.1 * half else None


def _is_binary(sample: bytes) -> bool:
    # Not counted: tab, line feed, form feed, carriage return, Ctrl-Z and escape, which text files do contain.
    control = sum(sample.count(code) for code in range(32) if code not in (9, 10, 12, 13, 26, 27))
    return control > max(16, 0.1 * len(sample))


def _beyond_ascii(data: Bytes) -> bytes:
    """Return the first lines that are not ASCII, as only these tell one encoding from another."""
    return b"\n".join(islice(_lines_beyond_ascii(data), _LINES))


def _lines_beyond_ascii(data: Bytes) -> Iterator[bytes]:
    position = 0
    while found := _HIGH.search(data, position):
        start = max(data.rfind(b"\n", position, found.start()), data.rfind(b"\r", position, found.start())) + 1
        end = _NEWLINE.search(data, found.end())
        position = end.start() if end else len(data)
        yield data[start:position]


def _utf8_balance(sample: bytes) -> tuple[int, int]:
    """Return how many letters beyond ASCII are valid UTF-8, and how many bytes are not."""
    text = sample.decode("utf-8", "surrogateescape")
    bad = len(_ESCAPED.findall(text))
    return len(re.findall("[^\x00-\x7f]", text)) - bad, bad


def _carried(data: Bytes, start: int, scratch: Scratch) -> Text:
    return Text(scratch.keep(_with_carriers(data, start)), "utf-8", has_bad_bytes=True)


def _with_carriers(data: Bytes, start: int) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    for block in blocks(data, start):
        yield _carriers(decoder.decode(block))
    yield _carriers(decoder.decode(b"", final=True))


def _carriers(text: str) -> bytes:
    return _ESCAPED.sub(lambda found: chr(_CARRIER + ord(found[0]) - 0xDC00), text).encode()


def _guessed(data: Bytes, sample: bytes, scratch: Scratch) -> Text:
    found = {match.encoding: match for match in charset_normalizer.from_bytes(sample[:_SAMPLE], cp_isolation=_LIKELY)}
    best = min(found.values(), key=lambda match: (match.chaos, -match.coherence), default=None)
    western = found.get("cp1252")
    # Short samples fit many code pages equally well. The Western one is by far the most common.
    if best is None or (western is not None and western.chaos <= best.chaos + 0.02):
        return _decoded(data, "cp1252", scratch)
    return _decoded(data, best.encoding, scratch)


def _decoded(data: Bytes, encoding: str, scratch: Scratch) -> Text:
    try:
        return Text(scratch.keep(_recoded(data, 0, encoding, "strict")), encoding, is_guess=True)
    except UnicodeDecodeError:
        # Latin-1 has a letter for every byte, so this cannot fail.
        return Text(scratch.keep(_recoded(data, 0, "latin-1", "strict")), "latin-1", is_guess=True)
