"""Finds files in quarantine and trash that hold the data of a given dataset or source file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from whence.store.layout import MANIFEST, Layout, entries


def leftovers(layout: Layout) -> Iterator[Path]:
    """Yield every folder or file that was set aside: quarantine/<kind>/<entry> and trash/<day>/<kind>/<entry>."""
    days = (day for trash in layout.trashes for day in entries(trash))
    for place in (layout.quarantine, *days):
        for kind in entries(place):
            yield from entries(kind)


def leftovers_of(layout: Layout, names: set[str], sources: set[str]) -> Iterator[Path]:
    """Yield those made under one of these names or from one of these source files, and those that cannot be read."""
    for path in leftovers(layout):
        if path.name in sources or (path.is_dir() and _holds(path, names, sources)):
            yield path


def _holds(folder: Path, names: set[str], sources: set[str]) -> bool:
    if folder.parent.name == "lineage":
        return False  # row numbers. Hidden keys in a rowkeys.arrow are not looked for
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        used = {source["sha256"] for source in manifest["sources"]}
        return str(manifest["name"]).lower() in names or bool(used & sources)
    except (OSError, ValueError, KeyError, TypeError):
        # Forgetting must leave nothing behind, so in doubt the folder goes.
        return True
