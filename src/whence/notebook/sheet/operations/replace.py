"""Find a text and replace it by another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.notebook.sheet.condition_result import marked_rows
from whence.notebook.sheet.content import Content, Copy, Formula, Value
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.formula.tree import Call, Copied, Stored, Text, Tree
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.rowset import Mask, RowSet
from whence.notebook.sheet.state import Layer, SheetColumn, SheetState, over_what_was
from whence.notebook.sheet.typed_input import typed_value

_MANY = 1_000
"""Beyond this many cells, one layer takes less room than an entry for each cell."""


@dataclass(frozen=True)
class ReplaceText(SheetOperation):
    """Replaces a text: every occurrence in columns of text, whole cells in others. Formulas stay as they are."""

    kind = "replace"

    find: str
    replacement: str
    columns: tuple[str, ...]
    whole_cell: bool = False
    """Replace only cells that are equal to the text, in columns of text, too."""

    def describe(self, state: SheetState) -> str:
        return f"Replaced {self.find!r} with {self.replacement!r}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        gone = []
        for each in self.columns:
            if each in state.shown:
                column = state.column(each)
                for layer in self.layers(state, column):
                    add(state, column, layer)
            else:
                gone.append(state.column_name(each))
        return f"the column {', '.join(gone)} is gone" if gone else ""

    def layers(self, state: SheetState, column: SheetColumn) -> list[Layer]:
        """Return what the operation puts over the column, and leave the column as it is. No two layers overlap."""
        found = [*self._in_data(state, column), *self._in_edits(state, column)]
        return [over_what_was(column, layer, state.rows) for layer in found]

    def _in_edits(self, state: SheetState, column: SheetColumn) -> Iterator[Layer]:
        """Yield what replaces entered values and copies."""
        codes, contents = column.coded(np.arange(state.rows, dtype=np.int64))
        for number, content in enumerate(contents, start=1):
            rows = RowSet.of(np.flatnonzero(codes == number), state.rows)
            if isinstance(content, Copy):
                yield from self._in_copies(state, column, rows, content)
            elif isinstance(content, Value):
                new = self._new_value(content.value, column.type)
                if new != content:
                    yield Layer(rows, new)

    def _in_copies(self, state: SheetState, column: SheetColumn, rows: RowSet, content: Copy) -> Iterator[Layer]:
        """Yield what replaces copies of the data of another row: it comes from that row, or depends on it."""
        value = state.source.value(content.column, content.row)
        new = self._new_value(value, column.type)
        if new == Value(value):
            return
        if isinstance(value, str) and not self.whole_cell:
            yield Layer(rows, self._within(Copied(Text(value), content.row, content.column)))
            return
        one = np.array([content.row], dtype=np.int64)
        doubtful = rows if state.source.flags(content.column, one)[0] else None
        decided = {content.column: RowSet.of(one, state.rows)}
        yield Layer(rows, new, decided, doubtful, is_wide=True)

    def _within(self, of: Tree) -> Formula:
        return Formula(Call("SUBSTITUTE", (of, Text(self.find), Text(self.replacement))), "")

    def _new_value(self, value: object, type_name: str | None) -> Content:
        if isinstance(value, str) and not self.whole_cell and self.find:
            return Value(value.replace(self.find, self.replacement))
        is_it = value == typed_value(self.find, type_name) and type(value) is not bool  # True == 1 in Python
        return Value(typed_value(self.replacement, type_name)) if is_it else Value(value)

    def _in_data(self, state: SheetState, column: SheetColumn) -> Iterator[Layer]:
        """Yield what replaces the data where cells show it, if anything does."""
        if column.base is None:
            return
        values = state.source.column(column.base)
        within = (column.type or "string") == "string" and not self.whole_cell
        found = self._matches(values, column.type, within)
        shown = np.arange(state.source.rows, dtype=np.int64)
        codes, _ = column.coded(shown)
        found &= codes == 0
        if not found.any():
            return
        content = self._within(Stored(column.id)) if within else Value(typed_value(self.replacement, column.type))
        # All cells that show the data were searched, so all of them decided, not only those that matched.
        from_data = RowSet.of(np.flatnonzero(codes == 0), state.rows)
        doubtful = marked_rows(state, column.base, from_data)
        rows = RowSet.of(np.flatnonzero(found), state.rows)
        yield Layer(rows, content, {column.base: from_data}, doubtful)

    def _matches(self, values: pa.Array, type_name: str | None, within: bool) -> Mask:
        if within:
            hit = pc.match_substring(values, self.find) if self.find else pa.array([False] * len(values))
        else:
            wanted = typed_value(self.find, type_name)
            try:
                hit = pc.equal(values, pa.scalar(wanted, values.type))
            except (pa.ArrowException, TypeError, ValueError, OverflowError):
                hit = pa.array([False] * len(values))  # what is looked for cannot stand in this column
        mask: Mask = pc.fill_null(hit, False).to_numpy(zero_copy_only=False).astype(bool)
        return mask


def add(state: SheetState, column: SheetColumn, layer: Layer) -> None:
    """Add a layer to a column, or set its cells one by one if there are few and nothing decided on them."""
    rows = layer.rows.rows
    if layer.hangs or len(rows) > _MANY:  # a single cell cannot say what decided on it
        state.add_layer(column.id, layer)
    else:
        state.set_cells(column.id, [(row, layer.content) for row in rows.tolist()])
