"""Numbers the records of several runs over the same input alike, so that equal numbers mean the same record.

Each run numbers the rows made on its way for itself. Two such rows are the same record if the same call made them from
the same records; rows made from nothing, such as given ones, need the same values, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import numpy as np

from whence.lineage.block import Ids
from whence.pipeline.step import PipelineStep
from whence.pipeline.trail import Trail


class SharedRecords:
    """The numbers that runs share: records of the input keep theirs, any other record gets the next free one."""

    def __init__(self, input_rows: int) -> None:
        self._input_rows = input_rows
        self._numbers: dict[Hashable, int] = {}

    def numbers(self, trail: Trail) -> Ids:
        """Return the shared number of each record of a run."""
        found = np.arange(max(self._input_rows, trail.record_count), dtype=np.int64)
        calls: Counter[str] = Counter()
        for number, segment in enumerate(trail.segments):
            if segment.closing is not None:
                code = segment.closing.operation.code
                calls[code] += 1
                self._number_new(trail, number, (code, calls[code]), found)
        return found

    def _number_new(self, trail: Trail, number: int, call: Hashable, shared: Ids) -> None:
        """Fill in the shared numbers of the records that the step after a segment made."""
        rows = np.flatnonzero(trail.crossing(number).is_new)
        # Several rows may be made from the same records, such as copies; these are told apart by their order.
        copies: Counter[Hashable] = Counter()
        for record, origin in zip(trail.records[number + 1][rows], _origins(trail, number, rows, shared), strict=True):
            copies[origin] += 1
            key = (call, origin, copies[origin])
            shared[record] = self._numbers.setdefault(key, self._input_rows + len(self._numbers))


def _origins(trail: Trail, number: int, rows: Ids, shared: Ids) -> list[Hashable]:
    """Return, for each row that the step after a segment made, a key of the records it was made from."""
    step, out = trail.segments[number].closing, trail.base(number + 1)
    if step is None or not len(rows):
        return []
    if not trail.is_traced(out):
        # Any row may come from any row, so only the stored version itself tells.
        return [(out.id, int(row)) for row in rows]
    origins: list[list[Hashable]] = [[] for _ in rows]
    for source, lengths, ids in trail.origins(step, rows):
        named = shared[trail.records[number][ids]] if source == 0 else ids
        dataset = None if source == 0 else trail.other(step, source).id
        for origin, each in zip(origins, np.split(named, np.cumsum(lengths)[:-1]), strict=True):
            if len(each):
                origin.append((dataset, np.sort(each).tobytes()))
    empty = np.array([not origin for origin in origins])
    for place, values in zip(np.flatnonzero(empty), _values(trail, step, rows[empty]), strict=True):
        origins[place].append(values)
    return [tuple(origin) for origin in origins]


def _values(trail: Trail, step: PipelineStep, rows: Ids) -> list[str]:
    """Return the values of some rows right after a step, as one text for each row."""
    columns = [trail.values(step.index + 1, name, rows) for name in step.after.names]
    return [repr(values) for values in zip(*columns, strict=True)]
