"""Reactive mode: after each run of the user, runs the cells that have become fresh, one after the other."""

from __future__ import annotations

from whence.staleness.jupyter.messages import CommServer
from whence.staleness.jupyter.shell import ShellFollower
from whence.staleness.notebook import Notebook


class Reactor:
    """Runs fresh cells, each at most once for every run of the user. It stops at a cell that fails."""

    def __init__(self, follower: ShellFollower, server: CommServer) -> None:
        self.is_on = False
        self._follower = follower
        self._server = server
        self._ran: set[str] = set()  # since the user last ran a cell
        self._asked: str | None = None  # the cell a front end was asked to run
        self._is_running = False  # a cell is being run from here
        follower.listeners.append(self._after)

    def _after(self, notebook: Notebook) -> None:
        """Run the next fresh cells, after a cell of the user or one that a front end was asked to run."""
        cell, ok = self._follower.last
        if not self.is_on or self._is_running or cell is None:
            return
        if cell != self._asked:
            self._ran.clear()  # the user ran this one, so every cell may react again
        self._asked = None
        self._ran.add(cell)
        while ok and (waiting := self._waiting(notebook)) is not None:
            self._ran.add(waiting)
            if self._server.ask_to_run(waiting):
                self._asked = waiting
                return  # the front end answers later, by a run that calls `_after` again
            ok = self._run(waiting)

    def _waiting(self, notebook: Notebook) -> str | None:
        """Return the next fresh cell that has not run yet, in the order of the notebook."""
        fresh = notebook.highlights().fresh - self._ran
        return next((cell for cell in notebook.cells if cell in fresh), None)

    def _run(self, cell: str) -> bool:
        self._is_running = True
        try:
            return self._follower.run(cell)
        finally:
            self._is_running = False
