"""What stays of a dataset that was forgotten: an id and a row count, so that what was made from it stays whole."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select

from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset
from whence.model.ids import DatasetId
from whence.model.schema import Schema
from whence.store import tables

CAVEAT = Caveat("A dataset this was made from was forgotten, and its caveats with it.", "forgotten")


@dataclass(frozen=True)
class ForgottenRecord(DatasetRecord):
    """Stands where a dataset was: it has rids, but no name, no columns and no rows to read."""

    @property
    def label(self) -> str:
        """How messages name it."""
        return "a forgotten dataset"


def forgotten_record(connection: Connection, dataset: DatasetId) -> ForgottenRecord | None:
    """What is left of a dataset, if it was forgotten."""
    rows = connection.scalar(select(tables.forgotten.c.rows).where(tables.forgotten.c.id == dataset))
    if rows is None:
        return None
    return ForgottenRecord(
        id=dataset, name="(forgotten)", version=0, rows=rows, schema=Schema(()), origin="create", text="", created=""
    )


def gone() -> UnknownDataset:
    """The error of whoever wants to read a forgotten dataset."""
    return UnknownDataset("This dataset was forgotten: its rows are gone for good.", "Load it again if you may.")
