"""Applies the edits of a stored sheet again over inputs without the forgotten rows, or says why that cannot be done."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from whence.lineage.block import Ids
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset, UserError
from whence.model.ids import DatasetId
from whence.notebook.sheet.addresses import Addresses, by_rid
from whence.notebook.sheet.apply import apply_sheet
from whence.notebook.sheet.log import SheetLog
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.operations.delete_row import DeleteRow
from whence.notebook.sheet.operations.move_row import MoveRow
from whence.notebook.sheet.operations.registry import operation
from whence.notebook.sheet.report import DOCUMENT
from whence.workspace.context import Context
from whence.workspace.forgetting.new_versions import NewVersions, same_rids


@dataclass(frozen=True)
class Going:
    """What goes: the new row ids of each version that loses rows (-1: it goes), and texts that only these rows hold."""

    rids: Mapping[DatasetId, Ids]
    values: frozenset[str]

    def new_rids(self, context: Context, record: DatasetRecord) -> Ids | None:
        """Return the new row ids of a version that will be cut, or that has the rows of one; None of any other."""
        if record.id in self.rids or record.origin not in ("caveat", "expect") or len(record.parents) != 1:
            return self.rids.get(record.id)
        below = self.new_rids(context, context.store.by_id(record.parents[0]))
        return None if below is None else same_rids(context, record, {record.parents[0]: below})


def why_no_sheet(context: Context, record: DatasetRecord, going: Going) -> str | None:
    """Return why the edits of a sheet cannot be applied again, or None if they can."""
    document = context.store.document(record, DOCUMENT)
    if document is None:
        return "nothing stored says which edits made it"
    parents = [context.store.by_id(each) for each in record.parents]
    if len({each.name.lower() for each in parents}) < len(parents):
        return "it reads two versions of one name"
    base = context.store.by_id(DatasetId(str(document["source"])))
    try:
        rows = _RowsOfData(context, base, _operations(document))
    except UserError:
        return "its edits are those of another version of whence"
    # Where rows were cut, each row that stays is known. Of rows that a query made, none is.
    if rows.known and going.new_rids(context, base) is None:
        return "its edits name rows of a dataset that is made again"
    return None


def count_lost_edits(context: Context, record: DatasetRecord, going: Going) -> int:
    """Return how many edits of a sheet are left out, because they name rows that go or hold values of them."""
    document = context.store.document(record, DOCUMENT) or {}
    base = context.store.by_id(DatasetId(str(document["source"])))
    rows, moved = _RowsOfData(context, base, _operations(document)), going.new_rids(context, base)
    gone = set() if moved is None else set(np.flatnonzero(moved < 0).tolist())
    return len(rows.operations) - len(list(rows.without(gone, going.values)))


def sheet_again(context: Context, record: DatasetRecord, new: NewVersions) -> DatasetRecord:
    """Apply the edits of a sheet to the new version of its data; edits of rows that go are left out."""
    document = context.store.document(record, DOCUMENT) or {}
    base = context.store.by_id(DatasetId(str(document["source"])))
    rows, made, moved = _RowsOfData(context, base, _operations(document)), new.of(base), new.rids.get(base.id)
    by_name = {each.name.lower(): each for each in map(context.store.by_id, record.parents)}

    def find(name: str) -> DatasetRecord:
        if name.lower() not in by_name:
            raise UnknownDataset(f"There is no dataset {name}.", "")
        return new.of(by_name[name.lower()])

    if moved is None:
        edits = list(rows.without(set(), new.values))
        return apply_sheet(SheetLog(context.services, made, edits, find), record.name)
    gone = {rid for rid in rows.known.values() if moved[rid] < 0}
    names = {address: by_rid(made.id, int(moved[rid])) for address, rid in rows.known.items() if moved[rid] >= 0}
    edits = [each.renamed(names) for each in rows.without(gone, new.values)]
    return apply_sheet(SheetLog(context.services, made, edits, find), record.name)


class _RowsOfData:
    """The edits of a sheet, and the row of the data that each of their addresses means."""

    def __init__(self, context: Context, base: DatasetRecord, operations: list[SheetOperation]) -> None:
        addresses = Addresses(context.store, context.readers.keys, base)
        named = {address for each in operations for address in each.addresses() if not address.startswith("n:")}
        addresses.learn(named)
        found = {address: addresses.rid(address) for address in named}
        self.operations = operations
        self.known = {address: rid for address, rid in found.items() if rid is not None}

    def without(self, gone: set[int], values: frozenset[str]) -> Iterator[SheetOperation]:
        """Yield the edits that name no row that goes and hold none of the values. Others lose the rows that go."""
        for each in self.operations:
            left = self._without_rows(each, gone) if isinstance(each, DeleteRow | MoveRow) else each
            if left is not None and not self._names(left, gone) and not _holds(left, values):
                yield left

    def _without_rows(self, edit: DeleteRow | MoveRow, gone: set[int]) -> SheetOperation | None:
        rows = tuple(row for row in edit.rows if self.known.get(row) not in gone)
        return replace(edit, rows=rows) if rows else None

    def _names(self, edit: SheetOperation, gone: set[int]) -> bool:
        return any(self.known.get(address) in gone for address in edit.addresses())


def _holds(edit: SheetOperation, values: frozenset[str]) -> bool:
    text = json.dumps(edit.to_json(), ensure_ascii=False, default=str)
    return any(value in text or json.dumps(value)[1:-1] in text for value in values)


def _operations(document: Mapping[str, Any]) -> list[SheetOperation]:
    return [operation(each) for each in json.loads(document["operations"])]
