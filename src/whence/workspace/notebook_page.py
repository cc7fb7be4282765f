"""`NotebookPage`: the page of a notebook, on which outputs of its cells and inputs are arranged on a grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from whence.model.errors import UserError
from whence.model.page import Choice, Control, ControlKind, PageItem, Shows, settle
from whence.model.plural import counted
from whence.notebook.parameter_values import read_parameters
from whence.notebook.versions.book import Command
from whence.workspace.notebook_cell import Cell

if TYPE_CHECKING:
    from whence.workspace.notebook_edits import NotebookEdits
    from whence.workspace.notebook_reader import NotebookReader

_SIZES: dict[Shows, tuple[int, int]] = {"chart": (6, 8), "table": (6, 8), "text": (12, 2), "input": (3, 2)}
"""Columns and rows that an item takes unless it is given others."""


class NotebookPage:
    """The page of a notebook: charts, tables, texts and inputs on a grid of 12 columns, as a view of its cells.

    Each change makes a version of the notebook, as an edit of a cell does. A cell that is deleted leaves the page.

    >>> nb = ws.notebook("arranged")
    >>> note = nb.append("markdown", source="# Sales")
    >>> sales = nb.append("sql", source="select 'Ulm' as town, 3 as sold", name="sales")
    >>> _ = nb.page.add(note)
    >>> _ = nb.page.add(sales, x=0, y=2, width=5, height=6, title="By town")
    >>> [(item.cell, item.shows, item.x, item.y, item.width) for item in nb.page.items]
    [('c1', 'text', 0, 0, 12), ('c2', 'table', 0, 2, 5)]
    >>> nb.page
    <page of arranged: 2 items>
    """

    def __init__(self, notebook: NotebookReader, edits: NotebookEdits, author: str) -> None:
        self._notebook = notebook
        self._edits = edits
        self._author = author

    @property
    def items(self) -> list[PageItem]:
        """What stands on the page, in reading order: by row, then by column."""
        return self._notebook.snapshot().items

    def add(
        self,
        cell: Cell | str,
        shows: Shows | None = None,
        name: str = "",
        *,
        x: int = 0,
        y: int | None = None,
        width: int | None = None,
        height: int | None = None,
        title: str = "",
    ) -> PageItem:
        """Add what a cell gives: its chart, a table, or its text; below all others unless `y` says a row.

        `shows` is by default the chart of a chart cell, the text of a Markdown cell, and of others the first dataset
        they make. `name` names another dataset of the cell.
        """
        found = self._notebook.cell(cell.id if isinstance(cell, Cell) else cell)
        return self._add(PageItem(shows or _main_output(found), name, title=title, cell=found.id), x, y, width, height)

    def add_input(
        self,
        parameter: str,
        kind: ControlKind,
        *,
        low: float | None = None,
        high: float | None = None,
        step: float | None = None,
        choices: Iterable[Choice] = (),
        until: str = "",
        x: int = 0,
        y: int | None = None,
        width: int | None = None,
        height: int | None = None,
        title: str = "",
    ) -> PageItem:
        """Add an input that sets a parameter of the notebook; what depends on the parameter then runs again.

        `kind` is slider, number, select, text, checkbox, or dates, which sets `parameter` to the first day of a range
        and the parameter `until` to its last. Without `step`, a slider between whole numbers takes whole steps.

        >>> nb = ws.notebook("with an input")
        >>> _ = nb.append("parameters", source="least = 3")
        >>> nb.page.add_input("least", "slider", low=0, high=10).control.high
        10
        """
        cell = _cell_that_sets(self._notebook.cells, [parameter, until] if until else [parameter])
        control = Control(kind, low, high, step, choices=tuple(choices), until=until)
        return self._add(PageItem("input", parameter, title=title, control=control, cell=cell.id), x, y, width, height)

    def change(
        self,
        item: PageItem,
        *,
        x: int | None = None,
        y: int | None = None,
        width: int | None = None,
        height: int | None = None,
        title: str | None = None,
    ) -> PageItem:
        """Move an item, resize it or give it another title. Items that it would cover move down."""
        given = {"x": x, "y": y, "width": width, "height": height, "title": title}
        found = self._find(item)
        changed = replace(found, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
        return self._place(changed, [each for each in self.items if each.key != found.key])

    def remove(self, item: PageItem) -> None:
        """Take an item off the page. Its cell stays in the notebook."""
        found = self._find(item)
        self.arrange([each for each in self.items if each.key != found.key])

    def arrange(
        self, items: Sequence[PageItem], *, command_id: str | None = None, base_version: int | None = None
    ) -> None:
        """Make these items the page, as one version. An empty list clears the page.

        If someone else moved one of the items since `base_version`, this raises `EditConflict`; other items merge.
        """
        self._edits.arrange(items, Command(self._author, base_version, command_id))

    def _add(self, item: PageItem, x: int, y: int | None, width: int | None, height: int | None) -> PageItem:
        shown = self.items
        below = max((each.y + each.height for each in shown), default=0)
        wide, high = _SIZES[item.shows]
        wide = min(wide, max(1, 12 - x)) if width is None else width
        placed = replace(item, x=x, y=below if y is None else y, width=wide, height=high if height is None else height)
        return self._place(placed, shown)

    def _place(self, item: PageItem, others: Sequence[PageItem]) -> PageItem:
        self.arrange(settle([*others, item], [item]))
        return self._find(item)

    def _find(self, item: PageItem) -> PageItem:
        found = next((each for each in self.items if each.key == item.key), None)
        if found is None:
            raise UserError(f"The {item.shows} of cell {item.cell} is not on the page.", "page.items lists what is.")
        return found

    def __repr__(self) -> str:
        return f"<page of {self._notebook.name}: {counted(len(self.items), 'item')}>"


def _main_output(cell: Cell) -> Shows:
    """Return what a page shows of a cell unless it is told something else."""
    if cell.kind == "parameters":
        raise UserError("A parameters cell makes nothing to show.", "Add an input: page.add_input(parameter, kind).")
    if cell.kind == "chart":
        return "chart"
    return "table" if cell.name or cell.outputs.datasets else "text"


def _cell_that_sets(cells: Iterable[Cell], names: Sequence[str]) -> Cell:
    """Return the last parameters cell that sets these parameters. Raise if there is none."""
    for cell in reversed(list(cells)):
        if cell.kind == "parameters" and set(names) <= set(read_parameters(cell.values.get("source", ""))):
            return cell
    raise UserError(
        f"No parameters cell sets {' and '.join(names)}.", 'For example: append("parameters", "least = 3").'
    )
