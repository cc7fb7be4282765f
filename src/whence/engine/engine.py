"""The facade over Spark for one workspace: it analyses queries, reads their plans and runs them."""

from __future__ import annotations

from whence.engine.plan_leaves import PlanLeaves
from whence.engine.plan_reading import PlanReading
from whence.engine.plan_running import PlanRunning
from whence.engine.query import Query
from whence.engine.query_analysis import QueryAnalysis
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.model.ids import DatasetId
from whence.store.forgotten import ForgottenRecord

_QUERIES_KEPT = 1000
"""How many queries the engine remembers, so that it can run them again without reading them anew. It drops the
oldest first."""


class Engine(QueryAnalysis, PlanReading, PlanLeaves, PlanRunning):
    """All calls to Spark that a workspace makes, and a memory of which query made which dataset.

    SQL text becomes a frame in `QueryAnalysis`, a frame a plan in `PlanReading`, a plan rows in `PlanRunning`.
    `PlanLeaves` lets plans read datasets in place of files and tables. The session, and the datasets as frames, are in
    `SparkAccess`.
    """

    def remember(self, dataset: DatasetId, query: Query) -> None:
        """Remember the query that made a dataset, so that lineage questions can run it again on some of its rows."""
        self._queries[dataset] = query
        if len(self._queries) > _QUERIES_KEPT:
            self._queries.pop(next(iter(self._queries)))

    def remember_written(self, dataset: DatasetId, query: Query) -> None:
        """Remember a query that the text of a dataset says in full, so that it need not be analysed again."""
        self._written_queries[dataset] = query
        if len(self._written_queries) > _QUERIES_KEPT:
            self._written_queries.pop(next(iter(self._written_queries)))

    def recall_written(self, dataset: DatasetId) -> Query | None:
        """Return the query that the text of a dataset says. The files behind it may be gone, so it may not run."""
        return self._written_queries.get(dataset)

    def has_made(self, dataset: DatasetId, query: Query) -> bool:
        """Return whether this session made a dataset by a query with the same result, by the rule of Spark's cache."""
        before = self._queries.get(dataset)
        if before is None:
            return False
        plans = [each.frame._jdf.queryExecution().analyzed() for each in (before, query)]
        return bool(plans[0].sameResult(plans[1]))

    def recall(self, record: DatasetRecord) -> Query | None:
        """Return the query that made a dataset, or None if it cannot be had again.

        The engine rebuilds a query of an earlier session from its SQL text, or by `replay` from its transformation.
        """
        if record.id not in self._queries:
            query = self._analyse_text(record) if record.origin in ("sql", "chart") else self.replay(record)
            if query is not None:
                self.remember(record.id, query)
        return self._queries.get(record.id)

    def _analyse_text(self, record: DatasetRecord) -> Query | None:
        """Analyse the dataset's SQL text again, over the dataset versions that it read when it first ran."""
        parents = [self._store.by_id(parent) for parent in record.parents]
        if any(isinstance(parent, ForgottenRecord) for parent in parents):
            return None
        try:
            return self.read(self.sql(record.text, {parent.name: parent for parent in parents}))
        except WhenceError:  # the text has a placeholder, or reads a table outside the workspace
            return None
