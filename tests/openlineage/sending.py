"""A workspace without Spark that sends events; in a process of its own it is killed at a chosen moment."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from tests.store.making import make
from whence.lineage.edges import Edges
from whence.openlineage.delivery import Delivery
from whence.openlineage.receiver import Receiver, make_client
from whence.store import faults
from whence.store.store import Store


@dataclass(frozen=True)
class Sending:
    """An open store and the delivery of its events."""

    store: Store
    delivery: Delivery

    def make(self, name: str) -> None:
        """Make a dataset of two rows."""
        make(self.store, name, pa.table({"n": [1, 2]}))


@contextmanager
def sending(
    root: Path,
    receiver: Receiver,
    *,
    most_events: int = 1000,
    grace: float = 5.0,
    first_pause: float = 0.02,
    settings: Callable[[], Mapping[str, str]] = dict,
) -> Iterator[Sending]:
    """Open a workspace, send its events while the block runs, and close it as `ws.close` does."""
    store = Store.open(root)
    client = make_client(receiver)
    delivery = Delivery(
        store, Edges(store), client, "test", settings=settings, most_events=most_events, first_pause=first_pause
    )
    delivery.start()
    try:
        yield Sending(store, delivery)
    finally:
        delivery.close(grace)
        store.close()


def make_one_and_begin_another(root: Path, receiver: str, fault: str = "") -> None:
    """Make a dataset, begin to make another one, and stay until this process is killed."""
    os.environ[faults.VARIABLE] = fault
    with sending(root, receiver) as opened:
        opened.make("first")
        opened.store.begin("sql", "second")
        time.sleep(60)
