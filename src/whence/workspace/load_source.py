"""Loads a source for `ws.load`, with its credentials, its reading options and a report of progress."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from whence.loading.options import Options
from whence.loading.progress import Report
from whence.loading.progress_bar import shown_progress
from whence.model.dataset import DatasetRecord
from whence.model.lazy_module import LazyModule
from whence.workspace.context import Context

if TYPE_CHECKING:
    import whence.loading.anywhere as anywhere
    import whence.loading.from_tables as from_tables
    import whence.loading.load as load_file
else:
    # Readers of files and tables load with the first file.
    anywhere = LazyModule("whence.loading.anywhere")
    from_tables = LazyModule("whence.loading.from_tables")
    load_file = LazyModule("whence.loading.load")


def load_source(
    context: Context,
    path: str | os.PathLike[str] | None,
    *,
    name: str | None,
    key: str | None,
    options: Options,
    sheet: str | None,
    table: str | None,
    user_from: str | None,
    password_from: str | None,
    allow_private: bool,
    in_place: bool | None,
    version: int | str | None,
    timestamp: str | None,
    progress: Report | None,
) -> DatasetRecord:
    """Load a file, folder, address or table as a new dataset version; the arguments are those of `ws.load`."""
    with shown_progress(progress) as report:
        return anywhere.load_anywhere(
            context.store,
            context.engine,
            None if path is None else os.fspath(path),
            name=name,
            request=load_file.LoadRequest(
                key, options, sheet, table, report, in_place=in_place, version=version, timestamp=timestamp
            ),
            credentials=from_tables.Credentials(user_from, password_from),
            allow_private=allow_private,
        )
