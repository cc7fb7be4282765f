"""What the same query gave over inputs that have lost rows since: a run may keep its rows where nothing changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from whence.engine.query import Query
from whence.lineage.block import Ids
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId


@dataclass
class EarlierVersion:
    """A version of which a request makes another, over inputs without some rows."""

    record: DatasetRecord
    edges: Edges
    moved: Mapping[DatasetId, Ids]
    """By old input: the new id of each of its rows, -1 for one that went."""
    query: Query | None = None
    """The query over the inputs of now, as it was analysed over those of then: its own frame reads the old rows."""
    rids: Ids | None = None
    """The new id of each row of the version, -1 for one that went. The run sets it if it knows."""
