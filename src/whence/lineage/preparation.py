"""Prepares lineage for expected questions, reads what was prepared before, and answers the same without preparing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import pyarrow as pa

from whence.engine.engine import Engine
from whence.lineage.block import Ids
from whence.lineage.codes import Codes, encode
from whence.lineage.partitioned_lineage import PartitionedLineage
from whence.lineage.prepared_files import ExpectedQuestion, PreparedFiles
from whence.lineage.selection import Selection
from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, UnknownColumn
from whence.store.store import Store


class LineagePreparation:
    """The prepared lineage of one workspace: made, read and kept."""

    def __init__(self, store: Store, engine: Engine, trace: Trace) -> None:
        self._store = store
        self._engine = engine
        self._trace = trace
        self.files = PreparedFiles(store)

    def question_for(
        self, target: DatasetRecord, by: Sequence[str], measures: Sequence[str], where: str | None
    ) -> ExpectedQuestion:
        """Return the question in a normal form, by which prepared files are found."""
        has_expression = where is not None or any(target.schema.position(name) is None for name in by)
        zone = self._engine.zone if has_expression else ""
        return ExpectedQuestion(target.id, tuple(by), tuple(measures), where, zone)

    def check_question(self, target: DatasetRecord, said: Mapping[str, object]) -> ExpectedQuestion:
        """What a user expects, checked: `by` and perhaps `measures` and `where`."""
        odd = [name for name in said if name not in ("by", "measures", "where")]
        if odd:
            raise BadInput(f"A question has no {odd[0]}.", "It has by, measures and where.")
        by, measures = (_names(said.get(name, ())) for name in ("by", "measures"))
        for name in measures:
            if target.schema.position(name) is None:
                raise UnknownColumn(
                    f"{target.label} has no column {name}.", f"It has {', '.join(target.schema.names)}."
                )
        where = said.get("where")
        return self.question_for(target, by, measures, None if where is None else str(where))

    def parts(self, record: DatasetRecord, expected: ExpectedQuestion, *, keep: bool) -> PartitionedLineage:
        """Return prepared lineage, from a file of any session or made now; `keep` also writes it to a file."""
        found = self.files.read(record, expected)
        if found is not None:
            return found
        ids = self.files.read(record, replace(expected, measures=())) if expected.measures else None
        made = self.make(record, expected) if ids is None else ids.with_measures(self._measures(expected))
        if keep and self.can_be_kept(expected):
            self.files.write(record, expected, made)
        return made

    def can_be_kept(self, expected: ExpectedQuestion) -> bool:
        """Whether its expressions give the same values in a later session."""
        target = self._store.by_id(expected.target)
        expressions = [name for name in expected.by if target.schema.position(name) is None]
        expressions += [] if expected.where is None else [expected.where]
        reads = self._engine.reads(lambda: self._engine.frame(target), expressions) if expressions else []
        return all(each.is_repeatable for each in reads)

    def make(self, record: DatasetRecord, expected: ExpectedQuestion) -> PartitionedLineage:
        """Sort the ids behind each row by attributes, and add measures up."""
        target = self._store.by_id(expected.target)
        outs, rids = self._trace.pairs(record, target)
        if expected.where is not None:
            mask = np.zeros(target.rows, dtype=bool)
            mask[self._engine.rids_where(target, expected.where)] = True
            outs, rids = outs[mask[rids]], rids[mask[rids]]
        return PartitionedLineage.of(
            outs, rids, self._attributes(target, expected.by), self._measures(expected), record.rows
        )

    def filter_rows(
        self, record: DatasetRecord, expected: ExpectedQuestion, rows: Ids, where: Mapping[str, object]
    ) -> Ids:
        """The rows behind these that have these values, found without anything prepared."""
        target = self._store.by_id(expected.target)
        behind = self._trace.backward(record, Selection.of(rows, record.rows), target).ids
        if expected.where is not None:
            behind = np.intersect1d(behind, np.array(self._engine.rids_where(target, expected.where), dtype=np.int64))
        mask = np.ones(len(behind), dtype=bool)
        for name, value in where.items():
            codes = self._attributes(target, [name])[name]
            mask &= codes.numbers[behind] == codes.place(value)
        found: Ids = behind[mask]
        return found

    def add_up(self, expected: ExpectedQuestion, rids: Ids) -> pa.Table:
        """Totals of measures by all attributes over these rows, read and grouped."""
        target = self._store.by_id(expected.target)
        columns = {
            f"k{n}": codes.values.take(pa.array(codes.numbers[rids]))
            for n, codes in enumerate(self._attributes(target, expected.by).values())
        }
        taken = self._store.take(target, rids, list(expected.measures))
        columns |= {f"m{n}": taken.column(n) for n in range(len(expected.measures))}
        table = pa.table({**columns, "one": pa.array(np.ones(len(rids), dtype=np.int64))})
        keys, measures = [f"k{n}" for n in range(len(expected.by))], [f"m{n}" for n in range(len(expected.measures))]
        wanted = [(name, total) for name in measures for total in ("sum", "min", "max", "count")]
        return table.group_by(keys).aggregate([("one", "sum"), *wanted])

    def _measures(self, expected: ExpectedQuestion) -> dict[str, pa.ChunkedArray]:
        target = self._store.by_id(expected.target)
        return {name: self._store.read(target, 0, target.rows, [name]).column(0) for name in expected.measures}

    def _attributes(self, target: DatasetRecord, by: Sequence[str]) -> dict[str, Codes]:
        """Columns as they are stored; anything else is an expression for Spark."""
        found: dict[str, Codes] = {}
        asked = [name for name in by if target.schema.position(name) is None]
        computed = self._engine.compute(target, asked) if asked else None
        for name in by:
            if computed is not None and name in asked:
                found[name] = encode(computed.column(asked.index(name)))
            else:
                found[name] = encode(self._store.read(target, 0, target.rows, [name]).column(0))
        return found


def _names(said: object) -> list[str]:
    return [said] if isinstance(said, str) else [str(each) for each in cast("Iterable[object]", said)]
