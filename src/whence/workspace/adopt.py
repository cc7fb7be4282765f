"""`whence.adopt`: makes a dataset of a frame of any program, in a workspace that it finds or opens itself."""

from __future__ import annotations

import atexit
import os
import sys
from pathlib import Path

from whence.engine.frames import Frame, PandasOnSpark, frame_of
from whence.workspace.dataset import Dataset
from whence.workspace.open import open
from whence.workspace.workspace import Workspace

VARIABLE = "WHENCE_WORKSPACE"
_ATTRIBUTE = "_whence_workspaces"  # Spark's context owns them, so that they live exactly as long as it


def adopt(
    df: Frame | PandasOnSpark,
    name: str | None = None,
    workspace: Workspace | str | os.PathLike[str] | None = None,
) -> Dataset:
    """Make a dataset of a frame of any local Spark session. The files, tables and rows that it reads become sources.

    `workspace` is an open workspace or a folder. Without it, the folder is what the environment variable
    WHENCE_WORKSPACE says, else the program's name with the ending .whence, next to it, else `adopted.whence` here.
    `dataset.workspace_path` names it.

    >>> from pathlib import Path
    >>> parts = Path("parts.csv").resolve()
    >>> _ = parts.write_text("part,n\\nbolt,4\\nnut,1\\nbolt,6\\n")
    >>> frame = ws.spark.read.csv(str(parts), header=True).groupBy("part").count().orderBy("part")
    >>> kept = whence.adopt(frame, name="counted", workspace=ws)
    >>> kept.to_arrow().to_pylist(), kept.lineage.backward([0], to="parts").ids.tolist(), kept.lineage.exact
    ([{'part': 'bolt', 'count': 2}, {'part': 'nut', 'count': 1}], [0, 2], True)
    """
    if isinstance(workspace, Workspace):
        return workspace.adopt(df, name)
    return open_for(df, workspace).adopt(df, name)


def open_for(df: Frame | PandasOnSpark, path: str | os.PathLike[str] | None = None) -> Workspace:
    """Return the workspace of a folder on the Spark of a frame. It stays open until the program ends."""
    session = frame_of(df).sparkSession
    folder = Path(default_folder() if path is None else path).resolve()
    known: dict[Path, Workspace] = session.sparkContext.__dict__.setdefault(_ATTRIBUTE, {})
    if folder not in known:
        known[folder] = open(folder, spark=session)
        atexit.register(_close, known[folder])
    return known[folder]


def _close(workspace: Workspace) -> None:
    """Close a workspace at the end of the program, unless its folder was a temporary one that has gone before."""
    if workspace.path.exists():
        workspace.close()


def default_folder() -> Path:
    """Return the folder of the workspace of a program that names none."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    program = getattr(sys.modules["__main__"], "__file__", None)
    return Path("adopted.whence") if program is None else Path(program).with_suffix(".whence")
