"""Loads data from any place: a path, the web, a Hadoop file system, a database, a table of Spark's catalog."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from whence.engine.engine import Engine
from whence.engine.frames import Frame
from whence.engine.hadoop import RemoteFile, fetch_files, has_files, list_files, parquet_frame
from whence.engine.load_in_tasks import InTasks
from whence.engine.watch import Step
from whence.loading.fetch import fetch, file_name, is_web_address
from whence.loading.from_tables import Credentials, draft_of_frame, load_catalog_table, load_jdbc_table
from whence.loading.iceberg_location import is_iceberg_address, metadata_in_catalog, table_name
from whence.loading.load import SPREAD_BYTES, LoadRequest, draft_of_path, draft_of_text, load_path, publish
from whence.loading.parquet_folder import SUFFIX, has_partitions, parquet_files, typed_files
from whence.loading.progress import Progress
from whence.loading.report import SourceFacts
from whence.loading.table_formats import FORMATS, table_format
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
    request: LoadRequest | None = None,
    credentials: Credentials | None = None,
    allow_private: bool = False,
) -> DatasetRecord:
    """Load what a place stands for as a new version of a dataset."""
    request = request or LoadRequest()
    called = name or name_for(place, request.table)
    if place is not None and is_iceberg_address(place):
        request = replace(request, origin=place)
        place = str(metadata_in_catalog(place))
    if place is not None and engine.process.reaches(Path(place)):
        request = replace(request, spread=lambda: InTasks(engine.session, _step(request)))
    else:
        request = replace(request, reaches=False)
    if (request.version is not None or request.timestamp is not None) and not (place and _is_on_disk(place)):
        raise BadInput("version= and timestamp= are for Delta and Iceberg tables on a disk.", "Leave them out.")
    if place is None:
        if request.table is None:
            raise BadInput("Neither a path nor a table is given.", 'For example: ws.load("parts.csv").')
        return load_catalog_table(store, engine, called, request)
    if place.startswith("jdbc:"):
        return load_jdbc_table(
            store, engine, place, name=called, request=request, credentials=credentials or Credentials()
        )
    if is_web_address(place):
        return publish(store, called, lambda run: _from_web(store, run, place, request, allow_private))
    found = _SCHEME.match(place)
    if found is None or found[1].lower() == "file":
        return _from_disk(store, engine, Path(place if found is None else place[len(found[0]) :]), called, request)
    return publish(store, called, lambda run: _from_hadoop(store, engine, run, place, request))


def _is_on_disk(place: str) -> bool:
    found = _SCHEME.match(place)
    return not place.startswith("jdbc:") and (found is None or found[1].lower() == "file")


def _step(request: LoadRequest | None) -> Step | None:
    return None if request is None or request.report is None else Progress(request.report).step


def name_for(place: str | None, table: str | None) -> str:
    """Return a name for a dataset that the user did not name.

    >>> name_for("data/Parts list.csv", None), name_for(None, "shop.orders"), name_for("iceberg://a/shop.items", None)
    ('parts_list', 'orders', 'items')
    """
    in_metadata = None if place is None else table_name(place)
    if table is not None or in_metadata is not None:
        stem = (table or in_metadata or "").rpartition(".")[2]
    else:
        last = file_name(place) if place and "://" in place else Path(place or "").name
        stem = re.sub(r"\.gz$", "", last, flags=re.IGNORECASE).rpartition(".")[0] or last
    return re.sub(r"\W+", "_", stem).strip("_").lower() or "data"


def _from_web(store: Store, run: Run, url: str, request: LoadRequest, allow_private: bool) -> Draft:
    path = fetch(url, run.staging / "download", allow_private, Progress(request.report))
    return draft_of_path(store, run, path, replace(request, origin=url.split("?")[0]))


def _from_disk(store: Store, engine: Engine, path: Path, name: str, request: LoadRequest) -> DatasetRecord:
    """Load a path. Folders of Parquet with partition columns in their names go through Spark, which can read those."""
    parquet = [] if table_format(path) is not None else parquet_files(path)
    if not parquet or not has_partitions(path, parquet):
        return load_path(store, path, name, request)
    if request.in_place:
        reason = "columns stand in the names of its folders"
        raise BadInput(f"The rows of {path} cannot be read where they lie: {reason}.", "Leave in_place= out.")
    return publish(store, name, lambda run: _from_partitions(engine, run, path, files=parquet, request=request))


def _from_partitions(engine: Engine, run: Run, path: Path, files: Sequence[Path], request: LoadRequest) -> Draft:
    """Let Spark read Parquet files in subfolders: where they are, or a copy if a confined Spark does not see them."""
    found = _remote_files(files)
    if engine.process.reaches(path):
        frame = parquet_frame(engine.session, f"file://{path.resolve()}", found)
    else:
        folder = run.staging / "download"
        frame = parquet_frame(engine.session, f"file://{folder}", _remote_files(_copies(path, files, folder)))
    return _draft_of_parquet(engine, run, frame, place=str(path.resolve()), files=found, request=request)


def _remote_files(files: Iterable[Path]) -> list[RemoteFile]:
    return [RemoteFile(f"file://{file.resolve()}", file.name, file.stat().st_size) for file in files]


def _copies(path: Path, files: Sequence[Path], folder: Path) -> Iterator[Path]:
    """Copy files into a folder, under the same subfolders, and yield the copies."""
    for file in files:
        copy = folder / file.relative_to(path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(file, copy)
        except OSError as error:
            raise BadInput(f"{file} cannot be copied: {error.strerror}.") from error
        yield copy


def _from_hadoop(store: Store, engine: Engine, run: Run, place: str, request: LoadRequest) -> Draft:
    """Load from a Hadoop file system.

    Spark reads Parquet itself. Other files are fetched, in tasks if they are large, and read here.
    """
    found = list_files(engine.session, place)
    form = next((each for each in FORMATS if has_files(engine.session, f"{place.rstrip('/')}/{each.sign}")), None)
    if form is not None:
        raise BadInput(f"{place} is {form.name}, which is loaded from a disk only.", "Load it with Spark and its jar.")
    if request.in_place:
        raise BadInput(f"The rows of {place} cannot be read where they lie.", "Leave in_place= out.")
    if all(file.name.lower().endswith(SUFFIX) for file in found):
        frame = parquet_frame(engine.session, place, found)
        return _draft_of_parquet(engine, run, frame, place=place, files=found, request=request)
    is_large = sum(file.size for file in found) > SPREAD_BYTES
    step, folder = Progress(request.report).step, run.staging / "download"
    files = fetch_files(engine.session, found, folder, in_tasks=is_large, step=step)
    request = replace(request, origin=place, spread=lambda: InTasks(engine.session, step))
    if len(files) == 1 or typed_files(folder):
        return draft_of_path(store, run, files[0] if len(files) == 1 else folder, request)
    return draft_of_text(store, run, folder, files, request)


def _draft_of_parquet(
    engine: Engine, run: Run, frame: Frame, place: str, files: Sequence[RemoteFile], request: LoadRequest
) -> Draft:
    facts = hashlib.sha256("".join(f"{file.address} {file.size}\n" for file in files).encode()).hexdigest()
    source = SourceFacts(place, facts, sum(file.size for file in files))
    return draft_of_frame(engine, run, frame, source, request)
