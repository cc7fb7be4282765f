"""How doubt spreads through one query: for each part of a dataset, the parts of its inputs whose doubt can reach it.

The one place that knows how far a doubt goes through a dataset's making. It is followed backwards to list caveats, and
forwards to see which flags are left when some caveats are acknowledged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal

import numpy as np

from whence.caveats.document import NAME, CaveatDocument
from whence.lineage.block import Ids
from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.plan.columnmap import Uses
from whence.plan.decides_for import ROWS
from whence.store.memory_cache import MemoryCache
from whence.store.store import Store


class RowPart(Enum):
    """Parts of a dataset beside its columns: whether a row is there, and whether one is missing."""

    ROW = "row"
    ROW_SET = "row set"


Part = str | RowPart
"""The cells of a column, or one of the above."""

ROW, ROW_SET = RowPart.ROW, RowPart.ROW_SET

InfluenceScope = Literal["lineage", "absent", "anywhere"]
"""Only the rows a row was made from; these, and rows from which nothing was made; or any row of the input."""


@dataclass(frozen=True)
class InfluencingPart:
    """A part of one input, by its number among the sources of the plan."""

    source: int
    part: Part
    scope: InfluenceScope


class Influences:
    """Answers for the datasets of one workspace."""

    def __init__(self, store: Store, edges: Edges) -> None:
        self._store = store
        self._edges = edges
        self._about = MemoryCache(store, self._read_document, most=1024)

    def about(self, record: DatasetRecord) -> CaveatDocument:
        """What is known of the caveats its own query raised."""
        return self._about(record.id)

    def _read_document(self, dataset: DatasetId) -> CaveatDocument:
        content = self._store.document(self._store.by_id(dataset), NAME)
        return CaveatDocument() if content is None else CaveatDocument.from_json(content)

    def on(self, record: DatasetRecord, part: Part) -> frozenset[InfluencingPart]:
        """What of the direct inputs can reach this part."""
        document = self._edges.document(record)
        if document is None:
            return frozenset()
        about = self.about(record)
        if not document.is_exact or about.extent == "all":
            return frozenset(self._on_everything(document))
        if about.extent == "inferred":
            return frozenset(self._on_inferred(document, part))
        untraced = {
            number for number in range(len(document.sources)) if _origin(about, number) in document.pruned_sources
        }
        return frozenset(
            replace(each, scope="anywhere") if each.source in untraced else each
            for each in _exact(document, about, part)
        )

    def sites(self, record: DatasetRecord, part: Part) -> tuple[int, ...]:
        """The caveats of its own query that can reach this part."""
        about = self.about(record)
        own = about.columns.get(part, ()) if isinstance(part, str) else about.row
        return own if about.extent == "rows" or not isinstance(part, str) else (*own, *about.row)

    def passes_blindly(self, record: DatasetRecord, part: Part) -> bool:
        """Whether nothing is known of how this part was made; any open doubt of an input then counts."""
        document = self._edges.document(record)
        if document is None or not document.is_exact:
            return document is not None
        return self.about(record).extent == "inferred" and not _is_copied(document, part)

    def only_copies(self, record: DatasetRecord) -> bool:
        """Every row is one row of its input, and shows cells of it as they are."""
        document = self._edges.document(record)
        if document is None:
            return True
        rows = document.is_exact and self.about(record).extent == "rows" and not document.row
        return rows and all(_is_copied(document, name) for name in document.values)

    def _on_inferred(self, document: LineageDocument, part: Part) -> Iterator[InfluencingPart]:
        if isinstance(part, str) and _is_copied(document, part):
            yield from _uses(document.values[part], "lineage")
        else:
            yield from self._on_everything(document, from_source=1)

    def _on_everything(self, document: LineageDocument, from_source: int = 0) -> Iterator[InfluencingPart]:
        for number, source in enumerate(document.sources[from_source:], start=from_source):
            parts: tuple[Part, ...] = (*self._store.by_id(source).schema.names, ROW, ROW_SET)
            for part in parts:
                yield InfluencingPart(number, part, "anywhere")


def _exact(document: LineageDocument, about: CaveatDocument, part: Part) -> Iterator[InfluencingPart]:
    sources, extent = range(len(document.sources)), about.extent
    decides = about.decides.get(part) if isinstance(part, str) else about.row_decides
    for number, column in decides or ():  # a window or a subquery looked at other rows
        whole = (ROW, ROW_SET) if column == ROWS else (column,)
        yield from (InfluencingPart(number, each, "anywhere") for each in whole)
    if isinstance(part, str):
        for use in document.values[part]:
            yield InfluencingPart(use.source, use.column, "lineage")
            if use.role == "filtered":  # a FILTER clause decides on rows that it leaves out, too
                # Those of the groups that a window read stand in nobody's lineage.
                left_out: InfluenceScope = "lineage" if decides is None else "anywhere"
                yield InfluencingPart(_origin(about, use.source), use.column, left_out)
        if extent == "rows":
            return
    if part != ROW_SET:
        yield from (InfluencingPart(number, ROW, "lineage") for number in sources)
    # A row that is absent, but might belong, stands in nobody's lineage.
    is_own = extent == "rows" and part == ROW and decides is None
    # One that is in another group can only leave it by what a filter reads, not come here.
    is_settled = about.is_one_way and part != ROW_SET and decides is None
    for use in document.row:
        absent: InfluenceScope = "absent" if is_settled and use.role == "filtered" else "anywhere"
        yield InfluencingPart(use.source, use.column, "lineage" if is_own else absent)
    if extent != "rows" or part == ROW_SET:
        yield from (InfluencingPart(number, ROW_SET, "anywhere") for number in sources)
    if extent == "any" or (extent == "groups" and part == ROW_SET):
        yield from (InfluencingPart(number, ROW, "anywhere") for number in sources)


def unused_rows(edges: Edges, record: DatasetRecord, source: DatasetRecord, number: int) -> Ids:
    """The rows of a source from which no row of the dataset was made."""
    used = np.zeros(source.rows, dtype=bool)
    used[edges.pairs(record, number)[1]] = True
    return np.flatnonzero(~used)


def _origin(about: CaveatDocument, number: int) -> int:
    return about.origins.get(number, number)


def _uses(uses: Uses, where: InfluenceScope) -> Iterator[InfluencingPart]:
    return (InfluencingPart(use.source, use.column, where) for use in uses)


def _is_copied(document: LineageDocument, part: Part) -> bool:
    return isinstance(part, str) and all(use.role == "copied" for use in document.values[part])
