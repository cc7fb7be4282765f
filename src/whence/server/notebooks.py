"""Notebooks as the API shows them, and the events that the server publishes while their cells run."""

from __future__ import annotations

import hashlib
import json
import threading
from typing import TYPE_CHECKING
from urllib.parse import quote

from whence.model.errors import UnknownNotebook, UserError
from whence.notebook.display import PLOTLY, Display, Rich, Stream
from whence.notebook.parameter_values import read_parameters
from whence.notebook.schedule.events import Advanced, Changed, Estimated, Event, Shown
from whence.server.events import Events
from whence.server.makers import find_maker
from whence.staleness.highlights import Highlights
from whence.wire.datasets import DatasetVersion
from whence.wire.notebook_page import PageItemView
from whence.wire.notebooks import (
    CellProblem,
    CellView,
    DisplayView,
    MadeDataset,
    NotebookView,
    ProgressView,
    SessionView,
)
from whence.workspace.served import ServedWorkspace, SharedSnapshot, SharedVersion

if TYPE_CHECKING:
    from whence.model.page import PageItem
    from whence.workspace.notebook import Notebook
    from whence.workspace.notebook_cell import Cell

FRAMED = (PLOTLY, "text/html", "image/svg+xml", "text/markdown", "text/latex")
"""MIME types that could contain scripts or styles: the page shows them only in a sandboxed document."""
PLAIN = ("image/png", "image/jpeg", "image/gif", "text/plain", "application/json")
DRAWN = ("application/vnd.vega", "application/vnd.whence.")
"""Forms that the page draws itself, by how their names begin."""


class Notebooks:
    """The notebooks of one server. It publishes the events of a notebook from the first request for it."""

    def __init__(self, workspace: ServedWorkspace, events: Events) -> None:
        self._workspace = workspace
        self._events = events
        self._heard: set[str] = set()
        self._opening = threading.Lock()

    def open(self, name: str) -> Notebook:
        """Return a notebook, create it if it is missing, and listen to its events."""
        notebook = self._workspace.notebook(name)
        with self._opening:
            if notebook.name not in self._heard:
                self._heard.add(notebook.name)
                notebook.listen(lambda event: self._tell(notebook, event))
        return notebook

    def find(self, name: str) -> Notebook:
        """Return a notebook. Raise if there is none of this name."""
        names = self._workspace.notebooks()
        if name.strip().lower() not in {each.lower() for each in names}:
            raise UnknownNotebook(f"There is no notebook {name}.", f"There are: {', '.join(names) or 'none'}.")
        return self.open(name)

    def maker(self, dataset: str) -> tuple[Notebook, int] | None:
        """Return the notebook that makes a dataset, and the position of the cell."""
        return find_maker(self._workspace, dataset)

    def rename(self, name: str, new: str) -> Notebook:
        """Give a notebook another name."""
        notebook = self.find(name)
        old = notebook.name
        self._workspace.rename_notebook(old, new)
        self._heard = {notebook.name if each == old else each for each in self._heard}
        self._events.publish("notebook.renamed", {"notebook": old, "name": notebook.name})
        return notebook

    def drop(self, name: str) -> None:
        """Delete a notebook."""
        title = self.find(name).name
        self._workspace.drop_notebook(name)
        self._heard.discard(title)  # a new notebook of this name has another handle, to be listened to again
        self._events.publish("notebook.removed", {"notebook": title})

    def changed(self, notebook: Notebook) -> None:
        """Publish that a notebook has a new version, or that another branch is checked out."""
        data = {"notebook": notebook.name, "version": notebook.version, "branch": notebook.branch_name}
        self._events.publish("notebook.version", data)

    def _tell(self, notebook: Notebook, event: Event) -> None:
        """Publish an event of the runner of a notebook to all tabs."""
        about: dict[str, object] = {"notebook": notebook.name}
        data: dict[str, object]
        match event:
            case Changed():
                data = {"cell": event.cell, "status": event.state.status, "reason": event.state.reason}
                if event.state.status == "ready":
                    # A tab then asks for the first rows at once, and not only after it has read the notebook.
                    made = notebook.outputs_of(event.state.run).datasets
                    data["datasets"] = [{"name": name, "version": each.version} for name, each in made.items()]
                self._events.publish("cell.state", about | data)
            case Advanced():
                progress = event.progress
                data = {"cell": event.cell, "done": progress.done, "total": progress.total, "what": progress.what}
                # The key lets a later progress replace this one, so that progress does not push out other events.
                self._events.publish("cell.progress", about | data, key=f"{notebook.name}/{event.cell}")
            case Shown():
                view = display_view(notebook.name, event.cell, 0, event.display)
                self._events.publish("cell.output", about | {"cell": event.cell, "output": view.model_dump()})
            case Estimated():
                self._events.publish("run.estimate", about | {"seconds": event.seconds, "cells": list(event.cells)})


def notebook_view(notebook: Notebook | SharedVersion) -> NotebookView:
    """Return a notebook with all its cells, read at one moment."""
    snapshot = notebook.snapshot()
    return NotebookView(
        name=notebook.name,
        version=snapshot.version,
        branch=notebook.branch_name,
        branches=notebook.branches(),
        mode=notebook.mode,
        cells=[cell_view(notebook, cell) for cell in snapshot.cells],
        page=[PageItemView.of(item, _values_of(item, snapshot)) for item in snapshot.items],
        is_read_only=notebook.is_read_only,
    )


def _values_of(item: PageItem, snapshot: SharedSnapshot) -> list[object]:
    """Return what the parameters of an input are; None for one that its cell no longer sets."""
    if item.control is None:
        return []
    source = next((cell.values.get("source", "") for cell in snapshot.cells if cell.id == item.cell), "")
    try:
        given = read_parameters(source)
    except UserError:  # the cell itself says what is wrong with it
        given = {}
    return [given.get(name) for name in (item.name, item.control.until) if name]


def session_view(notebook: Notebook) -> SessionView:
    """Return the state of a session: which cells are stale, fresh or refreshers; none are if there is no session."""
    session = notebook.session
    now = session.highlights() if notebook.mode == "session" else Highlights()
    return SessionView(
        is_running=session.is_running,
        lost=session.lost,
        stale=sorted(now.stale),
        fresh=sorted(now.fresh),
        refresher=sorted(now.refresher),
        new_fresh=sorted(now.new_fresh),
        new_refresher=sorted(now.new_refresher),
        would_fail={cell: list(names) for cell, names in now.would_fail.items()},
        again=dict(now.again),
        reasons=dict(now.reasons),
    )


def cell_view(notebook: Notebook | SharedVersion, cell: Cell, version: int | None = None) -> CellView:
    """Return one cell with its outputs; `version` names the one it is from, if it is not the newest."""
    outputs, progress, error = cell.outputs, cell.progress, cell.error
    # A share link must not name datasets that it does not show.
    shown = {each.record.id for each in notebook.datasets} if notebook.is_read_only else None
    return CellView(
        id=cell.id,
        kind=cell.kind,
        values=cell.values,
        status=cell.status,
        reason=cell.reason,
        seconds=cell.seconds,
        progress=None if progress is None else ProgressView(**vars(progress)),
        error=None if error is None else CellProblem(**vars(error)),
        datasets=[
            MadeDataset(
                name=name,
                version=dataset.version,
                rows=dataset.count,
                is_doubtful=not dataset.caveats.doubt.is_certain,
            )
            for name, dataset in outputs.datasets.items()
        ],
        displays=[display_view(notebook.name, cell.id, n, each, version) for n, each in enumerate(outputs.displays)],
        reads=[
            DatasetVersion(name=parent.name, version=parent.version)
            for dataset in outputs.datasets.values()
            for parent in dataset.parents()
            if shown is None or parent.record.id in shown
        ],
    )


def display_view(notebook: str, cell: str, number: int, display: Display, version: int | None = None) -> DisplayView:
    """Return an output of a cell without anything that the page might execute. The rest is behind `frame`."""
    if isinstance(display, Stream):
        return DisplayView(stream=display.name, text=display.text)
    kept = {kind: value for kind, value in display.data.items() if kind in PLAIN or kind.startswith(DRAWN)}
    found = framed(display)
    if found is None:
        return DisplayView(data=kept)
    at = "" if version is None else f"&version={version}"
    return DisplayView(data=kept, frame=_frame_address(notebook, cell, number, *found) + at)


def _frame_address(notebook: str, cell: str, number: int, kind: str, text: str) -> str:
    """Return the address of the document of an output. It changes with the content, so that a page reloads it."""
    content = hashlib.sha256(f"{kind} {text}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
    place = f"/api/notebooks/{quote(notebook, safe='')}/cells/{quote(cell, safe='')}/frame"
    return f"{place}?output={number}&content={content}"


def framed(display: Display) -> tuple[str, str] | None:
    """Return the MIME type and text of the richest form of an output that needs a frame; None if it has none."""
    if not isinstance(display, Rich):
        return None
    return next(((kind, _as_text(display.data[kind])) for kind in FRAMED if kind in display.data), None)


def _as_text(form: object) -> str:
    return form if isinstance(form, str) else json.dumps(form)
