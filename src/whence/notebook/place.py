"""Finds the file that a cell names: in the working folder, or in the folder of the workspace."""

from __future__ import annotations

from pathlib import Path


def place_of(source: str, root: Path) -> str:
    """Return the path to read. A relative path that the working folder lacks is looked up in the workspace's folder.

    So a notebook still finds the files inside its workspace after the workspace was moved.
    """
    path = Path(source)
    if "://" in source or path.is_absolute() or path.exists():
        return source
    inside = root / path
    # The second check keeps `..` and symbolic links from leading out of the workspace.
    return str(inside) if inside.exists() and inside.resolve().is_relative_to(root.resolve()) else source
