"""The open questions of a server, each about the marks of a chart, with at most one search in a thread."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from whence.model.errors import UnknownQuestion, WhenceError
from whence.server.charts import Charts, Recent

if TYPE_CHECKING:
    from whence.workspace.chart import Chart
    from whence.workspace.dataset import Dataset
    from whence.workspace.explanations import Explanations
    from whence.workspace.question import Question

MOST_QUESTIONS = 8
"""The most open questions: each holds the rows behind all marks of its chart in memory."""

State = Literal["none", "running", "done", "stopped", "failed"]
Ask = Callable[[Callable[["Explanations[Any]"], bool]], "Explanations[Any]"]


class Search:
    """A search in a thread of its own. Its answers so far can be read at any time."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._stopped = threading.Event()
        self._began = time.monotonic()
        self._ended: float | None = None
        self.state: State = "running"
        self.found: Explanations[Any] | None = None
        self.problem = ""
        self._thread = threading.Thread(target=self._run, daemon=True, name="explain")
        self._thread.start()

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return (self._ended or time.monotonic()) - self._began

    def stop(self) -> None:
        """Ask the search to stop. It ends when it next reports answers, and keeps the best so far."""
        self._stopped.set()

    def _run(self) -> None:
        try:
            found = self._ask(self._hear)
        except WhenceError as error:
            self.problem, self.state = f"{error.message} {error.hint}".strip(), "failed"
        except Exception as error:  # nothing else would catch it in a thread: the page shows it as the problem
            self.problem, self.state = f"The search broke off: {error}.", "failed"
        else:
            self.found, self.state = found, "stopped" if self._stopped.is_set() else "done"
        self._ended = time.monotonic()

    def _hear(self, found: Explanations[Any]) -> bool:
        self.found = found
        return self._stopped.is_set()


@dataclass
class OpenQuestion:
    """A question, its chart, and its search."""

    id: str
    chart: Chart[Dataset]
    question: Question[Dataset]
    search: Search | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, ask: Ask) -> Search:
        """Start a search, and stop one that runs."""
        with self.lock:
            if self.search is not None:
                self.search.stop()
            self.search = Search(ask)
            return self.search


class Questions:
    """The questions of one server."""

    def __init__(self, charts: Charts) -> None:
        self._charts = charts
        self._open: Recent[OpenQuestion] = Recent(2 * MOST_QUESTIONS)  # each by its chart and by its id

    def ask(self, label: str) -> OpenQuestion:
        """Return the open question about the marks of a chart, or open one."""
        chart = self._charts.find(label)
        known = self._open.get(chart.marks.record.label)
        if known is not None:
            return known
        made = OpenQuestion(secrets.token_urlsafe(12), chart, chart.question())
        # If another request was quicker, `put` returns its question, and this one is dropped.
        made = self._open.put(chart.marks.record.label, made)
        return self._open.put(made.id, made)

    def find(self, id: str) -> OpenQuestion:
        """Return an open question. Raise if it was closed because others were used more recently."""
        found = self._open.get(id)
        if found is None:
            raise UnknownQuestion("There is no such question.", "Ask it again: unused questions are closed.")
        return found


def direction_of(
    outliers: list[int], direction: str, expected: Mapping[int, float] | None
) -> str | dict[int, float | str]:
    """Return the direction of the outliers, or for each outlier the value it should have, if that is known.

    >>> direction_of([1, 2], "high", {2: 5.0})
    {1: 'high', 2: 5.0}
    """
    return {row: expected.get(row, direction) for row in outliers} if expected else direction
