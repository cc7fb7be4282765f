from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from whence.store.store import Store

if TYPE_CHECKING:
    from pyiceberg.catalog.sql import SqlCatalog


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "w")
    yield opened
    opened.close()


@pytest.fixture
def catalog(tmp_path: Path) -> SqlCatalog:
    from pyiceberg.catalog.sql import SqlCatalog

    made = SqlCatalog("shop", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}/warehouse")
    made.create_namespace("db")
    return made
