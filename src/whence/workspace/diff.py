"""The difference between two dataset versions, as users hold it."""

from __future__ import annotations

from dataclasses import dataclass

from whence.loading.report import load_report
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.store.difference import ChangedCell, changed_cells, matched_rows
from whence.workspace.context import Context
from whence.workspace.rows import Rows


@dataclass(frozen=True)
class Diff:
    """Rows that came, rows that went, and cells that changed in rows that stayed."""

    added: Rows
    removed: Rows
    changed: tuple[ChangedCell, ...]
    columns_added: tuple[str, ...]
    columns_removed: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """The two versions say the same."""
        columns = self.columns_added or self.columns_removed
        return not (self.added.count or self.removed.count or self.changed or columns)

    def __repr__(self) -> str:
        rows = f"{self.added.count} rows added, {self.removed.count} removed, {len(self.changed)} cells changed"
        return f"<{self.added.record.label} against {self.removed.record.label}: {rows}>"


def compare(context: Context, before: DatasetRecord, after: DatasetRecord) -> Diff:
    """Compare two versions by the key they were declared with, else by what their rows say."""
    shared = [name for name in before.schema.names if after.schema.position(name) is not None]
    if not shared:
        hint = "Compare two versions of one dataset."
        raise UserError(f"{before.label} and {after.label} have no column in common.", hint)
    key = _declared_key(context, before, after)
    by = shared if key is None else [key]
    rows = matched_rows(context.store, before, after, by)
    compared = [] if key is None else [name for name in shared if name != key]
    return Diff(
        Rows(context, after, rows.added),
        Rows(context, before, rows.removed),
        tuple(changed_cells(context.store, before, after, rows, compared)),
        tuple(name for name in after.schema.names if before.schema.position(name) is None),
        tuple(name for name in before.schema.names if after.schema.position(name) is None),
    )


def _declared_key(context: Context, before: DatasetRecord, after: DatasetRecord) -> str | None:
    reports = [load_report(context.store, record) for record in (before, after)]
    keys = {report.key for report in reports if report is not None}
    return keys.pop() if len(keys) == 1 and len(reports) == sum(report is not None for report in reports) else None
