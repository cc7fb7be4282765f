"""Facets about the quality of data: doubts, checks, and figures that the files of a dataset state."""

from __future__ import annotations

from typing import Any

from openlineage.client.facet_v2 import data_quality_assertions_dataset, data_quality_metrics_dataset

from whence.checks.check import Check
from whence.checks.mark import read_outcomes
from whence.model.dataset import DatasetRecord
from whence.model.schema import ROW_FLAG_COLUMN, flag_column
from whence.openlineage.facets import PRODUCER, DoubtsFacet
from whence.store.store import Store


def doubts_facet(store: Store, record: DatasetRecord) -> DoubtsFacet:
    """Count the doubt flags that a dataset was stored with. Columns without any are not read."""
    flags = {flag_column(place): name for place, name in enumerate(record.schema.names) if name in record.doubt.columns}
    if record.doubt.rows:
        flags[ROW_FLAG_COLUMN] = ROW_FLAG_COLUMN
    counts = dict.fromkeys(flags.values(), 0)
    for _, batch in store.scan(record, list(flags)) if flags else ():
        for stored, name in flags.items():
            counts[name] += sum(chunk.true_count for chunk in batch.column(stored).chunks)
    rows = counts.pop(ROW_FLAG_COLUMN, 0)
    columns = {name: count for name, count in counts.items() if count}
    return DoubtsFacet(
        rows=rows,
        cells=sum(columns.values()),
        columns=columns,
        absentRows=record.doubt.row_set,
        caveats=len(store.caveats(record)),
        producer=PRODUCER,
    )


def metrics_facet(store: Store, record: DatasetRecord) -> data_quality_metrics_dataset.DataQualityMetricsDatasetFacet:
    """Return the rows, bytes and files of a dataset. No value is read."""
    parts = store.manifest(record).parts
    return data_quality_metrics_dataset.DataQualityMetricsDatasetFacet(
        columnMetrics={},
        rowCount=record.rows,
        bytes=sum(part.size for part in parts),
        fileCount=len(parts),
        producer=PRODUCER,
    )


def assertions_facet(
    store: Store, record: DatasetRecord
) -> data_quality_assertions_dataset.DataQualityAssertionsDatasetFacet | None:
    """Return which checks the input of `ws.expect` passed; None for a dataset that no checks made."""
    outcomes = read_outcomes(store, record)
    if not outcomes:
        return None
    assertions = [_assertion(check, is_passed=is_passed) for check, is_passed in outcomes]
    return data_quality_assertions_dataset.DataQualityAssertionsDatasetFacet(assertions=assertions, producer=PRODUCER)


def _assertion(check: Check, *, is_passed: bool) -> data_quality_assertions_dataset.Assertion:
    values: dict[str, Any] = check.to_json()
    column = values.get("column")
    return data_quality_assertions_dataset.Assertion(
        assertion=check.kind,
        success=is_passed,
        column=column if isinstance(column, str) else None,
        severity="warn" if check.severity == "warning" else check.severity,
        name=check.name,
    )
