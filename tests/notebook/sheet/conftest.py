"""The workspace that tests of sheets share: a sheet needs no Spark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import whence


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[whence.Workspace]:
    """A workspace that never starts Spark."""
    with whence.open(tmp_path / "sheet.whence") as workspace:
        yield workspace
        assert not workspace.is_engine_running
