"""`Diff`: the difference between two dataset versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whence.lineage.shared_rows import match_by_shared_rows
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.store.difference import ChangedCell, RowMatches, changed_cells, match_contents, match_rows, match_same
from whence.store.rowkeys import row_keys
from whence.workspace.context import Context
from whence.workspace.rows import Rows


@dataclass(frozen=True)
class Diff:
    """The rows added, the rows removed, and the cells that changed in rows that both versions have."""

    added: Rows
    removed: Rows
    changed: tuple[ChangedCell, ...]
    columns_added: tuple[str, ...]
    columns_removed: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether the two versions hold the same rows and columns."""
        columns = self.columns_added or self.columns_removed
        return not (self.added.count or self.removed.count or self.changed or columns)

    def __repr__(self) -> str:
        rows = f"{self.added.count} rows added, {self.removed.count} removed, {len(self.changed)} cells changed"
        return f"<{self.added.record.label} against {self.removed.record.label}: {rows}>"


def compare(context: Context, before: DatasetRecord, after: DatasetRecord) -> Diff:
    """Compare two versions by the keys of their rows, or by the rows' content where the keys are not comparable."""
    shared = [name for name in before.schema.names if after.schema.position(name) is not None]
    if not shared:
        hint = "Compare two versions of one dataset."
        raise UserError(f"{before.label} and {after.label} have no column in common.", hint)
    rows, known_by = _pairs(context, before, after, shared)
    compared = [name for name in shared if name not in known_by]
    return Diff(
        Rows(context, after, rows.added),
        Rows(context, before, rows.removed),
        tuple(changed_cells(context.store, before, after, rows, compared)),
        tuple(name for name in after.schema.names if before.schema.position(name) is None),
        tuple(name for name in before.schema.names if after.schema.position(name) is None),
    )


def _pairs(
    context: Context, before: DatasetRecord, after: DatasetRecord, shared: list[str]
) -> tuple[RowMatches, Sequence[str]]:
    """Return which rows are the same, and the columns in which such rows cannot differ."""
    if before.id == after.id:
        return match_same(before.rows), shared
    both, keys = (before, after), context.readers.keys
    # Keys of two sources compare only if they come from the same columns. Keys of a query compare only if they come
    # from its lineage, not from its content. Otherwise rows are the same if all shared columns are equal.
    if all(record.is_source for record in both):
        columns = keys.columns(before)
        if set(columns) == set(keys.columns(after)) != set(shared):
            return match_rows(*(keys.of(record) for record in both)), columns
    elif not any(keys.are_by_content(record) for record in both):
        by_rows = match_by_shared_rows(context.readers.edges, keys, before, after)
        by_key = by_rows or match_rows(*(keys.of(record) for record in both))
        if len(by_key.before):  # a source and a query of another one share no key
            return by_key, ()
    if all(len(record.schema) == len(shared) for record in both):
        return match_contents(context.store, before, after, shared), shared
    return match_rows(*(row_keys(context.store, record, shared) for record in both)), shared
