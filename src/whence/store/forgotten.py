"""What remains of a forgotten dataset: its id and row count, so that lineage that refers to it stays valid."""

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
    """A record in place of a forgotten dataset. It has row ids, but no name, no columns and no rows to read."""

    @property
    def label(self) -> str:
        """The name of the dataset in messages."""
        return "a forgotten dataset"


def forgotten_record(connection: Connection, dataset: DatasetId) -> ForgottenRecord | None:
    """Return what remains of a dataset that was forgotten, or None."""
    rows = connection.scalar(select(tables.forgotten.c.rows).where(tables.forgotten.c.id == dataset))
    if rows is None:
        return None
    return ForgottenRecord(
        id=dataset, name="(forgotten)", version=0, rows=rows, schema=Schema(()), origin="create", text="", created=""
    )


def gone() -> UnknownDataset:
    """Return the error for reading a forgotten dataset."""
    return UnknownDataset(
        "This dataset was forgotten: its rows are gone for good.",
        "If only some of its rows were forgotten, open it again by its name.",
    )
