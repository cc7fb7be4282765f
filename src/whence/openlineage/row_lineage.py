"""Counts the rows behind each edge of a dataset, from its stored row lineage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.lineage.selection import Selection
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.openlineage.facets import PRODUCER, RowLineageColumn, RowLineageEdge, RowLineageFacet
from whence.store.forgotten import ForgottenRecord

MOST_ROWS = 5_000_000
"""Edges of larger datasets are not counted: that would take seconds of the processor."""

Precision = Literal["exact", "coarse", "pending", "limited", "uncounted"]


def row_lineage_facet(
    edges: Edges, record: DatasetRecord, namespace: str, most_rows: int = MOST_ROWS
) -> RowLineageFacet | None:
    """Return how many rows back each edge of a dataset; None for one that was made from no other."""
    document = edges.document(record)
    if document is None or not document.sources:
        return None
    counter = _EdgeCounter(edges, record, document, namespace, most_rows)
    return RowLineageFacet(edges=list(counter.edges()), columns=list(counter.columns()), producer=PRODUCER)


class _EdgeCounter:
    """Counts edges of one dataset. An input that the query reads twice is one edge."""

    def __init__(
        self, edges: Edges, record: DatasetRecord, document: LineageDocument, namespace: str, most_rows: int
    ) -> None:
        self._edges = edges
        self._record = record
        self._document = document
        self._namespace = namespace
        self._most_rows = most_rows
        self._mask = cache(self._find_mask)

    def edges(self) -> Iterator[RowLineageEdge]:
        """Yield the edge from each input."""
        for dataset, numbers in self._leaves().items():
            source = self._edges.record(dataset)
            if isinstance(source, ForgottenRecord):
                continue
            edge = RowLineageEdge(
                namespace=self._namespace,
                name=source.name,
                version=str(source.version),
                precision=self._precision(source),
                inputRows=source.rows,
                outputRows=self._record.rows,
            )
            if edge.precision == "exact":
                edge.verifiedInputRows = self._behind(source, numbers)
                edge.verifiedOutputRows = self._count_made_from(numbers)
                edge.derivations = sum(int(self._lengths(number).sum()) for number in numbers)
            yield edge

    def columns(self) -> Iterator[RowLineageColumn]:
        """Yield the edge from each input column to each column, where the edge between their datasets is exact."""
        for column, uses in self._document.values.items():
            read: dict[tuple[DatasetId, str], set[int]] = {}
            for use in uses:
                read.setdefault((self._document.sources[use.source], use.column), set()).add(use.source)
            for (dataset, field), numbers in sorted(read.items()):
                source = self._edges.record(dataset)
                if not isinstance(source, ForgottenRecord) and self._precision(source) == "exact":
                    yield RowLineageColumn(
                        column=column,
                        namespace=self._namespace,
                        name=source.name,
                        version=str(source.version),
                        field=field,
                        verifiedRows=self._count_made_from(numbers),
                    )

    def _leaves(self) -> dict[DatasetId, list[int]]:
        leaves: dict[DatasetId, list[int]] = {}
        for number, source in enumerate(self._edges.sources(self._record)):
            leaves.setdefault(source, []).append(number)
        return leaves

    def _precision(self, source: DatasetRecord) -> Precision:
        document = self._document
        numbers = [number for number, each in enumerate(document.sources) if each == source.id]
        if not document.is_exact:
            return "coarse"
        if not self._edges.is_at_hand(self._record):
            return "pending"
        if document.pruned_sources.intersection(numbers):
            return "limited"
        if max(self._record.rows, source.rows, document.derivations) > self._most_rows:
            return "uncounted"
        return "exact"

    def _behind(self, source: DatasetRecord, numbers: Iterable[int]) -> int:
        found, everything = Selection.nothing(source.rows), Selection.everything(self._record.rows)
        for number in numbers:
            found |= self._edges.select(self._record, number, everything, backward=True)
        return found.count

    def _count_made_from(self, numbers: Iterable[int]) -> int:
        """Return how many rows were made from some row of these sources."""
        made = np.zeros(self._record.rows, dtype=bool)
        for number in numbers:
            made |= self._mask(number)
        return int(made.sum())

    def _find_mask(self, number: int) -> npt.NDArray[np.bool_]:
        mask: npt.NDArray[np.bool_] = self._lengths(number) > 0
        return mask

    def _lengths(self, number: int) -> npt.NDArray[np.int64]:
        every = np.arange(self._record.rows, dtype=np.int64)
        return self._edges.lengths(self._record, number, every, backward=True)
