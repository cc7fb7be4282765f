"""Which letters the bytes of a text file stand for, and how sure that is.

Bytes that are not UTF-8 in an otherwise good UTF-8 file are carried through parsing as private-use letters, one per
byte, because their cell is known only afterwards; `restore` then turns them into what is shown and what is kept.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from whence.model.errors import BadInput

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
_CARRIER = 0x10FF00
CARRIED = re.compile(f"[{chr(_CARRIER + 0x80)}-{chr(_CARRIER + 0xFF)}]")


@dataclass(frozen=True)
class Text:
    """A file's text as UTF-8 without a byte order mark."""

    data: bytes
    encoding: str
    is_guess: bool = False
    has_bad_bytes: bool = False


def decode(data: bytes, name: str) -> Text:
    """Bring a file's bytes into UTF-8; `name` is used to complain about what is no text at all."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    if (wide := _wide_without_mark(data)) is not None:
        return _marked(data, wide, is_guess=True)
    if _is_binary(data[:_SAMPLE]):
        raise BadInput(f"The file {name} is not text.", "Give a file of text, such as CSV.")
    if _is_utf8(data):
        return Text(data, "utf-8")
    good, bad = _utf8_balance(data)
    return _carried(data) if good > bad else _guessed(data)


def restore(text: str) -> tuple[str, str]:
    """What a cell with carried bytes shows, and the same with the bytes spelled out."""
    shown = CARRIED.sub("�", text)
    return shown, CARRIED.sub(lambda found: f"\\x{ord(found[0]) - _CARRIER:02x}", text)


def _marked(data: bytes, encoding: str, is_guess: bool = False) -> Text:
    if encoding == "utf-8":
        return Text(data, encoding) if _is_utf8(data) else _carried(data)
    try:
        return Text(data.decode(encoding).encode(), encoding, is_guess)
    except UnicodeDecodeError:
        # Units that stand for no letter: shown as such, and every cell with letters beyond ASCII is in doubt.
        return Text(data.decode(encoding, "replace").encode(), encoding, is_guess=True)


def _is_utf8(data: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), 1 << 24):
            decoder.decode(data[start : start + (1 << 24)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _wide_without_mark(data: bytes) -> str | None:
    """UTF-16 without a mark: in text with Latin letters every other byte is zero."""
    sample = data[:4096]
    low, high = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if half and high > 0.7 * half and low < 0.1 * half:
        return "utf-16-le"
    return "utf-16-be" if half and low > 0.7 * half and high < 0.1 * half else None


def _is_binary(sample: bytes) -> bool:
    control = sum(sample.count(code) for code in range(32) if code not in (9, 10, 12, 13, 26, 27))
    return control > max(16, 0.1 * len(sample))


def _utf8_balance(data: bytes) -> tuple[int, int]:
    """How many letters beyond ASCII are good UTF-8, and how many bytes are not."""
    text = data.decode("utf-8", "surrogateescape")
    bad = sum(1 for _ in re.finditer("[\udc80-\udcff]", text))
    return sum(1 for c in re.findall("[^\x00-\x7f]", text)) - bad, bad


def _carried(data: bytes) -> Text:
    text = data.decode("utf-8", "surrogateescape")
    carried = re.sub("[\udc80-\udcff]", lambda found: chr(_CARRIER + ord(found[0]) - 0xDC00), text)
    return Text(carried.encode(), "utf-8", has_bad_bytes=True)


def _guessed(data: bytes) -> Text:
    lines = [line for line in re.split(b"[\r\n]", data) if not line.isascii()]
    sample = b"\n".join(lines)[:_SAMPLE]
    found = {match.encoding: match for match in from_bytes(sample, cp_isolation=_LIKELY)}
    best = min(found.values(), key=lambda match: (match.chaos, -match.coherence), default=None)
    western = found.get("cp1252")
    # Short samples fit many code pages equally well; the Western one is by far the most common.
    if best is None or (western is not None and western.chaos <= best.chaos + 0.02):
        return _decoded(data, "cp1252")
    return _decoded(data, best.encoding)


def _decoded(data: bytes, encoding: str) -> Text:
    try:
        return Text(data.decode(encoding).encode(), encoding, is_guess=True)
    except UnicodeDecodeError:
        return Text(data.decode("latin-1").encode(), "latin-1", is_guess=True)
