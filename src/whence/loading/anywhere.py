"""Data from anywhere: a path, the web, a Hadoop file system, a database, a table of Spark's catalog."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from whence.engine.engine import Engine
from whence.engine.hadoop import fetch_files
from whence.engine.load_in_tasks import InTasks
from whence.loading.fetch import fetch, file_name, is_web_address
from whence.loading.from_tables import Credentials, load_catalog_table, load_jdbc_table
from whence.loading.load import How, draft_of_path, draft_of_text, load_path, publish
from whence.loading.progress import Progress
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput
from whence.store.draft import Draft
from whence.store.runs import Run
from whence.store.store import Store

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]+)://")


def load_anywhere(
    store: Store,
    engine: Engine,
    place: str | None,
    name: str | None = None,
    how: How | None = None,
    credentials: Credentials | None = None,
    allow_private: bool = False,
) -> DatasetRecord:
    """Load what a place stands for as a new version of a name."""
    how = how or How()
    if place is not None and engine.reaches(Path(place)):
        how = replace(how, spread=lambda: InTasks(engine.session))
    called = name or name_for(place, how.table)
    if place is None:
        if how.table is None:
            raise BadInput("Neither a path nor a table is given.", 'For example: ws.load("parts.csv").')
        return load_catalog_table(store, engine, called, how)
    if place.startswith("jdbc:"):
        return load_jdbc_table(store, engine, place, called, how, credentials or Credentials())
    if is_web_address(place):
        return publish(store, called, lambda run: _from_web(store, run, place, how, allow_private))
    found = _SCHEME.match(place)
    if found is None:
        return load_path(store, Path(place), called, how)
    if found[1].lower() == "file":
        return load_path(store, Path(place[len(found[0]) :]), called, how)
    return publish(store, called, lambda run: _from_hadoop(store, engine, run, place, how))


def name_for(place: str | None, table: str | None) -> str:
    """What to call a dataset nobody named.

    >>> name_for("data/Parts list.csv", None), name_for(None, "shop.orders")
    ('parts_list', 'orders')
    """
    if table is not None:
        stem = table.rpartition(".")[2]
    else:
        last = file_name(place) if place and "://" in place else Path(place or "").name
        stem = re.sub(r"\.gz$", "", last, flags=re.IGNORECASE).rpartition(".")[0] or last
    return re.sub(r"\W+", "_", stem).strip("_").lower() or "data"


def _from_web(store: Store, run: Run, url: str, how: How, allow_private: bool) -> Draft:
    path = fetch(url, run.staging / "download", allow_private, Progress(how.report))
    return draft_of_path(store, run, path, replace(how, origin=url.split("?")[0]))


def _from_hadoop(store: Store, engine: Engine, run: Run, place: str, how: How) -> Draft:
    files = fetch_files(engine.session, place, run.staging / "download")
    how = replace(how, origin=place)
    if len(files) == 1:
        return draft_of_path(store, run, files[0], how)
    return draft_of_text(store, run, run.staging / "download", files, how)
