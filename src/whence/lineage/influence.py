"""Follows influence along one edge: rows that decided about a row without giving anything to it."""

from __future__ import annotations

import numpy as np

from whence.lineage.edges import Edges
from whence.lineage.selection import Selection
from whence.model.dataset import DatasetRecord
from whence.plan.influence import Influence


def find_influencing_rows(edges: Edges, record: DatasetRecord, source: int, rows: Selection) -> Selection:
    """The rows of one source that influence these rows: all of them or none, as the rules say."""
    size = edges.record(edges.sources(record)[source]).rows
    document = edges.document(record)
    rules = [] if document is None else [each for each in document.influences if each.source == source]
    reached = any(_rows_under_rule(edges, record, rule, rows).count for rule in rules)
    return Selection.everything(size) if reached else Selection.nothing(size)


def find_influenced_rows(edges: Edges, record: DatasetRecord, source: int, rows: Selection) -> Selection:
    """The rows that these rows of one source influence."""
    found = Selection.nothing(record.rows)
    document = edges.document(record)
    if rows.count and document is not None:
        for rule in (each for each in document.influences if each.source == source):
            found |= _rows_under_rule(edges, record, rule, Selection.everything(record.rows))
    return found


def _rows_under_rule(edges: Edges, record: DatasetRecord, rule: Influence, rows: Selection) -> Selection:
    """Return those of these rows to which an influence rule applies."""
    ids = rows.ids
    beside = np.zeros(len(ids), dtype=bool)
    for source in rule.contributors:
        beside |= edges.lengths(record, source, ids, backward=True) > 0
    for source in rule.unmatched:
        beside &= edges.lengths(record, source, ids, backward=True) == 0
    return Selection.of_sorted(ids[beside], record.rows)
