"""Python cells without Spark: a workspace that never starts it, and a pool of warm workers for the whole module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pytest

from whence.engine.confine.confine import Limits
from whence.engine.engine import Engine
from whence.loading.create import create
from whence.notebook.cell import CellContext, CellResult, Function
from whence.notebook.control import RunControl
from whence.notebook.run_cell import run_cell
from whence.notebook.scope import Names
from whence.notebook.workers.pool import Pool
from whence.store.store import Store


class RunPython(Protocol):
    """Runs a text as a Python cell."""

    store: Store
    pool: Pool

    def __call__(
        self,
        source: str,
        *,
        pool: Pool | None = None,
        control: RunControl | None = None,
        parameters: dict[str, object] | None = None,
        functions: dict[str, Function] | None = None,
        files: Path | None = None,
        prelude: bool = False,
    ) -> CellResult: ...


class _Runner:
    def __init__(self, store: Store, pool: Pool) -> None:
        self.store = store
        self.pool = pool
        self._engine = Engine(store, "local[2]")

    def __call__(
        self,
        source: str,
        *,
        pool: Pool | None = None,
        control: RunControl | None = None,
        parameters: dict[str, object] | None = None,
        functions: dict[str, Function] | None = None,
        files: Path | None = None,
        prelude: bool = False,
    ) -> CellResult:
        context = CellContext(
            self.store,
            self._engine,
            Names({record.name: record for record in self.store.datasets()}),
            Names(parameters),
            Names(functions),
            files,
            control or RunControl(),
            workers=pool or self.pool,
        )
        return run_cell(context, "python", {"source": source, "prelude": prelude})


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunPython]:
    store = Store.open(tmp_path_factory.mktemp("cells") / "cells.whence")
    create(store, "parts", pa.table({"id": [1, 2, 3, 4], "price": [2.5, None, 4.0, 1.5], "name": list("abcd")}))
    create(store, "secret", pa.table({"word": ["xyzzy"]}))
    pool = Pool(store.layout.temporary, Limits(3 << 30))
    pool.warm_up()
    yield _Runner(store, pool)
    pool.close()
    store.close()
