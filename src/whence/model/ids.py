"""Distinct types for the ids that travel between layers, so that one cannot be passed for another."""

from __future__ import annotations

import secrets
from typing import NewType

DatasetId = NewType("DatasetId", str)
"""Names one immutable dataset version, for ever."""

RunId = NewType("RunId", str)
"""Names one attempt to make a dataset; its files live in staging until they are published."""

Rid = NewType("Rid", int)
"""The dense position 0..n-1 of a row inside one immutable dataset version."""


def new_dataset_id() -> DatasetId:
    """A fresh random dataset id: 80 bits, so two workspaces never make the same one."""
    return DatasetId(secrets.token_hex(10))


def new_run_id() -> RunId:
    """A fresh random run id."""
    return RunId(secrets.token_hex(10))
