"""Records runs that failed before there was anything to run: a query that Spark cannot read, a check that stops."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from whence.model.dataset import Origin
from whence.model.errors import WhenceError
from whence.store.store import Store


@contextmanager
def record_failure(store: Store, origin: Origin, name: str) -> Iterator[None]:
    """Record a run that failed if the block raises an error of whence. The block must begin no run itself."""
    try:
        yield
    except WhenceError as error:
        # The name may be no name, or belong to a notebook: then there is no run of it, and the first error counts.
        with suppress(WhenceError):
            store.abandon(store.begin(origin, name), str(error))
        raise
