"""Many problems in little memory: stored as columns, turned into objects one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from typing import overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.problems import FAMILY, Problem
from whence.loading.words import Rows
from whence.store.caveat_file import SCHEMA as CAVEATS
from whence.store.caveat_file import Caveats

_SCHEMA = pa.schema(
    [
        ("row", pa.int64()),
        ("column", pa.string()),
        ("line", pa.int64()),
        ("text", pa.string()),
        ("kind", pa.string()),
        ("message", pa.string()),
        ("low", pa.string()),
        ("high", pa.string()),
    ]
)
_BATCH = 10_000


class Problems(Sequence[Problem]):
    """A sequence of problems, stored as columns."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> Problems:
        """Return problems, given as objects, as columns."""
        columns = list(zip(*(astuple(problem) for problem in problems), strict=True)) or [()] * len(_SCHEMA)
        return cls(pa.table([pa.array(c, f.type) for c, f in zip(columns, _SCHEMA, strict=True)], schema=_SCHEMA))

    @classmethod
    def of_caveats(cls, caveats: Caveats, runs: Sequence[Sequence[object]]) -> Problems:
        """Return the problems that became these caveats. `runs` lists the kinds in order, with the count of each."""
        kinds = np.repeat([str(kind) for kind, _ in runs] or [""], [int(str(count)) for _, count in runs] or [0])
        columns = {name: pa.array(kinds) if name == "kind" else caveats.table[name] for name in _SCHEMA.names}
        return cls(pa.table(columns, schema=_SCHEMA))

    @classmethod
    def joined(cls, parts: Iterable[Problems]) -> Problems:
        """Join several lists of problems in order."""
        return cls(pa.concat_tables([_SCHEMA.empty_table(), *(part.table for part in parts)]))

    def moved(self, rows: int) -> Problems:
        """Return the problems with row numbers raised by `rows`."""
        return self if not rows else Problems(self.table.set_column(0, "row", pc.add(self.table["row"], rows)))

    def renamed(self, names: Mapping[str, str]) -> Problems:
        """Return the problems with columns renamed."""
        changed = {old: new for old, new in names.items() if old != new}
        if not changed or not len(self):
            return self
        columns = self.table["column"]
        for old, new in changed.items():
            columns = pc.if_else(pc.fill_null(pc.equal(columns, old), False), pa.scalar(new), columns)
        return Problems(self.table.set_column(1, "column", columns))

    def with_file(self, file: str) -> Problems:
        """Return the problems with the file's name before each message."""
        named = pc.binary_join_element_wise(pa.scalar(file), self.table["message"], ": ")
        return Problems(self.table.set_column(5, "message", named))

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of problems of each kind, most frequent first."""
        counted = [(each["values"].as_py(), each["counts"].as_py()) for each in self.table["kind"].value_counts()]
        return dict(sorted(counted, key=lambda each: -each[1]))

    @property
    def runs(self) -> list[tuple[str, int]]:
        """Return the kinds in order, with neighbours of the same kind counted together."""
        found: list[tuple[str, int]] = []
        for chunk in self.table["kind"].chunks:
            ends = pc.run_end_encode(chunk)
            sizes = np.diff(ends.run_ends.to_numpy(), prepend=0).tolist()
            found += zip(ends.values.to_pylist(), sizes, strict=True)
        return found

    def flagged_rows(self) -> dict[str | None, Rows]:
        """Return the doubtful rows by column. None stands for doubt about the row itself."""
        placed = self.table.filter(self.table["row"].is_valid())
        encoded = placed["column"].combine_chunks().dictionary_encode()
        keys, rows = encoded.indices.fill_null(-1).to_numpy(), placed["row"].to_numpy()
        order = np.argsort(keys, kind="stable")
        found, starts = np.unique(keys[order], return_index=True)
        names: list[str] = encoded.dictionary.to_pylist()
        groups = np.split(rows[order], starts[1:])
        return {
            None if key < 0 else names[key]: np.unique(group)
            for key, group in zip(found, groups, strict=len(found) > 0)
        }

    def as_caveats(self) -> Caveats:
        """Return the problems as caveats of the dataset."""
        known = {name: self.table[name] for name in self.table.column_names}
        known["family"] = pa.repeat(FAMILY, len(self))
        columns = [known.get(field.name, pa.nulls(len(self), field.type)) for field in CAVEATS]
        return Caveats(pa.table(columns, schema=CAVEATS))

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @overload
    def __getitem__(self, index: int) -> Problem: ...
    @overload
    def __getitem__(self, index: slice) -> Problems: ...
    def __getitem__(self, index: int | slice) -> Problem | Problems:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            return Problems(self.table.take(pa.array(range(start, stop, step), pa.int64())))
        place = range(len(self))[index]
        return Problem(**self.table.slice(place, 1).to_pylist()[0])

    def __iter__(self) -> Iterator[Problem]:
        for batch in self.table.to_batches(max_chunksize=_BATCH):
            for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                yield Problem(*values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} problems>"


def as_problems(problems: Sequence[Problem]) -> Problems:
    """Return the problems as columns."""
    return problems if isinstance(problems, Problems) else Problems.of(problems)
