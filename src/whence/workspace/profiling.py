"""`whence.check_fd` and `whence.key_candidates`: dependencies between the columns of a dataset."""

from __future__ import annotations

from collections.abc import Sequence

from whence.workspace.dataset import Dataset
from whence.workspace.dependencies import FunctionalDependency


def check_fd(dataset: Dataset, text: str) -> FunctionalDependency:
    """Check a functional dependency such as "zip, street -> city"; NULL counts as a value. No Spark needed.

    >>> places = [("10", "Rye"), ("10", "Rye"), ("20", "Ely"), ("20", "Eli")]
    >>> towns = ws.create("towns", places, schema="zip string, city string")
    >>> found = whence.check_fd(towns, "zip -> city")
    >>> found, found.violations, found.rows(0).ids.tolist()
    (<zip -> city does not hold: 1 violations, 2 rows>,
     [Violation(left=('20',), rights=(('Ely',), ('Eli',)), rows=2)], [2, 3])
    """
    return dataset.check_fd(text)


def key_candidates(dataset: Dataset, most: int = 2, columns: Sequence[str] | None = None) -> list[tuple[str, ...]]:
    """Return the smallest sets of at most `most` columns that could be a key: no NULL, and no two rows alike.

    >>> seats = ws.create("seats", [(1, "a", 0), (1, "b", 0), (2, "a", 0)], schema="n int, letter string, z int")
    >>> whence.key_candidates(seats)
    [('n', 'letter')]
    """
    return dataset.key_candidates(most, columns)
