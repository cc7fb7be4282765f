"""The calls of `Notebook` that run cells, stop them, wait for them, and listen to their events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from whence.model.errors import UserError
from whence.model.notebook import Mode
from whence.notebook.run_cell import find_kind
from whence.notebook.schedule.estimate import Estimate
from whence.notebook.schedule.events import Listener
from whence.pipeline.preview import TransformationPreview
from whence.workspace.notebook_cell import Cell, cell_id
from whence.workspace.notebook_reader import NotebookReader


class NotebookControl(NotebookReader):
    """The calls of `Notebook` that run cells."""

    @property
    def mode(self) -> Mode:
        """When cells run: `auto` runs cells that an edit made stale, `lazy` only marks them as stale.

        In a `session` Python cells share the variables of one interpreter.
        """
        return self._open.record.mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        if mode not in ("auto", "lazy", "session"):
            raise UserError(f"A notebook cannot run {mode!r}.", "Use auto, lazy or session.")
        self._open.set_mode(mode)

    @property
    def time_limit(self) -> float | None:
        """Seconds after which the runner stops a cell. None means no limit."""
        return self.runner.time_limit

    @time_limit.setter
    def time_limit(self, seconds: float | None) -> None:
        self.runner.time_limit = seconds

    def run(self, cell: Cell | str | None = None, *, again: bool = False) -> Self:
        """Run a cell and the cells above that it waits for. Without a cell, run all cells that are not ready.

        `again` runs the cell, or all cells, even if nothing changed.
        """
        if cell is None:
            states = self.runner.states()
            chosen = [entry.cell for entry in self._open.entries if again or states[entry.cell].status != "ready"]
            self.runner.request(
                [each for each in chosen if states[each].status not in ("frozen", "draft")], again=again
            )
        else:
            version = self.cell_version(cell_id(cell))
            if version.is_draft:
                find_kind(version.kind).check(version.values)  # says what is missing
            self.runner.request([cell_id(cell)], again=again)
        return self

    def preview(self, cell: Cell | str, values: Mapping[str, object], *, form: str = "") -> TransformationPreview:
        """Return what a cell would do with these values to the first rows of its input. Nothing of it is stored.

        `form` names who asks: a new preview of the same form stops the one before.

        >>> nb = ws.notebook("try")
        >>> _ = nb.append("sql", source="select ' bolt' as part", name="parts")
        >>> draft = nb.wait().add_draft("trim")
        >>> seen = nb.preview(draft, {"source": "parts", "name": "trimmed"})
        >>> seen.changed_values, seen.rows[0].values, draft.status
        (1, ('bolt',), 'draft')
        """
        kind = find_kind(self.cell_version(cell_id(cell)).kind)
        return self._open.previews.preview(cell_id(cell), kind, values, form)

    def run_stale(self) -> Self:
        """Run every stale cell. A cell whose error would only repeat does not run."""
        states = self.runner.states()
        self.runner.request([cell for cell, state in states.items() if state.is_needed])
        return self

    def cancel(self, cell: Cell | str | None = None, *, hard: bool = False) -> None:
        """Stop a cell, or all cells.

        `hard` restarts Spark if a query does not stop, even while other cells run. Those then run again.
        """
        self.runner.cancel(None if cell is None else [cell_id(cell)], hard=hard)

    def wait(self, timeout: float | None = None) -> Self:
        """Wait until every cell that was requested has run. Raise if the timeout passes first."""
        if not self.runner.wait(timeout):
            raise UserError(f"The notebook {self.name} is still running after {timeout:g} seconds.")
        return self

    def estimate(self) -> Estimate:
        """Estimate the remaining time from how long the waiting and running cells took the last time."""
        return self.runner.estimate()

    def listen(self, listener: Listener) -> None:
        """Call a listener with every change of a cell, its progress, what it shows, and warnings of long runs."""
        self.runner.listen(listener)

    def reread(self) -> None:
        """Read the name of the notebook again. `Workspace.rename_notebook` calls this."""
        self._open.reread()

    def close(self) -> None:
        """Stop all cells. `Workspace.close` calls this."""
        self._open.close()
