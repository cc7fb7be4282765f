"""`whence.open`: opens a workspace folder with the Spark it runs on and the place of its data."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from whence.engine.engine import Engine
from whence.engine.frames import Session
from whence.engine.masters import is_local, master_of
from whence.engine.profile import Profile
from whence.model.errors import UserError
from whence.store.storage import storage_of
from whence.store.store import Store
from whence.workspace.send_events import client_for
from whence.workspace.workspace import Workspace


def open(
    path: str | os.PathLike[str],
    master: str = "local[*]",
    spark: Session | None = None,
    max_dataset_bytes: int | None = None,
    storage: str | os.PathLike[str] | None = None,
    settings: Mapping[str, str] | None = None,
    profile: Profile = "library",
    openlineage: str | Mapping[str, object] | None = None,
) -> Workspace:
    """Open a workspace folder and create it if it is missing. Spark starts when it is first needed.

    A dataset may take `max_dataset_bytes` on the disk, or a third of what is free there. A master other than local
    needs `storage`, a folder that this machine and all executors see under one path. The first call chooses it for
    good. `settings` are Spark's own and override those of whence (`{"spark.ui.enabled": "true"}`). The first workspace
    of a process starts Spark. The profile "server" is for cells that other people write: whence checks their queries,
    and Python cells may use PySpark. "confined" also keeps Spark, and so those cells, within the workspace's files.
    `openlineage` names who hears of each run: an address, the path of a file, "console", "client" for what the library
    of OpenLineage is configured to use, or the settings of one of its transports.

    >>> with whence.open("letters.whence") as letters:
    ...     letters.create("abc", [("a",), ("b",)], schema="letter string").count
    2
    """
    runs_on = master if spark is None else master_of(spark)
    if storage is None and not is_local(runs_on) and storage_of(Path(path).resolve()) is None:
        raise UserError(
            f"A workspace on {runs_on} needs a place that all its executors can write to.",
            "Pass storage=, a folder that this machine and all of them see under one path.",
        )
    if profile == "confined" and not is_local(runs_on):
        raise UserError(
            f"Only Spark on this machine can be confined, and {runs_on} runs elsewhere.",
            'Pass profile="server", and let the cluster limit what its executors may do.',
        )
    client = client_for(openlineage)
    store = Store.open(Path(path), max_dataset_bytes, None if storage is None else os.fspath(storage))
    try:
        make_engine = partial(Engine, store, master=master, caller=spark, settings=settings, profile=profile)
        return Workspace(store, lambda flags: make_engine(flags=flags), client)
    except BaseException:  # also on Ctrl-C: otherwise this process would hold the lock of the folder until it ends
        store.close()
        raise
