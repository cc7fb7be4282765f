"""`ws.graph`: the graph of datasets and the runs (operators and queries) that made them."""

from __future__ import annotations

from whence.arrays.graph import Arguments, Graph, Step
from whence.model.dataset import DatasetRecord
from whence.workspace.context import Context
from whence.workspace.references import version_of


class WorkspaceGraph:
    """Questions about whole datasets and the runs between them. A dataset is named by `name`, `name@3` or its handle.

    >>> import numpy as np
    >>> from whence.arrays import Add, Reduce, Subtract
    >>> raw = ws.array("raw", np.arange(4.0))
    >>> mean, flat = ws.apply(Reduce("mean"), "raw", name="mean"), ws.apply(Subtract(), "raw", "mean", name="flat")
    >>> ws.graph.paths("raw", "flat"), ws.graph.affected_by("Reduce")
    ([('raw@1', 'flat@1'), ('raw@1', 'mean@1', 'flat@1')], ['mean@1', 'flat@1'])
    >>> ws.graph.arguments("mean").arguments
    {'axes': None, 'how': 'mean'}
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._graph = Graph(context.store, context.readers.trace)

    def steps(self, operator: str | None = None) -> list[Step]:
        """Return every run, or those of one operator, oldest first."""
        return self._graph.steps(operator)

    def derived_from(self, dataset: object) -> list[Step]:
        """Return every run that used a dataset, directly or not: what to check if it turns out to be corrupt."""
        return self._graph.derived_from(self._record(dataset))

    def affected_by(self, operator: str) -> list[str]:
        """Return every dataset that depends on an operator: what to make again if it turns out to be faulty."""
        return self._graph.affected_by(operator)

    def before(self, dataset: object) -> list[Step]:
        """Return the runs that made the inputs of a dataset."""
        return self._graph.before(self._record(dataset))

    def inputs(self, dataset: object) -> list[str]:
        """Return the inputs of the run that made a dataset."""
        return self._graph.inputs(self._record(dataset))

    def sources(self, dataset: object) -> list[str]:
        """Return the loaded or created datasets that a dataset was made from, however many steps back."""
        return self._graph.sources(self._record(dataset))

    def results(self, dataset: object) -> list[str]:
        """Return the datasets made from one, directly or not, from which nothing else was made."""
        return self._graph.results(self._record(dataset))

    def paths(self, start: object, end: object) -> list[tuple[str, ...]]:
        """Return every path from a dataset to one that was made from it."""
        return self._graph.paths(self._record(start), self._record(end))

    def shared(self, one: object, other: object) -> list[str]:
        """Return the datasets that both were made from, newest first."""
        return self._graph.shared(self._record(one), self._record(other))

    def arguments(self, dataset: object) -> Arguments:
        """Return the operator, arguments and duration of the run that made a dataset."""
        return self._graph.arguments(self._record(dataset))

    def file(self, dataset: object) -> str | None:
        """Return the file that a dataset was loaded from; None if it was not loaded."""
        content = self._context.store.document(self._record(dataset), "load_report") or {}
        source = content.get("source")
        return str(source["path"]) if isinstance(source, dict) and "path" in source else None

    def _record(self, dataset: object) -> DatasetRecord:
        return version_of(self._context.store, dataset)
