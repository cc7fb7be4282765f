"""Makes a dataset from a table that Python code computed from other datasets, with the lineage that can be inferred.

A row whose index names a row of a dataset is that row, and a column with unchanged values is a copy: an inference from
one run, and the dataset says so. Everything else may depend on all rows that the code read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.caveats.document import NAME as CAVEATS
from whence.caveats.document import CaveatDocument
from whence.derive.derivation import begin_run
from whence.derive.limit_lineage import TableLineage, limit_lineage
from whence.derive.request import DeriveContext
from whence.lineage.block import Block, Ids, Part, to_arrays
from whence.lineage.document import NAME, LineageDocument
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import BadInput
from whence.model.schema import INTERNAL_PREFIX, ROW_FLAG_COLUMN, Schema, flag_column, unique_names
from whence.plan.columnmap import Use, Uses
from whence.store.draft import Draft
from whence.store.key_columns import DOCUMENT as KEYS
from whence.store.parts import write_table
from whence.store.types import schema_of, storable

Mask = npt.NDArray[np.bool_]

_MAKER = "Python code"
COARSE = f"coarse: {_MAKER} has no lineage rule, so every row may come from every row of each input."


@dataclass(frozen=True)
class IdentifiedRows:
    """The dataset that the index of a table refers to, and the row of it that each row is."""

    dataset: DatasetRecord
    rids: Ids


@dataclass(frozen=True)
class CodeResult:
    """A table that code made, the datasets it had read before, and the text of the code."""

    name: str
    table: pa.Table
    read_datasets: Sequence[DatasetRecord]
    rows: IdentifiedRows | None
    text: str
    stated_caveats: tuple[Caveat, ...] = ()
    """Caveats that the user states about rows and cells of the table."""
    notes: tuple[Caveat, ...] = ()
    """Caveats about the table as a whole, which put no row in doubt."""
    documents: Mapping[str, object] = field(default_factory=dict)
    """What else is stored beside the table."""
    keeps_types: bool = False
    """Whether columns keep the types and values of the table, even if they are copies of stored ones."""


def derive_table(context: DeriveContext, result: CodeResult) -> DatasetRecord:
    """Store a table that code made, with the lineage that can be inferred."""
    names = unique_names(list(map(str, result.table.column_names)))
    table = storable(result.table.rename_columns(names))
    _check(table, result.rows)
    with begin_run(context.store, "python", result.name) as run:
        record = context.store.publish(run, _TableDraft(context, result).draft(table, result.rows, run.staging))
    context.policy.follow_up(record, is_deferred=False)
    return record


def _check(table: pa.Table, rows: IdentifiedRows | None) -> None:
    if not table.num_columns:
        raise BadInput("A dataset needs at least one column.")
    for name in table.column_names:
        if name.startswith(INTERNAL_PREFIX):
            raise BadInput(f"A column cannot be called {name}.", f"Names that begin with {INTERNAL_PREFIX} are taken.")
    if rows is not None and len(rows.rids) and not 0 <= rows.rids.min() <= rows.rids.max() < rows.dataset.rows:
        raise BadInput(f"The index names rows that {rows.dataset.label} does not have.", "Drop it: reset_index().")


class _TableDraft:
    def __init__(self, context: DeriveContext, result: CodeResult) -> None:
        self._store = context.store
        self._policy = context.policy
        self._flags = context.engine.flags
        self._read = tuple(result.read_datasets)
        self._text = result.text
        self._stated_caveats = result.stated_caveats
        self._notes = result.notes
        self._documents = result.documents
        self._keeps_types = result.keeps_types
        self._doubtful = [each for each in self._read if not self._flags.doubt(each).is_certain]

    def draft(self, table: pa.Table, rows: IdentifiedRows | None, staging: object) -> Draft:
        copied: frozenset[str] = frozenset()
        if rows is not None:
            table, copied = self._with_copies(table, rows)
        masks = self._masks(table, rows, copied)
        schema = schema_of(table.schema)
        parts = write_table(staging, _with_flag_columns(table, schema, masks))  # type: ignore[arg-type]
        doubt = Doubt(
            frozenset(name for name in schema.names if name in masks),
            ROW_FLAG_COLUMN in masks,
            bool(self._doubtful),
        )
        parents = tuple(dict.fromkeys(each.id for each in self._read))
        draft = Draft(
            schema=schema,
            parts=parts,
            text=self._text,
            parents=parents,
            doubt=doubt,
            caveats=tuple(self._caveats(rows)) + self._notes,
            documents=self._documents,
        )
        if not self._read:
            return draft
        if rows is None:
            return replace(draft, documents={**self._documents, NAME: self._coarse_document(schema).to_json()})
        block = Block(table.num_rows, (Part(None, {0: rows.rids}),))
        inferred = TableLineage(self._inferred_document(schema, rows.dataset, copied), block)
        lineage = limit_lineage(self._store, self._policy, inferred)
        documents = {
            **self._documents,
            NAME: lineage.document.to_json(),
            CAVEATS: CaveatDocument("inferred").to_json(),
        }
        keys = {KEYS: {"key": {"row": 0}}} if lineage.is_stored else {}
        return replace(draft, documents={**documents, **keys}, arrays=to_arrays(lineage.block))

    def _with_copies(self, table: pa.Table, rows: IdentifiedRows) -> tuple[pa.Table, frozenset[str]]:
        """The table with the stored values in place of copies, which pandas may have given another type."""
        known = rows.dataset
        names = [name for name in table.column_names if known.schema.position(name) is not None]
        stored = self._store.read(known, 0, known.rows, names)  # most frames keep most rows, so all are read at once
        if not np.array_equal(rows.rids, np.arange(known.rows)):
            stored = stored.take(pa.array(rows.rids))
        copied = {name for name in names if has_same_values(table.column(name), stored.column(name))}
        for name in () if self._keeps_types else copied:
            table = table.set_column(table.column_names.index(name), name, stored.column(name))
        return table, frozenset(copied)

    def _masks(self, table: pa.Table, rows: IdentifiedRows | None, copied: frozenset[str]) -> dict[str, Mask]:
        """Return the doubt flags: copies keep those of the original, other cells are in doubt if any input is."""
        masks: dict[str, Mask] = {}
        if self._doubtful and table.num_rows:
            every = np.ones(table.num_rows, dtype=bool)
            masks = {name: every for name in table.column_names if name not in copied} | {ROW_FLAG_COLUMN: every}
        if rows is not None and not self._flags.doubt(rows.dataset).is_certain:
            before = self._flags.table(rows.dataset)
            for name in copied:
                mask = before.column(name).to_numpy()[rows.rids].astype(bool)
                masks |= {name: mask} if mask.any() else {}
        for caveat in self._stated_caveats:
            name = ROW_FLAG_COLUMN if caveat.column is None else caveat.column
            masks[name] = masks.get(name, np.zeros(table.num_rows, dtype=bool)).copy()
            masks[name][caveat.row] = True
        return masks

    def _caveats(self, rows: IdentifiedRows | None) -> list[Caveat]:
        if not self._read:
            return list(self._stated_caveats)
        said = f"Lineage is coarse here: {_MAKER} has no rule."
        if rows is not None:
            said = f"Lineage is inferred here: rows are known by their index, what {_MAKER} did to them is not."
        caveats = [*self._stated_caveats, Caveat(said, "lineage")]
        labels = ", ".join(each.label for each in self._doubtful)
        if labels:
            caveats.append(
                Caveat(f"Made by {_MAKER} from {labels}, in doubt; what it did with the doubt is not known.", "coarse")
            )
        return caveats

    def _coarse_document(self, schema: Schema) -> LineageDocument:
        sources = tuple(each.id for each in self._read)
        uses = _all_columns(self._read, 0)
        return LineageDocument(
            sources=sources,
            is_exact=False,
            strategy=COARSE,
            parts=0,
            values=dict.fromkeys(schema.names, uses),
            row=frozenset(),
        )

    def _inferred_document(self, schema: Schema, known: DatasetRecord, copied: frozenset[str]) -> LineageDocument:
        """Write the document: source 0 is the dataset row by row; all inputs, it included, follow as coarse sources."""
        others = [each for each in self._read if each.id != known.id]
        whole = [*others, known]
        read = _all_columns(whole, 1)
        values: dict[str, Uses] = {
            name: frozenset({Use(0, name, "copied")}) if name in copied else read for name in schema.names
        }
        changed = [name for name in schema.names if name not in copied]
        strategy = (
            f"inferred: the index says which row of {known.label} each row is, and columns found unchanged are copies; "
            + (f"{', '.join(changed)} may come from every row that was read." if changed else "all columns are.")
        )
        return LineageDocument(
            sources=(known.id, *(each.id for each in whole)),
            is_exact=True,
            strategy=strategy,
            parts=1,
            values=values,
            row=frozenset(),
            leaf_count=1 + len(others),
            # Pruned sources are those of which any row may be behind any row: here those of changed and new columns.
            pruned_sources=frozenset(range(1, 1 + len(whole))),
            derivations=0,
        )


def _all_columns(datasets: Sequence[DatasetRecord], first: int) -> Uses:
    """Every column of these, by their numbers."""
    numbered = enumerate(datasets, start=first)
    return frozenset(Use(number, name, "computed") for number, each in numbered for name in each.schema.names)


def has_same_values(made: pa.ChunkedArray, stored: pa.ChunkedArray) -> bool:
    """Whether two columns hold the same values; NULL equals NaN, because pandas has one word for both."""
    try:
        cast = made.cast(stored.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return False
    if pa.types.is_nested(stored.type):
        return bool(cast.equals(stored))
    if pa.types.is_floating(stored.type):
        cast, stored = (_without_nan(each) for each in (cast, stored))
    same = pc.equal(cast, stored)
    neither = pc.and_(pc.is_null(cast), pc.is_null(stored))
    # Of no values `all` is NULL in Arrow; two empty columns are the same.
    return bool(pc.all(pc.or_(pc.fill_null(same, False), neither)).as_py() is not False)


def _without_nan(values: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.if_else(pc.is_nan(values), pa.scalar(None, values.type), values)


def _with_flag_columns(table: pa.Table, schema: Schema, masks: dict[str, Mask]) -> pa.Table:
    for position, name in enumerate(schema.names):
        if name in masks:
            table = table.append_column(flag_column(position), pa.array(masks[name]))
    if ROW_FLAG_COLUMN in masks:
        table = table.append_column(ROW_FLAG_COLUMN, pa.array(masks[ROW_FLAG_COLUMN]))
    return table
