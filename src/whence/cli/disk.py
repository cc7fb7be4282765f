"""Formats the disk usage of a workspace for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from whence.store.garbage import Garbage
from whence.store.usage import Usage

_UNITS = ("B", "kB", "MB", "GB", "TB")


def usage_lines(usage: Usage) -> Iterator[str]:
    """Yield one line for each dataset version, then one for everything else that takes disk space."""
    table = [["dataset", "rows", "data", "lineage", "derived"]]
    table += [
        [each.label, f"{each.rows:,}", size(each.data), size(each.lineage), size(each.derived)]
        for each in usage.datasets
    ]
    yield from _aligned(table)
    yield ""
    others = {
        "source files": usage.files,
        "tmp (with what was derived)": usage.tmp,
        "database": usage.database,
        "set aside": usage.set_aside,
        "total": usage.total,
        "of which nothing uses": usage.reclaimable,
    }
    yield from _aligned([[name, size(count)] for name, count in others.items()])


def garbage_lines(found: Sequence[Garbage], root: Path, *, dry_run: bool) -> Iterator[str]:
    """Yield one line for each thing that is removed, then the total. What lies elsewhere is named by its whole path.

    >>> from whence.store.garbage import Garbage
    >>> for line in garbage_lines([Garbage(Path("/shared/x"), 5, "unused")], Path("/w"), dry_run=True):
    ...     print(line)
    /shared/x  5 B  unused
    5 B would go.
    """
    home = root.resolve()
    for item in found:
        place = item.path.relative_to(home) if item.path.is_relative_to(home) else item.path
        yield f"{place}  {size(item.bytes)}  {item.why}"
    total = size(sum(item.bytes for item in found))
    yield f"{total} {'would go' if dry_run else 'went'}." if found else "Nothing is unused."


def size(count: float) -> str:
    """Return a number of bytes as text with a unit.

    >>> size(1234567)
    '1.2 MB'
    """
    unit = 0
    while count >= 1000 and unit < len(_UNITS) - 1:
        count, unit = count / 1000, unit + 1
    return f"{count:.0f} {_UNITS[unit]}" if unit == 0 or count >= 100 else f"{count:.1f} {_UNITS[unit]}"


def _aligned(table: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for name, *numbers in table:
        yield "  ".join([name.ljust(widths[0]), *map(str.rjust, numbers, widths[1:])]).rstrip()
