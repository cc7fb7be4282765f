"""Running a notebook: how and when its cells run, what stops them, and who hears of it."""

from __future__ import annotations

from typing import Self

from whence.model.errors import UserError
from whence.model.notebook import Mode
from whence.notebook.run_cell import find_kind
from whence.notebook.schedule.estimate import Estimate
from whence.notebook.schedule.events import Listener
from whence.workspace.notebook_cell import Cell, cell_id
from whence.workspace.notebook_reader import NotebookReader


class NotebookControl(NotebookReader):
    """The calls of `Notebook` that run cells."""

    @property
    def mode(self) -> Mode:
        """`auto` runs what an edit made stale, `lazy` only marks it; in a `session` Python cells share variables."""
        return self._open.record.mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        if mode not in ("auto", "lazy", "session"):
            raise UserError(f"A notebook cannot run {mode!r}.", "Use auto, lazy or session.")
        self._open.set_mode(mode)

    @property
    def time_limit(self) -> float | None:
        """Seconds after which a cell is stopped; None lets it run."""
        return self.runner.time_limit

    @time_limit.setter
    def time_limit(self, seconds: float | None) -> None:
        self.runner.time_limit = seconds

    def run(self, cell: Cell | str | None = None, *, again: bool = False) -> Self:
        """Run a cell and whatever above it is not ready; without a cell, all that is not ready.

        `again` runs the cell, or all cells, even if nothing changed.
        """
        if cell is None:
            states = self.runner.states()
            chosen = [entry.cell for entry in self._open.entries if again or states[entry.cell].status != "ready"]
            self.runner.request(
                [each for each in chosen if states[each].status not in ("frozen", "draft")], again=again
            )
        else:
            said = self.said_by(cell_id(cell))
            if said.is_draft:
                find_kind(said.kind).check(said.values)  # says what is missing
            self.runner.request([cell_id(cell)], again=again)
        return self

    def run_stale(self) -> Self:
        """Run every cell that is stale; errors that would only repeat stay."""
        states = self.runner.states()
        self.runner.request([cell for cell, state in states.items() if state.is_needed])
        return self

    def cancel(self, cell: Cell | str | None = None, *, hard: bool = False) -> None:
        """Stop a cell, or all; `hard` restarts Spark if need be, even while other cells run, which then run again."""
        self.runner.cancel(None if cell is None else [cell_id(cell)], hard=hard)

    def wait(self, timeout: float | None = None) -> Self:
        """Return when every cell that was to run has run."""
        if not self.runner.wait(timeout):
            raise UserError(f"The notebook {self.name} is still running after {timeout:g} seconds.")
        return self

    def estimate(self) -> Estimate:
        """How long the cells that wait or run took the last time."""
        return self.runner.estimate()

    def listen(self, listener: Listener) -> None:
        """Call this with every change of a cell, its progress, what it shows, and long runs ahead."""
        self.runner.listen(listener)

    def close(self) -> None:
        """Stop all cells; the workspace does it when it is closed."""
        self._open.close()
