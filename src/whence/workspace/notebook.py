"""`Notebook`: the handle of a notebook, whose cells exchange datasets and whose every edit makes a version."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Literal

from whence.model.notebook import CellId, CellVersion, Entry
from whence.model.plural import counted
from whence.notebook.exchange.jupyter import to_jupyter
from whence.notebook.exchange.text import to_text
from whence.notebook.versions.edits import ReplaceAll
from whence.store.shares import shares_of
from whence.workspace.dataset import Dataset
from whence.workspace.notebook_control import NotebookControl
from whence.workspace.notebook_editor import NotebookEditor
from whence.workspace.notebook_files import read_content, write_script
from whence.workspace.notebook_history import NotebookHistory
from whence.workspace.notebook_results import find_doubtful, read_results
from whence.workspace.notebook_session import NotebookSession
from whence.workspace.report.write import write_report
from whence.workspace.share import Share, make_share


class Notebook(NotebookEditor, NotebookControl, NotebookHistory):
    """A list of cells with a history. If you edit a cell, exactly the cells that depend on it run again.

    >>> tour = ws.notebook("tour")
    >>> numbers = tour.append("sql", source="select explode(sequence(1, 4)) as n", name="numbers")
    >>> total = tour.append("sql", source="select sum(n) as total from numbers", name="total")
    >>> tour.wait()
    <Notebook tour: 2 cells, branch main, version 2>
    >>> ws["total"].to_arrow().to_pylist(), total.status
    ([{'total': 10}], 'ready')

    `append`, `update` and the other edits are in `NotebookEditor`; `run` and `wait` in `NotebookControl`; `branch` and
    `restore` in `NotebookHistory`; `cells` in `NotebookReader`.
    """

    is_read_only: Literal[False] = False

    @property
    def session(self) -> NotebookSession:
        """The variables that Python cells share if `mode` is "session": which are stale, and how to leave again."""
        return NotebookSession(self, lambda: self._open.shared)

    def become_workflow(self, cells: Sequence[tuple[CellId, CellVersion]]) -> None:
        """Leave the session: make these cells a new version and switch the mode to "auto". Nothing runs."""
        # In this order: setting the mode hands the cells to the runner, which must see the new ones.
        items = {entry.cell: entry.items for entry in self._open.entries}
        entries = tuple(Entry(cell, said.hash, items=items.get(cell, ())) for cell, said in cells)
        self._open.commit_all(ReplaceAll(entries, "workflow"), [each for _, each in cells])
        self.mode = "auto"

    def results(self, version: int | None = None) -> dict[str, Dataset]:
        """Return the final datasets of a version, by default the newest, by name and as far as its cells ran.

        >>> nb = ws.notebook("ending")
        >>> _ = nb.append("sql", source="select 1 as x", name="end")
        >>> nb.wait().results()
        {'end': <Dataset end@1: 1 row x 1 column>}
        """
        return read_results(self._open, version)

    def doubtful(self) -> list[Dataset]:
        """Return the final datasets of the notebook that have caveats which are not acknowledged."""
        return find_doubtful(self._open)

    def share(self, version: int | None = None, *, days: float | None = 30) -> Share:
        """Make a link through which others read one version with its present results, and nothing else.

        >>> nb = ws.notebook("for others")
        >>> _ = nb.append("markdown", source="# Prices")
        >>> link = nb.wait().share(days=7)
        >>> link.version, [each.id == link.id for each in nb.shares()]
        (1, [True])
        >>> link.revoke()
        >>> nb.shares()
        []
        """
        chosen = self.version if version is None else version
        states = self.runner.states_of(self._open.book.cells(chosen))
        return make_share(self._open.context.store, self._open.record.id, chosen, states, days)

    def shares(self) -> list[Share]:
        """Return the links to versions of this notebook that are still valid, oldest first."""
        with self._open.context.store.database.read() as connection:
            records = shares_of(connection, self._open.record.id)
        return [Share(self._open.context.store, record) for record in records]

    @property
    def text(self) -> str:
        """The notebook as text that diffs well line by line. `ws.read_notebook` reads it back."""
        return to_text(read_content(self._open))

    def export(self, path: str | os.PathLike[str], *, outputs: bool = False) -> None:
        """Write the notebook to a file: as a Jupyter notebook (.ipynb), as a plain PySpark script (.py), else as text.

        Data that no query can make goes into a folder `data` beside a script, which reads it from there. A Jupyter
        notebook contains what its cells showed only if `outputs` is True.

        >>> nb = ws.notebook("exported")
        >>> _ = nb.append("sql", source="select 1 as x", name="one")
        >>> nb.wait().export("one.py")
        >>> Path("one.py").read_text().splitlines()[-1]
        "name('one', spark.sql('select 1 as x'))"
        """
        target = Path(path)
        content = read_content(self._open)
        match target.suffix.lower():
            case ".ipynb":
                shown = [cell.outputs.displays for cell in self.cells] if outputs else None
                text = to_jupyter(content, shown)
            case ".py":
                text = write_script(self._open, target)
            case _:
                text = to_text(content)
        target.write_bytes(text.encode("utf-8"))

    def report(self, path: str | os.PathLike[str], *, redact: Collection[str] = ()) -> None:
        """Write the notebook as one HTML file for someone without whence; it needs no network and has at most 5 MB.

        Every value opens what is in doubt about it, how it came about, and up to 100 rows of the files behind it.
        `redact` names columns, as `column` or `dataset.column`, whose values must not be seen; what code printed and
        drew is then left out, too. `ws.verify_report` says later which values still hold.

        >>> nb = ws.notebook("reported")
        >>> _ = nb.append("sql", source="select 1 as x", name="one_row")
        >>> nb.wait().report("report.html")
        >>> print(ws.verify_report("report.html"))
        1 values: 1 holds
        """
        write_report(self._open.context, self.name, self.cells, Path(path), redact)

    def __repr__(self) -> str:
        cells = counted(len(self._open.entries), "cell")
        return f"<Notebook {self.name}: {cells}, branch {self.branch_name}, version {self.version}>"
