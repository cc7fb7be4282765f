"""A notebook that runs in any order: its cells, the lineage of its variables, and the highlights."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from types import CodeType

from whence.staleness.cells import Cell
from whence.staleness.checker import Checker
from whence.staleness.highlights import Highlights, NotebookView, view_notebook
from whence.staleness.history import History, slice_script
from whence.staleness.instrument import HOOK
from whence.staleness.lineage import Lineage
from whence.staleness.preparations import Preparations
from whence.staleness.probes import plant
from whence.staleness.reasons import explain
from whence.staleness.repeats import repeat_reason
from whence.staleness.sites import InstrumentedCell
from whence.staleness.tracer import Run, Tracer
from whence.staleness.upstream import Upstream, upstream


class Notebook:
    """Follows cells that another program, such as IPython, runs in a namespace.

    For each run call `edit`, `prepare`, `begin` and `finish`, in this order. `execution.py` shows how.
    """

    def __init__(self, namespace: dict[str, object]) -> None:
        self.namespace = namespace
        self.cells: dict[str, Cell] = {}
        self.problems: list[Exception] = []  # faults of our own tracing; the user's code ran all the same
        self.lineage = Lineage()
        self._tracer = Tracer(self.lineage, namespace)
        self._checker = Checker(self.lineage, namespace)
        self._edits = 0
        self._view: tuple[tuple[int, int], NotebookView] | None = None
        self._before: Highlights | None = Highlights()
        self._history = History()
        self._preparations = Preparations()

    def edit(self, cell: str, code: str) -> None:
        """Change a cell's text without running it."""
        state = self.cells.get(cell)
        if state is None or state.text != code:
            self.cells.setdefault(cell, Cell(cell)).text = code
            texts = {other.text for other in self.cells.values()}
            self._checker.keep(texts)
            self._preparations.keep(texts)
            self._edits += 1

    def remove(self, cell: str) -> None:
        """Remove a cell from the notebook. The values that it has computed stay in memory."""
        self.cells.pop(cell, None)
        self._edits += 1

    def prepare(self, tree: ast.Module, parse: Callable[[], ast.Module], text: str | None = None) -> InstrumentedCell:
        """Instrument a parsed cell, once for each text. If that fails, return the cell without probes.

        `parse` returns the same tree again, for analyses that must not see probes. Without `text` nothing is cached.
        """
        try:
            return self._preparations.get(tree, parse, text, self.namespace)
        except Exception as fault:  # noqa: BLE001, RUF100  # the user's program goes on whatever we did wrong
            self.problems.append(fault)
            return InstrumentedCell(parse(), {}, [], [])

    def begin(
        self, cell: str, instrumented: InstrumentedCell, compares: bool = True
    ) -> tuple[Run, Callable[[CodeType], CodeType]]:
        """Start to follow a run. The caller passes its compiled code through the function returned.

        `compares` says whether to compute the highlights now, so that those after the run can tell which are new.
        """
        self._before = self._look_before() if compares else None
        past = self._history.start(self.lineage.clock + 1, cell, self.cells[cell].text)
        run = self._tracer.begin(cell, instrumented.steps, past)
        planted: dict[int, object] = {number: self._tracer.probe(site) for number, site in instrumented.sites.items()}
        planted[HOOK] = run
        return run, lambda code: plant(code, planted, instrumented.functions, run)

    def _look_before(self) -> Highlights | None:
        try:
            return self._highlights()
        except Exception as fault:  # noqa: BLE001, RUF100  # the user's program runs whatever we did wrong
            self.problems.append(fault)
            return None

    def repeats(self, cell: str) -> str:
        """Return why a run of a cell would start from its own result; "" if it would not, or if the check fails."""
        try:
            return repeat_reason(self.view(), cell)
        except Exception as fault:  # noqa: BLE001, RUF100  # the user's program runs whatever we did wrong
            self.problems.append(fault)
            return ""

    def finish(self, cell: str, run: Run, error: BaseException | None) -> None:
        """Update the lineage and the cell after a run. `error` is what the user's code raised."""
        run.finish(error)
        self.problems += run.problems
        state = self.cells.get(cell)
        if state is not None:  # it may have been removed while it ran
            state.ran_at, state.ran_text = self.lineage.clock, state.text
            state.observed = frozenset(run.observed)

    def highlights(self) -> Highlights:
        """Return the stale, fresh and refresher cells, each with the reason."""
        now = self._highlights()
        before = self._before or now
        return replace(
            now,
            new_fresh=now.fresh - before.fresh,
            new_refresher=now.refresher - before.refresher,
            again=self._repeat_reasons(),
            reasons=explain(self.view()),
        )

    def upstream(self, cell: str) -> Upstream:
        """Return the cells to run, in order, so that the given one, the last, uses nothing out of date."""
        return upstream(self.view(), cell)

    def slice(self, name: str) -> str:
        """Return the code behind a variable's value as a script: the statements that it depends on, as they ran."""
        return slice_script(self._history, self.lineage, name)

    def _repeat_reasons(self) -> dict[str, str]:
        found = {cell: repeat_reason(self.view(), cell) for cell in self.cells}
        return {cell: reason for cell, reason in found.items() if reason}

    def view(self) -> NotebookView:
        """Return the analysis of every cell against the values in memory; cached until a run or an edit."""
        key = (self.lineage.version, self._edits)
        if self._view is None or self._view[0] != key:
            self._view = key, view_notebook(self.cells.values(), self._checker, self.lineage, self.namespace)
        return self._view[1]

    def _highlights(self) -> Highlights:
        view = self.view()
        missing = {name: cell.missing for name, cell in view.views.items() if cell.missing}
        return Highlights(view.stale, view.fresh, frozenset(view.refreshers), would_fail=missing)
