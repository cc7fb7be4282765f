"""What is known about a dataset in the making; every stage after the first reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from whence.derive.capture import Capture
from whence.derive.request import Request
from whence.engine.engine import Query
from whence.model.dataset import Origin
from whence.model.ids import DatasetId
from whence.model.schema import Schema
from whence.store.runs import Run
from whence.store.store import Store


@dataclass(frozen=True)
class Derivation:
    """A request, the run that was begun for it, and the query as Spark understood it."""

    request: Request
    run: Run
    query: Query
    schema: Schema
    capture: Capture
    input_marks: Mapping[DatasetId, str]
    """The state of the marks of each input whose marks are not as they were stored."""
    fingerprint: str = ""
    """What the query is known by when it is asked again; empty if another run might give something else."""


@contextmanager
def begin_run(store: Store, origin: Origin, name: str) -> Iterator[Run]:
    """A run of the store; one that fails is abandoned with the reason."""
    run = store.begin(origin, name)
    try:
        yield run
    except BaseException as error:
        store.abandon(run, str(error) or type(error).__name__)
        raise
