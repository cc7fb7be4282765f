"""What a test wants to see of a cleaned dataset."""

from __future__ import annotations

from collections import defaultdict

import whence

Place = tuple[int, str]


def rows(dataset: whence.Dataset) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in dataset.to_arrow().to_pylist()]


def marks(dataset: whence.Dataset) -> set[Place]:
    """Every marked cell, and (row, "_row") for every marked row."""
    table = dataset.caveats.marks().to_pydict()
    return {(number, column) for column, flags in table.items() for number, flag in enumerate(flags) if flag}


def messages(dataset: whence.Dataset, column: str | None) -> dict[int, str]:
    """Row -> what is said about this column there by the lens that made the dataset."""
    own = dataset._context.store.caveats(dataset.record)
    said: dict[int, list[str]] = defaultdict(list)
    for caveat in own:
        if caveat.column == column and caveat.row is not None:
            said[caveat.row].append(caveat.message)
    return {row: " ".join(texts) for row, texts in said.items()}


def raised(dataset: whence.Dataset) -> set[Place]:
    """Where the lens that made the dataset raised a caveat on a cell or row."""
    own = dataset._context.store.caveats(dataset.record)
    return {(caveat.row, caveat.column or "_row") for caveat in own if caveat.row is not None}


def origins(dataset: whence.Dataset) -> list[list[int]]:
    """For each row the rows of the input it came from."""
    assert dataset.lineage.exact
    made, came = dataset.lineage.pairs(dataset.parents()[0])
    found: list[list[int]] = [[] for _ in range(dataset.count)]
    for row, rid in zip(made.tolist(), came.tolist(), strict=True):
        found[row].append(rid)
    return [sorted(rids) for rids in found]


def each_its_own(dataset: whence.Dataset) -> bool:
    """Row i came from row i."""
    return origins(dataset) == [[number] for number in range(dataset.count)]
