"""Names for what programs read and make: those of their files, tables and variables, with a number if one is taken."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import count
from typing import Literal

from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store

DOCUMENT = "adopted"
"""The document in which an adopted dataset says what it is."""


@dataclass(frozen=True)
class Claim:
    """What a dataset would like to be called, and what it is. The same thing gets the same name in a later run."""

    name: str
    kind: Literal["source", "step", "result"]
    place: str
    """A text that tells this thing from others of the same name."""
    fingerprint: str = ""
    """What must be equal for rows that were kept earlier to stand for it; empty if nothing tells."""
    files: tuple[str, ...] = ()
    """The prints of the files that hold its rows, if a program wrote them."""

    def as_document(self) -> dict[str, object]:
        """Return what the dataset stores about itself."""
        files = {"files": list(self.files)} if self.files else {}
        return {"kind": self.kind, "place": self.place, "fingerprint": self.fingerprint, **files}


def variable_claim(variable: str) -> Claim:
    """Return the claim of a frame that a variable of the program holds."""
    name = plain_name(variable)
    return Claim(name, "result", f"variable {name}")


def claim_name(store: Store, claim: Claim) -> str:
    """Return the name itself, or with a number, if another thing has it."""
    return find_name(store, claim)[0]


def find_name(store: Store, claim: Claim) -> tuple[str, DatasetRecord | None]:
    """Return the name for a claim, and the newest version that is there under it."""
    for number in count(1):
        name = claim.name if number == 1 else f"{claim.name}_{number}"
        record = _current(store, name)
        if record is None:
            return name, None
        document = store.document(record, DOCUMENT)
        if document is not None and (document["kind"], document["place"]) == (claim.kind, claim.place):
            return name, record
    raise AssertionError("numbers do not end")


def plain_name(text: str) -> str:
    """Return a text as a name that SQL takes without quotes.

    >>> plain_name("2024 orders.csv.gz"), plain_name("spark_catalog.shop.items"), plain_name("***")
    ('_2024_orders', 'items', 'data')
    """
    words = re.sub(
        r"(\.(csv|tsv|txt|text|json|jsonl|ndjson|parquet|pq|orc|avro|gz|bz2|zst|snappy))+$", "", text.lower()
    )
    name = re.sub(r"\W+", "_", words.rsplit(".", 1)[-1]).strip("_")
    return f"_{name}" if name[:1].isdigit() else name or "data"


def _current(store: Store, name: str) -> DatasetRecord | None:
    try:
        record = store.current(name)
    except UnknownDataset:
        return None
    return None if isinstance(record, ForgottenRecord) else record
