"""The IPython extension `whence`: the magic `%%whence`, tables of datasets, and answers to clicks on their values."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

from IPython.core.formatters import BaseFormatter
from IPython.core.interactiveshell import InteractiveShell

from whence.engine.active_session import find_or_start_session
from whence.engine.frame_actions import observe_actions
from whence.engine.frames import Frame, Session, is_frame
from whence.engine.program_java import prepare_java
from whence.jupyter.kept_frames import KeptFrames
from whence.jupyter.magic_line import MagicLine, read_magic_line
from whence.jupyter.origin_comm import OriginComm
from whence.jupyter.run_code import CellCode
from whence.jupyter.shown_tables import ShownTables
from whence.workspace.adopt import open_for
from whence.workspace.context import Context
from whence.workspace.dataset import Dataset
from whence.workspace.workspace import Workspace

MAGIC = "whence"
_ATTRIBUTE = "whence_extension"  # the shell owns it, so that several shells may live in one process


class Extension:
    """A loaded extension."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.tables = ShownTables()
        self._shell = shell
        self._comm = OriginComm(self.tables)
        self._frames = KeptFrames(self.tables, self._show)
        self._told_folders: set[Path] = set()

    def start(self) -> None:
        """Offer the magic, and show datasets as tables whose values can be clicked."""
        prepare_java()
        self._shell.magics_manager.register_function(self.run_cell, "cell", MAGIC)
        self._formatter.for_type(Dataset, self.tables.html)
        self._comm.start()

    def stop(self) -> None:
        """Leave the shell as it was."""
        self._shell.magics_manager.magics["cell"].pop(MAGIC, None)
        self._formatter.pop(Dataset, None)
        self._comm.stop()

    def run_cell(self, line: str, cell: str) -> object:
        """`%%whence`: run PySpark code as it is, and show its frames as tables that know their sources.

        `%%whence sql` runs a query; `%%whence sql NAME` names the result. `--workspace FOLDER` says where to keep it.
        """
        __tracebackhide__ = "__ipython_bottom__"
        asked = read_magic_line(line)
        number = self._shell.execution_count
        self._frames.begin(self._context(asked.workspace), number)
        if asked.is_sql:
            return self._keep(self._session().sql(cell.strip().rstrip(";")), asked.name or f"out_{number}", 1)
        return self._run_python(asked, cell, number)

    def _run_python(self, asked: MagicLine, text: str, number: int) -> object:
        __tracebackhide__ = "__ipython_bottom__"
        code = CellCode(self._shell, text)
        name = asked.name or code.last_variable or f"out_{number}"
        with observe_actions(code.file, self._frames.watch, self._frames.take_back):
            value = code.run()
        return self._keep(value, name, code.last_line) if is_frame(value) else value

    def _keep(self, frame: object, name: str, line: int) -> object:
        """Return the dataset of a frame, which Jupyter then shows; the frame itself if it cannot be kept."""
        assert is_frame(frame)
        return self._frames.keep(frame, name, line) or frame

    def _context(self, named: str | None) -> Callable[[Frame], Context]:
        held = self._shell.user_ns.get(named or "")
        if isinstance(held, Workspace):
            return lambda frame: held.context
        return lambda frame: self._opened(frame, None if named is None else Path(named)).context

    def _opened(self, frame: Frame, folder: Path | None) -> Workspace:
        """Return the workspace of a folder. If whence chose the folder, say so once."""
        workspace = open_for(frame, folder)
        if folder is None and workspace.path not in self._told_folders:
            self._told_folders.add(workspace.path)
            sys.stdout.write(f"whence: frames are kept in {workspace.path}\n")
        return workspace

    def _session(self) -> Session:
        held = self._shell.user_ns.get("spark")
        return held if isinstance(held, Session) else find_or_start_session()

    def _show(self, dataset: Dataset, rows: int) -> None:
        self._shell.display_pub.publish({"text/html": self.tables.html(dataset, rows), "text/plain": repr(dataset)})

    @property
    def _formatter(self) -> BaseFormatter:
        return cast(BaseFormatter, self._shell.display_formatter.formatters["text/html"])  # type: ignore[union-attr]


def load(shell: InteractiveShell) -> Extension:
    """Load the extension into a shell, unless it is loaded already, and return it."""
    loaded: Extension | None = getattr(shell, _ATTRIBUTE, None)
    if loaded is None:
        loaded = Extension(shell)
        loaded.start()
        setattr(shell, _ATTRIBUTE, loaded)
    return loaded


def unload(shell: InteractiveShell) -> None:
    """Take the magic away, and answer no more clicks."""
    loaded: Extension | None = getattr(shell, _ATTRIBUTE, None)
    if loaded is not None:
        loaded.stop()
        delattr(shell, _ATTRIBUTE)
