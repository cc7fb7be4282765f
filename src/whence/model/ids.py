"""Distinct types for the ids that layers exchange, so that the type checker tells them apart."""

from __future__ import annotations

import secrets
from typing import NewType

DatasetId = NewType("DatasetId", str)
"""The id of one immutable dataset version. It is never reused."""

RunId = NewType("RunId", str)
"""The id of one attempt to make a dataset. Its files are in staging until they are published."""

Rid = NewType("Rid", int)
"""The dense position 0..n-1 of a row inside one immutable dataset version."""


def new_dataset_id() -> DatasetId:
    """Return a random dataset id: 80 bits, so that two workspaces practically never make the same one."""
    return DatasetId(secrets.token_hex(10))


def new_run_id() -> RunId:
    """Return a random run id."""
    return RunId(secrets.token_hex(10))
