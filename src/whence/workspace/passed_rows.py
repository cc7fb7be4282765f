"""Finds by their values which rows a sample, a limit or a column of random numbers passed on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from whence.caveats.document import NAME as CAVEATS
from whence.caveats.document import CaveatDocument
from whence.derive.derivation import begin_run
from whence.engine.foreign_leaf import ForeignLeaf
from whence.engine.worker.write_parts import OutputLayout
from whence.lineage.block import Block, Part, to_arrays
from whence.lineage.document import NAME, LineageDocument
from whence.loading.header import clean_names
from whence.loading.table_notes import content_keys
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.model.schema import Field, Schema
from whence.plan.columnmap import Use
from whence.store.draft import Draft
from whence.store.parts import PartFile
from whence.store.runs import Run
from whence.workspace.adopted_names import DOCUMENT, Claim, claim_name
from whence.workspace.context import Context

Ids = npt.NDArray[np.int64]
MOST_ROWS = 500_000
"""Rows of more are not compared: that would take as long as the program itself."""
_CHUNK = 1 << 16


@dataclass(frozen=True)
class PassedRows:
    """The rows below an operator, and which of their columns it passes on."""

    record: DatasetRecord
    columns: Mapping[str, str]
    """Columns below by the columns that pass them on, both as datasets call them."""


def keep_passed_rows(
    context: Context, leaf: ForeignLeaf, below: PassedRows, claim: Claim, reason: str
) -> DatasetRecord:
    """Evaluate an operator as it is, and publish its rows, each with the row below that it passes on.

    Values prove which row that is, so no two rows below may be equal in the columns that are passed on. If two are, the
    lineage is coarse.
    """
    names = clean_names(list(leaf.schema.names))
    with begin_run(context.store, "dataset", claim_name(context.store, claim)) as run:
        layout = OutputLayout(tuple(names), (), False, False, 0)
        outcome = context.engine.run(context.engine.leaf_frame(leaf).toDF(*names), layout, run.staging / "parts")
        found = _match(context, outcome.parts, below)
        schema = Schema(tuple(Field(name, each.type) for name, each in zip(names, leaf.schema, strict=True)))
        draft = _exact(below, schema, found, reason) if found is not None else _coarse(below, schema, reason)
        return _publish(context, run, draft, outcome.parts, claim)


def _publish(context: Context, run: Run, found: Draft, parts: tuple[PartFile, ...], claim: Claim) -> DatasetRecord:
    documents = {**found.documents, DOCUMENT: claim.as_document()}
    draft = Draft(
        found.schema, parts, "", found.parents, caveats=found.caveats, documents=documents, arrays=found.arrays
    )
    return context.store.publish(run, draft)


def _match(context: Context, parts: Sequence[PartFile], below: PassedRows) -> Ids | None:
    """Return the row below that each row is. None if values do not tell."""
    known = list(below.columns.values())
    store = context.store
    chunks = (store.read(below.record, n, n + _CHUNK, known) for n in range(0, below.record.rows, _CHUNK))
    places: dict[str, int] = {}
    for row, key in enumerate(content_keys(chunks, known)):
        places[key] = -1 if key in places else row
    mine = list(below.columns)
    tables = (pq.read_table(part.path, columns=mine, partitioning=None) for part in parts)
    found = np.array([places.get(key, -1) for key in content_keys(tables, mine)], dtype=np.int64)
    return None if (found < 0).any() else found


def _exact(below: PassedRows, schema: Schema, rows: Ids, reason: str) -> Draft:
    values = {
        name: frozenset({Use(0, below.columns[name], "copied")}) if name in below.columns else frozenset[Use]()
        for name in schema.names
    }
    document = LineageDocument(
        sources=(below.record.id,),
        is_exact=True,
        strategy=f"compared: values tell which row of {below.record.label} each row is, which {reason} passed on.",
        parts=1,
        values=values,
        row=frozenset(),
        derivations=len(rows),
    )
    documents = {NAME: document.to_json(), CAVEATS: CaveatDocument("inferred").to_json()}
    block = Block(len(rows), (Part(None, {0: rows}),))
    return Draft(schema, (), "", (below.record.id,), documents=documents, arrays=to_arrays(block))


def _coarse(below: PassedRows, schema: Schema, reason: str) -> Draft:
    document = LineageDocument(
        sources=(below.record.id,),
        is_exact=False,
        strategy=f"coarse: {reason} has no lineage rule, so every row may come from every row of each input.",
        parts=0,
        values=dict.fromkeys(schema.names, frozenset[Use]()),
        row=frozenset(),
    )
    caveat = Caveat(
        f"Lineage is coarse here: {reason} has no rule, and values do not tell which row is which.", "lineage"
    )
    return Draft(schema, (), "", (below.record.id,), caveats=(caveat,), documents={NAME: document.to_json()})
