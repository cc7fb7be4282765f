"""Find, by lineage, the input rows behind marked values of an aggregate, and the formula that aggregated them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np

from whence.explain.arrays import Ints
from whence.explain.read_formula import aggregates_in, columns_in
from whence.lineage.block import Part
from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported, UserError
from whence.plan.formula import NAME, Formula
from whence.plan.formula_document import read_formula_of
from whence.store.store import Store

_DEPTH = 6
"""How many datasets a column may have been copied through since it was aggregated."""


@dataclass(frozen=True)
class Derivations:
    """The input rows behind the marked values: one entry for each aggregated row, group by group."""

    formula: Formula
    sources: tuple[DatasetRecord, ...]
    owner: Ints
    """For each row, the number of the marked value it belongs to."""
    ids: Mapping[int, Ints]
    """For each source, the row of that source behind each row."""
    main: int
    """The number of the source whose rows are aggregated."""
    keys: frozenset[tuple[int, str]]
    """The columns that the query groups by, as (source, name)."""


def derivations(store: Store, edges: Edges, record: DatasetRecord, column: str, rows: list[int]) -> Derivations:
    """Return the input rows behind the values of a column in the given rows."""
    target, formula, places = _aggregate_behind(store, edges, record, column, np.array(rows, dtype=np.int64))
    sources = tuple(store.by_id(each) for each in edges.sources(target))
    part = _derivations(edges, target, formula)
    owner, chosen = _behind(part, places, target)
    ids = {source: all_ids[chosen] for source, all_ids in part.sources.items() if source < len(sources)}
    keys = {(use.source, use.column) for use in _document(edges, target).row if use.role == "grouped"}
    return Derivations(
        formula=formula, sources=sources, owner=owner, ids=ids, main=_main(formula, ids), keys=frozenset(keys)
    )


def _stored(store: Store, record: DatasetRecord) -> dict[str, object]:
    stored = store.document(record, NAME)
    if stored is None:
        raise NotSupported(f"It is not known how {record.label} was computed.", "Run its query again.")
    return stored


def _document(edges: Edges, record: DatasetRecord) -> LineageDocument:
    document = edges.document(record)
    if document is None:
        raise UserError(f"{record.label} was loaded or created, so its values are not aggregates of other rows.")
    return document


def _aggregate_behind(
    store: Store, edges: Edges, record: DatasetRecord, column: str, rows: Ints
) -> tuple[DatasetRecord, Formula, Ints]:
    """Find the dataset in which the value was aggregated: this one, or one from which it was copied unchanged."""
    for _ in range(_DEPTH):
        document = _document(edges, record)
        formula = read_formula_of(_stored(store, record), column)
        if aggregates_in(formula):
            # Coarse lineage names every input row for every group, so the rows of one value are not known.
            if not document.is_exact:
                raise NotSupported(f"The rows behind {record.label} are not known one by one: {document.strategy}")
            return record, formula, rows
        if formula["kind"] != "column":
            break
        source = cast(int, formula["source"])
        found = [edges.backward(record, source, np.array([row])) for row in rows]
        if any(len(ids) != 1 for ids in found):
            break
        rows = np.concatenate(found)
        record, column = store.by_id(document.sources[source]), str(formula["column"])
        if edges.document(record) is None:
            break
    why = f" ({formula['why']})" if formula["kind"] == "unknown" else ""
    raise UserError(
        f"The column {column} of {record.label} is not an aggregate{why}.", "Explain a column such as sum(x)."
    )


def _derivations(edges: Edges, record: DatasetRecord, formula: Formula) -> Part:
    """Return the part of the lineage block that has the rows of all sources the formula reads."""
    needed = {source for source, _ in columns_in(formula)}
    parts = [part for part in edges.block(record).parts if needed <= set(part.sources) and part.sources]
    if len(parts) != 1:
        raise NotSupported(f"The rows behind {record.label} come from several places that do not go together.")
    return parts[0]


def _behind(part: Part, places: Ints, record: DatasetRecord) -> tuple[Ints, Ints]:
    """Return (group of each row, position of each row in the lineage part), group by group."""
    group_of = np.full(record.rows, -1, dtype=np.int64)
    group_of[places] = np.arange(len(places))
    if len(np.unique(places)) < len(places):
        raise UserError("Some of the marked rows come from the same aggregate.", "Mark each value once.")
    owner = group_of[part.out_ids(record.rows)]
    chosen = np.flatnonzero(owner >= 0)
    small = owner[chosen].astype(np.min_scalar_type(len(places)))  # NumPy sorts small numbers in one go over them
    chosen = chosen[np.argsort(small, kind="stable")]
    return owner[chosen], chosen


def _main(formula: Formula, ids: Mapping[int, Ints]) -> int:
    """Return the source of the measure, or for COUNT(*) the source with the most distinct rows."""
    measured = [source for source, _ in columns_in(formula)]
    if measured:
        return min(set(measured), key=lambda source: (-measured.count(source), source))
    return max(ids, key=lambda source: (len(np.unique(ids[source])), -source))
