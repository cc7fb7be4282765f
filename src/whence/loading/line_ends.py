"""Detects files that end their records in more than one way. Line breaks inside quotes are data and do not count."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from whence.loading.exact import Bytes, Form, records
from whence.loading.scan import Positions, scan
from whence.loading.scratch import blocks

_LF, _CR = 10, 13
_WINDOW = 8 << 20
_EXACT = 1 << 18
"""Bytes read record by record after a misplaced quote, before windows are scanned again."""


def has_mixed_line_ends(data: Bytes, form: Form) -> bool:
    """Whether some records end with CRLF and others with CR or LF alone."""
    if not _has_mixed_breaks(data):
        return False
    if not form.quote or data.find(form.quote) < 0:
        return True
    found = set[bool]()
    for stops in _record_stops(data, form):
        found |= _kinds(data, stops)
        if len(found) == 2:
            return True
    return False


def _has_mixed_breaks(data: Bytes) -> bool:
    """Whether line breaks, quoted or not, differ. This quick pass is enough for most files, which use one kind."""
    both, returns, feeds, before = 0, 0, 0, b""
    for block in blocks(data):
        found = block.count(b"\r")
        returns += found
        feeds += block.count(b"\n")
        # A CRLF may lie across two blocks.
        if found or before == b"\r":
            both += block.count(b"\r\n") + (before == b"\r" and block[:1] == b"\n")
        before = block[-1:]
    return both > 0 and (feeds > both or returns > both)


def _record_stops(data: Bytes, form: Form) -> Iterator[Positions]:
    """Yield the positions at which records end, with their line end, window by window."""
    position, window = 0, _WINDOW
    while position < len(data):
        stop = min(position + window, len(data))
        found = scan(data, form, position, stop, 1)
        if found.stop > position:
            yield found.stops
            position, window = found.stop, _WINDOW
        elif not found.broken:
            if stop == len(data):
                return
            window *= 2  # one record is longer than the window
            continue
        if found.broken:
            stops = _exact_stops(data, form, position)
            if not len(stops):
                return
            yield stops
            position = int(stops[-1])


def _exact_stops(data: Bytes, form: Form, start: int) -> Positions:
    stops = []
    for record in records(data, form, start):
        stops.append(record.stop)
        if record.stop >= start + _EXACT:
            break
    return np.array(stops, np.int64)


def _kinds(data: Bytes, stops: Positions) -> set[bool]:
    """Return whether records end with CRLF (True) or otherwise (False). The last may have no line end at all."""
    first = max(int(stops.min(initial=0)) - 2, 0)
    text = np.frombuffer(data[first : int(stops.max(initial=0))], np.uint8)
    last, before = text[stops - 1 - first], text[np.maximum(stops - 2 - first, 0)]
    is_end = (last == _LF) | (last == _CR)
    return set(((last == _LF) & (before == _CR))[is_end].tolist())
