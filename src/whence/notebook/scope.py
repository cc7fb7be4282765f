"""The names a cell sees, of datasets, parameters and functions; names are compared without regard to case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset
from whence.model.suggestion import suggest_dataset

T = TypeVar("T")


class Names(Mapping[str, T]):
    """A mapping that finds keys whatever their case, and keeps their spelling.

    >>> Names({"Parts": 1})["parts"], list(Names({"Parts": 1}))
    (1, ['Parts'])
    """

    def __init__(self, named: Mapping[str, T] | None = None) -> None:
        self._spelling = {key_of(name): name for name in named or {}}
        self._values = {key_of(name): value for name, value in (named or {}).items()}

    def __getitem__(self, name: str) -> T:
        return self._values[key_of(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._spelling.values())

    def __len__(self) -> int:
        return len(self._spelling)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and key_of(name) in self._spelling

    def __repr__(self) -> str:
        return f"Names({dict(self)!r})"


Scope = Names[DatasetRecord]
"""The dataset versions a cell sees, by name."""


def key_of(name: str) -> str:
    """Return the form in which names are compared."""
    return name.strip().lower()


def find_dataset(scope: Scope, name: object) -> DatasetRecord:
    """Return the dataset of this name, or raise an error that suggests names."""
    if isinstance(name, str) and name in scope:
        return scope[name]
    raise UnknownDataset(f"No dataset is named {name} where this cell stands.", suggest_dataset(name, scope))
