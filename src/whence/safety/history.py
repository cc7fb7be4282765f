"""Which runs made the values that are in memory now, to give the code behind a value as a script."""

from __future__ import annotations

from dataclasses import dataclass

from whence.safety.highlights import NotebookView
from whence.safety.lineage import Lineage

MAX_RUNS = 2000  # older runs are forgotten, so that memory stays bounded however long the session


@dataclass(frozen=True, slots=True)
class PastRun:
    """One run: the text that ran, and which version (the run that last changed it) of each variable it read."""

    number: int
    cell: str
    text: str
    reads: tuple[int, ...]


class History:
    """The runs of a session, oldest first."""

    def __init__(self) -> None:
        self._runs: dict[int, PastRun] = {}

    def add(self, number: int, cell: str, notebook: NotebookView) -> None:
        """Note a run that is about to start, with the state of memory it starts from."""
        view = notebook.views[cell]
        symbols = [live.symbol for live in view.live if live.symbol is not None]
        reads = {symbol.bound for symbol in symbols}
        reads |= {part.bound for symbol in symbols for _, part in notebook.staleness.parts(symbol)}
        self._runs[number] = PastRun(number, cell, view.cell.text, tuple(sorted(reads)))
        if len(self._runs) > MAX_RUNS:
            del self._runs[min(self._runs)]

    def behind(self, versions: set[int]) -> list[PastRun]:
        """The runs that led to some versions, in the order they happened."""
        found: dict[int, PastRun] = {}
        pending = list(versions)
        while pending:
            run = self._runs.get(pending.pop())
            if run is not None and run.number not in found:
                found[run.number] = run
                pending += run.reads
        return [found[number] for number in sorted(found)]


def slice_script(history: History, lineage: Lineage, notebook: NotebookView, name: str) -> str:
    """The code that made a variable's present value, as a script; cells run several times stand there several times."""
    symbol = lineage.names.get(name)
    if symbol is None or not symbol.exists:
        raise KeyError(name)
    versions = {symbol.bound} | {part.bound for _, part in notebook.staleness.parts(symbol)}
    runs = history.behind(versions)
    return "\n".join(f"# cell {run.cell}, run {run.number}\n{run.text.rstrip()}\n" for run in runs)
