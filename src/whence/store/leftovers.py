"""Finds files in quarantine and trash that hold the data of a given dataset or source file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from whence.store.layout import HIDDEN_KEYS, MANIFEST, Layout, entries


def leftovers(layout: Layout) -> Iterator[Path]:
    """Yield every folder or file that was set aside: quarantine/<kind>/<entry> and trash/<day>/<kind>/<entry>."""
    days = (day for trash in layout.trashes for day in entries(trash))
    for place in (layout.quarantine, *days):
        for kind in entries(place):
            yield from entries(kind)


def leftovers_of(layout: Layout, names: set[str], sources: set[str]) -> Iterator[Path]:
    """Yield those made under one of these names or from one of these source files, and those that cannot be read.

    Of lineage folders, yield the hashes of hidden keys, whatever they were made from.
    """
    for path in leftovers(layout):
        if path.parent.name == layout.lineages.name:
            # The rest is row numbers. The database no longer says from which datasets the hashed values came.
            yield from path.glob(f"{HIDDEN_KEYS}.arrow")
        elif path.name in sources or (path.is_dir() and _holds(path, names, sources)):
            yield path


def _holds(folder: Path, names: set[str], sources: set[str]) -> bool:
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        used = {source["sha256"] for source in manifest["sources"]}
        return str(manifest["name"]).lower() in names or bool(used & sources)
    except (OSError, ValueError, KeyError, TypeError):
        # Forgetting must leave nothing behind, so in doubt the folder goes.
        return True
