"""Routes about one notebook: read it, edit, run and cancel its cells, and work with its versions and its session."""

from __future__ import annotations

from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Path, Query, Request

from whence.model.errors import UserError, WhenceError
from whence.server.access import access
from whence.server.notebooks import Notebooks, cell_view, notebook_view, session_view
from whence.server.routers import new_router
from whence.server.row_difference import row_difference
from whence.server.shared import SharedOfRequest, notebook_of_link
from whence.server.wiring import WholeWorkspace
from whence.wire.notebooks import (
    AskUpstream,
    CancelCells,
    CellComparison,
    CellView,
    ChangedCell,
    ChangedColumn,
    Checkout,
    Comparison,
    ConflictView,
    DatasetComparison,
    Edited,
    ModeChange,
    MovedCell,
    NewBranch,
    NewCell,
    NotebookView,
    RemovedCell,
    Restore,
    RunCells,
    SessionView,
    UpstreamView,
    VersionView,
    WorkflowView,
)

if TYPE_CHECKING:
    from whence.workspace.notebook import Notebook

router = new_router()


async def _notebooks(request: Request) -> Notebooks:
    notebooks: Notebooks = request.app.state.notebooks
    return notebooks


Books = Annotated[Notebooks, Depends(_notebooks)]
Name = Annotated[str, Path(min_length=1, max_length=200)]
CellName = Annotated[str, Path(min_length=1, max_length=200)]
AtVersion = Annotated[int, Query(ge=0, le=2**31)]
AnyVersion = Annotated[int, Path(ge=0, le=2**31)]


_NOT_VALUES = frozenset({"self", "cell", "kind", "position", "base_version", "command_id"})
"""Arguments of the edits themselves: as values they would be passed twice, since values go in as keyword arguments."""


def _cell_values(asked: NewCell | ChangedCell) -> dict[str, object]:
    """Return the values for the cell. Raise if one has the name of an argument of the edit itself."""
    if wrong := sorted(_NOT_VALUES & asked.values.keys()):
        raise UserError(f"{wrong[0]} is no value of a cell.", "Give it beside `values`.")
    return asked.values


@router.get("/api/notebooks/{name}")
@access("share")
def read_notebook(books: Books, name: Name, shared: SharedOfRequest) -> NotebookView:
    """Return a notebook with its cells as they are now; through a share link, as they were when the link was made."""
    return notebook_view(books.find(name) if shared is None else notebook_of_link(shared, name))


@router.post("/api/notebooks/{name}/remove")
@access("session")
def remove_notebook(books: Books, workspace: WholeWorkspace, name: Name) -> list[str]:
    """Delete a notebook with its history. Return the notebooks that are left."""
    books.drop(name)
    return workspace.notebooks()


@router.post("/api/notebooks/{name}/cells")
@access("session")
def add_cell(books: Books, name: Name, asked: NewCell) -> Edited:
    """Add a cell. It runs at once unless it is a draft or the notebook is lazy."""
    notebook = books.find(name)
    base = {"base_version": asked.base_version, "command_id": asked.command_id}
    if asked.is_draft:
        if asked.values:
            raise UserError("A draft begins empty.", "Change the cell to fill it in.")
        cell = notebook.add_draft(asked.kind, asked.position, **base)  # type: ignore[arg-type]
    elif asked.position is None:
        cell = notebook.append(asked.kind, **base, **_cell_values(asked))  # type: ignore[arg-type]
    else:
        cell = notebook.insert(asked.position, asked.kind, **base, **_cell_values(asked))  # type: ignore[arg-type]
    books.changed(notebook)
    return Edited(version=notebook.version, cell=cell_view(notebook, cell))


@router.post("/api/notebooks/{name}/cells/{cell}/change")
@access("session")
def change_cell(books: Books, name: Name, cell: CellName, asked: ChangedCell) -> Edited:
    """Change a cell. The status is 409 if someone else changed it since the base version; both texts are kept."""
    notebook = books.find(name)
    base = {"base_version": asked.base_version, "command_id": asked.command_id}
    made = notebook.update(cell, kind=asked.kind, **base, **_cell_values(asked))  # type: ignore[arg-type]
    books.changed(notebook)
    return Edited(version=notebook.version, cell=cell_view(notebook, made))


@router.post("/api/notebooks/{name}/cells/{cell}/remove")
@access("session")
def remove_cell(books: Books, name: Name, cell: CellName, asked: RemovedCell) -> Edited:
    """Delete a cell. Earlier versions still have it."""
    notebook = books.find(name)
    notebook.delete(cell, base_version=asked.base_version, command_id=asked.command_id)
    books.changed(notebook)
    return Edited(version=notebook.version, cell=None)


@router.post("/api/notebooks/{name}/cells/{cell}/move")
@access("session")
def move_cell(books: Books, name: Name, cell: CellName, asked: MovedCell) -> Edited:
    """Move a cell to another position."""
    notebook = books.find(name)
    notebook.move(cell, asked.position, base_version=asked.base_version, command_id=asked.command_id)
    books.changed(notebook)
    return Edited(version=notebook.version, cell=cell_view(notebook, notebook.cell(cell)))


@router.post("/api/notebooks/{name}/cells/{cell}/freeze")
@access("session")
def freeze_cell(books: Books, name: Name, cell: CellName) -> Edited:
    """Freeze a cell: it keeps its results, whatever changes in the cells above it."""
    notebook = books.find(name)
    notebook.freeze(notebook.cell(cell))
    books.changed(notebook)
    return Edited(version=notebook.version, cell=cell_view(notebook, notebook.cell(cell)))


@router.post("/api/notebooks/{name}/cells/{cell}/thaw")
@access("session")
def thaw_cell(books: Books, name: Name, cell: CellName) -> Edited:
    """Let a frozen cell run again."""
    notebook = books.find(name)
    notebook.thaw(notebook.cell(cell))
    books.changed(notebook)
    return Edited(version=notebook.version, cell=cell_view(notebook, notebook.cell(cell)))


@router.post("/api/notebooks/{name}/run")
@access("session")
def run_cells(books: Books, name: Name, asked: RunCells) -> NotebookView:
    """Run cells. Events tell how they get on."""
    notebook = books.find(name)
    if asked.cell is not None and asked.what == "below":
        ids = [cell.id for cell in notebook.cells]
        for cell in notebook.cells[ids.index(notebook.cell(asked.cell).id) :]:
            if cell.status not in ("frozen", "draft"):
                notebook.run(cell, again=asked.again)
    elif asked.cell is not None and asked.what == "upstream" and notebook.mode == "session":
        _run_upstream(notebook, asked.cell)
    elif asked.cell is not None:
        notebook.run(notebook.cell(asked.cell), again=asked.again)
    elif asked.what == "stale":
        notebook.run_stale()
    else:
        notebook.run(again=asked.again)
    return notebook_view(notebook)


def _run_upstream(notebook: Notebook, cell: str) -> None:
    """Run a cell and what it needs in a thread: each cell waits for the one before, and the request must not wait."""
    notebook.session.upstream(cell)  # what cannot be asked for is said at once

    def run() -> None:
        with suppress(WhenceError):  # the session ended meanwhile
            notebook.session.run_with_upstream(cell)

    Thread(target=run, name="whence-upstream", daemon=True).start()


@router.post("/api/notebooks/{name}/cancel")
@access("session")
def cancel_cells(books: Books, name: Name, asked: CancelCells) -> NotebookView:
    """Stop cells. Their results from earlier runs stay."""
    notebook = books.find(name)
    notebook.cancel(None if asked.cell is None else notebook.cell(asked.cell), hard=asked.hard)
    return notebook_view(notebook)


@router.post("/api/notebooks/{name}/mode")
@access("session")
def set_mode(books: Books, name: Name, asked: ModeChange) -> NotebookView:
    """Set whether edits run the cells that they make stale, or only mark them."""
    notebook = books.find(name)
    notebook.mode = asked.mode
    books.changed(notebook)
    return notebook_view(notebook)


@router.get("/api/notebooks/{name}/session")
@access("session")
def read_session(books: Books, name: Name) -> SessionView:
    """Return the state of the session: whether variables exist, and which cells are out of date."""
    return session_view(books.find(name))


@router.post("/api/notebooks/{name}/session/restart")
@access("session")
def restart_session(books: Books, name: Name) -> SessionView:
    """End the interpreter with all its variables. The next Python cell starts a new one."""
    notebook = books.find(name)
    notebook.session.restart()
    return session_view(notebook)


@router.post("/api/notebooks/{name}/session/upstream")
@access("session")
def find_upstream(books: Books, name: Name, asked: AskUpstream) -> UpstreamView:
    """Return the cells to run, in order, so that a cell of a session uses nothing out of date."""
    found = books.find(name).session.upstream(asked.cell)
    return UpstreamView(cells=list(found.cells), unresolved=list(found.unresolved))


@router.post("/api/notebooks/{name}/session/workflow")
@access("session")
def make_workflow(books: Books, name: Name) -> WorkflowView:
    """Turn a session into a notebook whose cells share no variables, as a new version, if some order allows it."""
    notebook = books.find(name)
    found = notebook.session.to_workflow()
    if found.ok:
        books.changed(notebook)
    return WorkflowView(
        ok=found.ok,
        cells=list(found.cells),
        conflicts=[ConflictView(symbol=c.symbol, cells=list(c.cells), reason=c.reason) for c in found.conflicts],
        notebook=notebook_view(notebook),
    )


@router.get("/api/notebooks/{name}/history")
@access("session")
def read_history(books: Books, name: Name) -> list[VersionView]:
    """Return every version of every branch, oldest first."""
    return [VersionView.of(record) for record in books.find(name).history()]


@router.get("/api/notebooks/{name}/versions/{version}")
@access("session")
def read_version(books: Books, name: Name, version: AnyVersion) -> list[CellView]:
    """Return the cells of a version with the results they had. A cell whose inputs have changed since is stale."""
    notebook = books.find(name)
    return [cell_view(notebook, cell, version) for cell in notebook.snapshot_of(version).cells]


@router.get("/api/notebooks/{name}/compare")
@access("session")
def compare_versions(books: Books, name: Name, before: AtVersion, after: AtVersion) -> Comparison:
    """Compare two versions: their cells with the texts, and their final datasets as far as the cells ran."""
    found = books.find(name).compare(before, after)
    return Comparison(
        before=before,
        after=after,
        cells=[
            CellComparison(cell=each.cell, change=each.change, kind=said.kind, diff=each.diff)
            for each in found.cells
            if (said := each.after or each.before) is not None
        ],
        datasets=[
            DatasetComparison(
                name=each.name,
                rows_before=each.rows[0],
                rows_after=each.rows[1],
                columns=[
                    ChangedColumn(column=column, before=was, after=now) for column, (was, now) in each.columns.items()
                ],
                values=row_difference(each),
            )
            for each in found.datasets
        ],
    )


@router.post("/api/notebooks/{name}/branches")
@access("session")
def make_branch(books: Books, name: Name, asked: NewBranch) -> NotebookView:
    """Make a branch that begins at any version."""
    notebook = books.find(name)
    notebook.branch(asked.name, asked.at)
    books.changed(notebook)
    return notebook_view(notebook)


@router.post("/api/notebooks/{name}/checkout")
@access("session")
def check_out(books: Books, name: Name, asked: Checkout) -> NotebookView:
    """Switch to another branch: to its cells, and in the workspace to its datasets."""
    notebook = books.find(name).checkout(asked.branch)
    books.changed(notebook)
    return notebook_view(notebook)


@router.post("/api/notebooks/{name}/restore")
@access("session")
def restore_version(books: Books, name: Name, asked: Restore) -> NotebookView:
    """Bring an earlier version back, as a new one."""
    notebook = books.find(name)
    notebook.restore(asked.version)
    books.changed(notebook)
    return notebook_view(notebook)
