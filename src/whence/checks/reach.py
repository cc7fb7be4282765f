"""Which datasets below a checked one hold rows that failing rows contributed to or influenced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from whence.caveats.file_lines import STATING
from whence.checks.find import Finding
from whence.lineage.selection import Selection
from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord


def reached_datasets(trace: Trace, record: DatasetRecord, findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the names of datasets that failures reach; a failure of the whole dataset reaches all below."""
    failures = [each for each in findings if each.is_failure]
    if not failures:
        return ()
    # Versions that only state doubts hold the rows of the dataset itself.
    below = [each for each in trace.descendants(record) if each.origin not in STATING]
    if any(not len(each.rows) for each in failures):
        return _names(below)
    failing = Selection.of(np.concatenate([each.rows for each in failures]), record.rows)
    return _names(each for each in below if trace.forward(record, failing, each, influence=True).count)


def _names(records: Iterable[DatasetRecord]) -> tuple[str, ...]:
    return tuple(sorted({each.name for each in records}))
