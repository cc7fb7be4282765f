"""A query as Spark analysed it and whence read it: frame, plan, datasets behind its leaves, and columns."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame

from whence.engine.handles import Handles
from whence.engine.parse_plan import ReadPlan
from whence.model.ids import DatasetId
from whence.plan.expr import Column


@dataclass(frozen=True)
class Query:
    """A query as Spark analysed it. `read` holds its plan as steps, or the reason why an operator has no rule."""

    frame: DataFrame
    handles: Handles
    read: ReadPlan
    sources: tuple[DatasetId, ...]
    """The dataset behind each leaf, by source number."""
    columns: tuple[Column, ...]

    @property
    def parents(self) -> tuple[DatasetId, ...]:
        """The datasets that the query reads, each once."""
        return tuple(dict.fromkeys(self.sources))
