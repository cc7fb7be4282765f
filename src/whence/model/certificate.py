"""The certificate of forgotten rows: what went, what was made again, how it was verified, what is out of reach."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, Self

State = Literal["begun", "done"]


@dataclass(frozen=True)
class ForgottenRows:
    """The rows that went from one dataset version. `hashes` are keyed hashes of the rows: see `Certificate.covers`."""

    version: str
    rows_before: int
    rows_after: int
    hashes: tuple[str, ...]


@dataclass(frozen=True)
class Certificate:
    """What `ws.forget(..., where=...)` did. It holds no value of a forgotten row and no text of the condition."""

    id: str
    at: str
    dataset: str
    condition: str
    """The keyed hash of the condition."""
    rows: tuple[ForgottenRows, ...]
    made_again: tuple[str, ...] = ()
    """Versions that were computed again without the rows."""
    deleted: Mapping[str, str] = field(default_factory=dict)
    """Versions that could not be computed again and were deleted, each with the reason."""
    removed: tuple[str, ...] = ()
    """What else went, a sentence each: source files, pending sheets, results of notebook cells."""
    verified: tuple[str, ...] = ()
    out_of_reach: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    """The ids of the versions that are gone."""
    state: State = "begun"
    key: str = field(default="", repr=False)
    """The key of the hashes. Only the caller has it: the copy in the workspace has none."""

    @property
    def count(self) -> int:
        """The number of rows that went, from all versions together."""
        return sum(each.rows_before - each.rows_after for each in self.rows)

    def covers(self, row: Mapping[str, object], key: str = "") -> bool:
        """Whether a row with exactly these values is among those that went. It takes the key of the certificate."""
        hashed = keyed_hash(key or self.key, row_text(row))
        return any(hashed in each.hashes for each in self.rows)

    def to_json(self) -> dict[str, object]:
        """Return the certificate as JSON data, without the key."""
        return {name: value for name, value in asdict(self).items() if name != "key"}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """Return the certificate that `to_json` wrote."""
        rows = tuple(ForgottenRows(**{**each, "hashes": tuple(each["hashes"])}) for each in content["rows"])
        lists = ("made_again", "removed", "verified", "out_of_reach", "replaced")
        return cls(**{**content, "rows": rows, **{name: tuple(content[name]) for name in lists}})

    def with_deleted(self, failed: Mapping[str, str]) -> Self:
        """Return the certificate of a forgetting that deletes some versions which it was to make again."""
        made_again = tuple(label for label in self.made_again if label not in failed)
        return replace(self, made_again=made_again, deleted={**self.deleted, **failed})

    def finished(self, *verified: str) -> Self:
        """Return the certificate of a forgetting that is complete, with a sentence for each check."""
        return replace(self, state="done", verified=verified)

    def __str__(self) -> str:
        lines = [f"{each.version}: {each.rows_before} rows before, {each.rows_after} after" for each in self.rows]
        lines += [f"made again: {label}" for label in self.made_again]
        lines += [f"deleted: {label}, because {why}" for label, why in self.deleted.items()]
        lines += [f"removed: {sentence}" for sentence in self.removed]
        lines += [f"verified: {sentence}" for sentence in self.verified]
        lines += [f"out of reach: {sentence}" for sentence in self.out_of_reach]
        return "\n".join(lines)


def keyed_hash(key: str, text: str) -> str:
    """Return a hash that nobody can compute, or test a guess with, without the key."""
    return hmac.new(bytes.fromhex(key), text.encode(), hashlib.sha256).hexdigest()


def row_text(row: Mapping[str, object]) -> str:
    """Return the text of a row that is hashed: its names and values as JSON."""
    return json.dumps({name: row[name] for name in sorted(row)}, default=str)
