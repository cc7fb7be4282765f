"""Short forms in which hand-written tests read answers: rows with their sources, rows with their marks."""

from typing import TYPE_CHECKING

from tests.oracles.expressions import Values

if TYPE_CHECKING:
    from whence import Dataset


def values(ds: "Dataset") -> list[Values]:
    return [tuple(row.values()) for row in ds.rows(0, ds.count).to_pylist()]


def sources(ds: "Dataset", table: str) -> list[tuple[Values, list[int]]]:
    """Each row with the row ids of one table behind it, in a fixed order."""
    found = [(row, ds.lineage.backward([n], to=table).ids.tolist()) for n, row in enumerate(values(ds))]
    return sorted(found, key=repr)


def marked(ds: "Dataset") -> dict[Values, set[str]]:
    """Each row, all of them different, with the names marked in it."""
    table = ds.caveats.marks().to_pylist()
    return {
        row: {name for name, doubtful in marks.items() if doubtful}
        for row, marks in zip(values(ds), table, strict=True)
    }
