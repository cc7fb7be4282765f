"""Where a file lies that a cell names: here, or among what was brought into the workspace."""

from __future__ import annotations

from pathlib import Path


def place_of(source: str, root: Path) -> str:
    """The path to read; a relative one that is not here is looked for in the workspace, which may have been moved."""
    path = Path(source)
    if "://" in source or path.is_absolute() or path.exists():
        return source
    inside = root / path
    return str(inside) if inside.exists() and inside.resolve().is_relative_to(root.resolve()) else source
