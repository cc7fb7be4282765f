"""The services that every run of an operator needs."""

from __future__ import annotations

from dataclasses import dataclass

from whence.arrays.inherited import FlagReader
from whence.derive.policy import CapturePolicy
from whence.store.store import Store


@dataclass(frozen=True)
class ApplyContext:
    """The store of a workspace, the reader of its doubt flags, and its policy for capturing lineage."""

    store: Store
    flags: FlagReader
    policy: CapturePolicy
