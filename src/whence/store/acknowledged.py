"""The caveats that were acknowledged, by the keys that caveats keep across versions of a dataset."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlalchemy import delete, insert, select

from whence.store import tables
from whence.store.database import Database, now

CaveatKeys = npt.NDArray[np.void]
"""One item of 16 bytes for each caveat."""

KEY = np.dtype("V16")


@dataclass(frozen=True)
class Acknowledgement:
    """One decision to acknowledge some caveats of a dataset, in every version."""

    id: str
    note: str
    at: str
    keys: CaveatKeys


class Acknowledged:
    """The acknowledgements of one workspace, cached in memory after the first read."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, list[Acknowledgement]] | None = None
        self.epoch = 0
        """Counts changes, so that code which caches results of acknowledgements knows when to drop them."""

    @property
    def is_empty(self) -> bool:
        """Whether no caveat is acknowledged at present."""
        return not self._all()

    def of(self, name: str) -> list[Acknowledgement]:
        """Return the acknowledgements of a dataset name, oldest first."""
        return self._all().get(name.lower(), [])

    def fingerprint(self, names: set[str] | None) -> str:
        """Return a hash that changes when other caveats of these datasets (None: of all) are acknowledged."""
        known = self._all()
        chosen = sorted(known if names is None else known.keys() & names)
        facts = hashlib.sha256()
        for name in chosen:
            keys = sorted({key.tobytes() for each in known[name] for key in each.keys})
            facts.update(name.encode("utf-8", "surrogatepass") + b"\0" + b"".join(keys))
        return facts.hexdigest()[:32] if chosen else ""

    def add(self, name: str, keys: CaveatKeys, note: str) -> None:
        """Acknowledge these caveats."""
        row = {"id": secrets.token_hex(10), "name_key": name.lower(), "note": note, "at": now()}
        with self._database.write("commit-acknowledgement") as connection:
            connection.execute(insert(tables.acknowledgements).values(**row, keys=keys.tobytes()))
        self.reread()

    def copy(self, name: str, new: str) -> None:
        """Acknowledge the same caveats of a dataset that gets another name."""
        for each in self.of(name):
            self.add(new, each.keys, each.note)

    def remove(self, name: str, keys: CaveatKeys) -> None:
        """Take back the acknowledgement of these caveats, in every decision that contains them."""
        with self._database.write("commit-acknowledgement") as connection:
            for each in self.of(name):
                kept = each.keys[~np.isin(each.keys, keys)]
                table = tables.acknowledgements
                if len(kept) == 0:
                    connection.execute(delete(table).where(table.c.id == each.id))
                elif len(kept) < len(each.keys):
                    connection.execute(table.update().where(table.c.id == each.id).values(keys=kept.tobytes()))
        self.reread()

    def reread(self) -> None:
        """Drop the cached acknowledgements. The next access reads the database."""
        self._known = None
        self.epoch += 1

    def _all(self) -> dict[str, list[Acknowledgement]]:
        if self._known is None:
            known: dict[str, list[Acknowledgement]] = {}
            with self._database.read() as connection:
                for row in connection.execute(select(tables.acknowledgements).order_by(tables.acknowledgements.c.at)):
                    each = Acknowledgement(row.id, row.note, row.at, np.frombuffer(row.keys, dtype=KEY))
                    known.setdefault(row.name_key, []).append(each)
            self._known = known
        return self._known
