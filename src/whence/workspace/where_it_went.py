"""`WhereItWent`: the answer of `why_not`, which says what became of a source row."""

from __future__ import annotations

from dataclasses import dataclass

from whence.lineage.why_not import Fate, Loss
from whence.model.dataset import DatasetRecord
from whence.workspace.rows import Rows

_SHOWN = 5


@dataclass(frozen=True)
class WhereItWent:
    """The rows that a source row went into; if there are none, the steps that left it out, nearest to it first."""

    source: DatasetRecord
    row: int
    rows: Rows
    fate: Fate

    @property
    def is_there(self) -> bool:
        """Whether some row was made from it."""
        return self.rows.count > 0

    @property
    def groups(self) -> dict[int, int]:
        """Result rows made from it and from other rows of its dataset, each with the number of rows behind it."""
        return self.fate.groups

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The steps that left it out, each with its condition and the values that the condition read."""
        return self.fate.losses

    def __str__(self) -> str:
        if not self.is_there:
            return "\n".join(map(str, self.losses))
        shown = zip(self.rows.selection.page(0, _SHOWN).tolist(), self.rows.rows(0, _SHOWN).to_pylist(), strict=True)
        lines = [self._line(row, values) for row, values in shown]
        more = self.rows.count - len(lines)
        return "\n".join([*lines, f"... and {more} more rows"] if more else lines)

    def _line(self, row: int, values: dict[str, object]) -> str:
        text = ", ".join(f"{name} = {value!r}" for name, value in values.items())
        others = self.groups.get(row)
        group = "is in" if others is None else f"is one of {others} rows behind"
        return f"Row {self.row} of {self.source.label} {group} row {row} of {self.rows.record.label} ({text})."
