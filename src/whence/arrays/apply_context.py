"""What every run of an operator works with."""

from __future__ import annotations

from dataclasses import dataclass

from whence.arrays.inherited import FlagReader
from whence.derive.policy import CapturePolicy
from whence.store.store import Store


@dataclass(frozen=True)
class ApplyContext:
    """The files of a workspace, the flags of its datasets, and its policy for capturing lineage."""

    store: Store
    flags: FlagReader
    policy: CapturePolicy
