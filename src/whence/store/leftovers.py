"""Finds files in quarantine and trash that hold the data of a given dataset or source file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from whence.store.layout import HIDDEN_KEYS, MANIFEST, Layout, entries


def leftovers(layout: Layout) -> Iterator[Path]:
    """Yield every folder or file that was set aside: quarantine/<kind>/<entry> and trash/<day>/<kind>/<entry>."""
    days = (day for trash in layout.trashes for day in entries(trash))
    for place in (layout.quarantine, *days):
        for kind in entries(place):
            yield from entries(kind)


def leftovers_of(layout: Layout, ids: Iterable[str], names: set[str], sources: set[str]) -> Iterator[Path]:
    """Yield what was set aside of these datasets, names and source files, and what cannot be read.

    Datasets made from these, at any distance, count too: they may hold copies of the rows. Of lineage folders, yield
    the hashes of hidden keys, whatever they were made from.
    """
    datasets = []
    for path in leftovers(layout):
        if path.parent.name == layout.lineages.name:
            # The rest is row numbers. The database no longer says from which datasets the hashed values came.
            yield from path.glob(f"{HIDDEN_KEYS}.arrow")
        elif path.is_dir():
            datasets.append(_Leftover.read(path))
        elif path.name in sources:
            yield path
    yield from _with_descendants(datasets, set(ids), names, sources)


@dataclass(frozen=True)
class _Leftover:
    """A dataset folder that was set aside, as far as its manifest can be read."""

    path: Path
    id: str
    name: str
    parents: frozenset[str]
    sources: frozenset[str]

    @classmethod
    def read(cls, path: Path) -> _Leftover | Path:
        """Return what the manifest says, or the path alone if it says nothing."""
        try:
            manifest = json.loads((path / MANIFEST).read_bytes())
            used = frozenset(source["sha256"] for source in manifest["sources"])
            return cls(path, manifest["id"], manifest["name"].lower(), frozenset(manifest["parents"]), used)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return path


def _with_descendants(
    datasets: list[_Leftover | Path], gone: set[str], names: set[str], sources: set[str]
) -> Iterator[Path]:
    """Yield the folders that must go, parents before the datasets made from them."""
    # Forgetting must leave nothing behind, so a folder goes if it cannot be read.
    yield from (each for each in datasets if isinstance(each, Path))
    waiting = [each for each in datasets if isinstance(each, _Leftover)]
    while found := [
        each for each in waiting if each.name in names or each.sources & sources or gone & {each.id, *each.parents}
    ]:
        yield from (each.path for each in found)
        gone |= {each.id for each in found}
        waiting = [each for each in waiting if each not in found]
