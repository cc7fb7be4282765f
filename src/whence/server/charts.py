"""The charts and the sets of linked charts that pages use. The server keeps the most recently used ones."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from whence.model.errors import UnknownChart
from whence.model.plural import counted
from whence.workspace.served import ServedWorkspace

if TYPE_CHECKING:
    from whence.workspace.chart import Chart
    from whence.workspace.dataset import Dataset
    from whence.workspace.link import Link

MOST_CHARTS = 64
MOST_LINKS = 16

T = TypeVar("T")


class Recent(Generic[T]):
    """A thread-safe LRU cache: the least recently used entry is dropped first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: str) -> T | None:
        """Return the entry of a name, or None."""
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
            return self._kept.get(name)

    def put(self, name: str, thing: T) -> T:
        """Add an entry and return it. If the name has an entry already, return that one instead."""
        with self._lock:
            kept = self._kept.setdefault(name, thing)
            self._kept.move_to_end(name)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return kept


@dataclass
class OpenLink:
    """Linked charts, and what is brushed in each."""

    id: str
    charts: list[Chart[Dataset]]
    tables: list[Dataset]
    link: Link
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while a brush is answered: each answer depends on the brushes before it."""

    def chart(self, place: int) -> Chart[Dataset]:
        """Return one of the charts by its position."""
        if place >= len(self.charts):
            raise UnknownChart(
                f"There is no chart {place} in this set.", f"Its charts are 0 to {len(self.charts) - 1}."
            )
        return self.charts[place]

    def table(self, place: int) -> Dataset:
        """Return one of the tables by its position."""
        if place >= len(self.tables):
            raise UnknownChart(
                f"There is no table {place} in this set.", f"It has {counted(len(self.tables), 'table')}."
            )
        return self.tables[place]


class Charts:
    """The charts of one server."""

    def __init__(self, workspace: ServedWorkspace) -> None:
        self._workspace = workspace
        self._charts: Recent[Chart[Dataset]] = Recent(MOST_CHARTS)
        self._links: Recent[OpenLink] = Recent(MOST_LINKS)
        self._drawing = threading.Lock()

    def draw(self, dataset: Dataset, spec: Mapping[str, object], name: str | None) -> Chart[Dataset]:
        """Draw a chart. Without a name its marks are a scratch dataset.

        Charts are drawn one at a time, so that two requests for the same chart do not compute it twice.
        """
        chart = dataset.chart(spec, name, keep=name is not None)
        with self._drawing:
            label = chart.marks.record.label  # runs the query
        return self._charts.put(label, chart)

    def find(self, label: str) -> Chart[Dataset]:
        """Return the chart whose marks this dataset version holds."""
        marks = self._workspace[label]
        known = self._charts.get(marks.record.label)
        return known or self._charts.put(marks.record.label, marks.as_chart())

    def link(self, labels: Sequence[str], of_tables: Sequence[str] = ()) -> OpenLink:
        """Make a set of linked charts, and of tables that follow them."""
        charts = [self.find(label) for label in labels]
        tables = [self._workspace[label] for label in of_tables]
        made = OpenLink(secrets.token_urlsafe(12), charts, tables, self._workspace.link(charts, tables))
        return self._links.put(made.id, made)

    def linked(self, id: str) -> OpenLink:
        """Return a set of linked charts. Raise if it was dropped because others were used more recently."""
        found = self._links.get(id)
        if found is None:
            raise UnknownChart(
                "There is no such set of linked charts.", "Link the charts again: unused sets are closed."
            )
        return found
