"""Previews of edits: what they would change in the first rows. The edits are done, looked at and undone again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whence.model.schema import Field
from whence.notebook.sheet.log import SheetLog
from whence.notebook.sheet.page import SheetPage, page

EXAMINED = 1000
"""Rows in which a preview looks for changes."""


@dataclass(frozen=True)
class EditPreviewRow:
    """One row of a preview: its position, and what the columns of the preview hold before and after the edits."""

    position: int
    before: tuple[object, ...]
    """None for a column that the edits insert."""
    after: tuple[object, ...]
    errors: tuple[str, ...]
    """For each column the error that it would show, or an empty text."""


@dataclass(frozen=True)
class SheetPreview:
    """What edits would change: the columns, the first rows that they change, and how many of those examined."""

    columns: tuple[Field, ...]
    inserted: tuple[str, ...]
    """Those of the columns that the edits insert."""
    rows: tuple[EditPreviewRow, ...]
    changed: int
    failed: int
    """How many of the cells examined would show an error that they do not show now."""
    examined: int


def preview_edits(sheet: SheetLog, edits: Sequence[Callable[[], object]], count: int) -> SheetPreview:
    """Return what these edits of the sheet would change, and leave the sheet as it is."""
    before = page(sheet, 0, EXAMINED)
    undone, done = list(sheet.undone), len(sheet.operations)
    try:
        for edit in edits:
            edit()
        after = page(sheet, 0, EXAMINED)
    finally:
        while len(sheet.operations) > done:
            sheet.undo()
        sheet.undone[:] = undone  # an edit drops what could be redone
    return _compare(before, after, count)


Shown = tuple[object, str]
"""What a cell shows: its value, and the text of its error."""


def _compare(before: SheetPage, after: SheetPage, count: int) -> SheetPreview:
    old, new = _by_column(before), _by_column(after)
    columns = tuple(field for field in after.columns if old.get(field.name) != new[field.name])
    names = [field.name for field in columns]
    inserted = tuple(name for name in names if name not in old)
    rows = [_row(old, new, names, at) for at in range(min(len(before.rows), len(after.rows)))]
    changed = [row for row in rows if inserted or row.before != row.after or any(row.errors)]
    failed = sum(bool(each) for row in rows for each in row.errors)
    return SheetPreview(columns, inserted, tuple(changed[:count]), len(changed), failed=failed, examined=len(rows))


def _by_column(shown: SheetPage) -> dict[str, list[Shown]]:
    """Return what each column shows, row by row."""
    return {
        name: [(value, str(shown.errors.get((at, name), ""))) for at, value in enumerate(values)]
        for name, values in shown.values.items()
    }


def _row(old: dict[str, list[Shown]], new: dict[str, list[Shown]], names: Sequence[str], at: int) -> EditPreviewRow:
    nothing: Shown = None, ""
    pairs = [(old[name][at] if name in old else nothing, new[name][at]) for name in names]
    errors = tuple(after[1] if after[1] != before[1] else "" for before, after in pairs)
    return EditPreviewRow(at, tuple(before[0] for before, _ in pairs), tuple(after[0] for _, after in pairs), errors)
