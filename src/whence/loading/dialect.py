"""Detects the delimiter of a file from its first records."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from whence.loading.exact import Bytes, Form, records

DELIMITERS = (b",", b";", b"\t", b"|")
_SAMPLE = 1 << 17
_RECORDS = 200
_NUMBERS = re.compile(rb"[-+0-9.eE \r\n]*")


@dataclass(frozen=True)
class Dialect:
    """The form of a delimited file."""

    delimiter: str = ","
    quote: str = '"'
    header: bool = True


def sniff_delimiter(data: Bytes, start: int = 0, quote: bytes = b'"') -> bytes:
    """Return the delimiter for which most records have as many fields as the first one, and the first more than one."""
    sample = data[start : start + _SAMPLE]
    if start + _SAMPLE < len(data):
        # Without the last line of the sample, which may be cut short.
        sample = sample[: max(sample.rfind(b"\n"), sample.rfind(b"\r")) + 1] or sample
    forms = [Form(delimiter, quote) for delimiter in DELIMITERS if delimiter != quote]
    best = max(forms, key=lambda form: _agreement(sample, form))
    return b" " if not any(_agreement(sample, best)) and _is_numbers_between_spaces(sample) else best.delimiter


def _agreement(sample: bytes, form: Form) -> tuple[float, int]:
    counts = [len(record.fields) for record in islice(records(sample, form), _RECORDS)]
    if not counts or counts[0] == 1:
        return 0.0, 0
    return sum(count == counts[0] for count in counts) / len(counts), counts[0]


def _is_numbers_between_spaces(sample: bytes) -> bool:
    """Whether the sample is numbers between spaces. Names and sentences have spaces too, so only numbers count."""
    return _agreement(sample, Form(b" "))[0] == 1.0 and _NUMBERS.fullmatch(sample) is not None
