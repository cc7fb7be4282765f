"""Answers questions about which operators and queries made which datasets: the graph of datasets, not of cells.

The questions are those of the provenance query model in Wu's thesis, Section 2.3.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from whence.arrays.document import NAME
from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store


@dataclass(frozen=True)
class Step:
    """One run: the dataset it made, the operator or kind of query, and the datasets it read."""

    dataset: str
    operator: str
    inputs: tuple[str, ...]


@dataclass(frozen=True)
class Arguments:
    """The arguments, text, input shapes and running time of a run."""

    operator: str
    arguments: dict[str, Any] | None
    text: str
    code: str | None
    seconds: float | None
    shapes: tuple[tuple[int, ...], ...]
    origin: str


class Graph:
    """The datasets of a workspace, and the runs that made one from another."""

    def __init__(self, store: Store, trace: Trace) -> None:
        self._store = store
        self._trace = trace

    def steps(self, operator: str | None = None) -> list[Step]:
        """Return every run, or those of one operator; the versions of a dataset are in order."""
        every = [self._step(record) for record in self._versions() if record.parents]
        return [step for step in every if operator is None or step.operator.lower() == operator.lower()]

    def derived_from(self, record: DatasetRecord) -> list[Step]:
        """Return every run that used a dataset, directly or not: what to check if the dataset is corrupt."""
        wanted = {each.id for each in self._trace.descendants(record)}
        return [self._step(each) for each in self._versions() if each.id in wanted]

    def affected_by(self, operator: str) -> list[str]:
        """Return every dataset that depends on an operator: what to make again if the operator is faulty."""
        made = [each for each in self._versions() if each.parents and self._name(each).lower() == operator.lower()]
        found = {each.id for each in made}
        for each in made:
            found |= {after.id for after in self._trace.descendants(each)}
        return [each.label for each in self._versions() if each.id in found]

    def before(self, record: DatasetRecord) -> list[Step]:
        """Return the runs that made the inputs of a dataset."""
        return [self._step(each) for each in self._inputs(record) if each.parents]

    def inputs(self, record: DatasetRecord) -> list[str]:
        """Return the datasets from which a dataset was made directly."""
        return [each.label for each in self._inputs(record)]

    def sources(self, record: DatasetRecord) -> list[str]:
        """Return the loaded or created datasets that a dataset was made from, over all steps."""
        return [each.label for each in self._trace.ancestors(record) if not each.parents]

    def results(self, record: DatasetRecord) -> list[str]:
        """Return the final datasets made from one: those from which no other was made."""
        return [each.label for each in self._trace.descendants(record) if not self._store.children(each.id)]

    def paths(self, start: DatasetRecord, end: DatasetRecord) -> list[tuple[str, ...]]:
        """Return every path from a dataset to one made from it, as the labels of the datasets along it."""
        return sorted(tuple(path) for path in self._paths(end, start.id))

    def shared(self, one: DatasetRecord, other: DatasetRecord) -> list[str]:
        """Return the datasets that both were made from, the two themselves included, newest first."""
        mine = {each.id for each in (other, *self._trace.ancestors(other))}
        return [each.label for each in (one, *self._trace.ancestors(one)) if each.id in mine]

    def arguments(self, record: DatasetRecord) -> Arguments:
        """Return the arguments of the run that made a dataset."""
        content = self._store.document(record, NAME)
        if content is None:
            return Arguments(
                operator=self._name(record),
                arguments=None,
                text=record.text,
                code=None,
                seconds=None,
                shapes=(),
                origin=record.origin,
            )
        operator: dict[str, Any] = content["operator"]  # type: ignore[assignment]
        shapes = tuple(tuple(shape) for shape in content["inputs"])  # type: ignore[attr-defined]
        seconds = float(content["seconds"])  # type: ignore[arg-type]
        return Arguments(
            operator=operator["name"],
            arguments=operator["arguments"],
            text=record.text,
            code=operator["code"],
            seconds=seconds,
            shapes=shapes,
            origin=record.origin,
        )

    def _paths(self, record: DatasetRecord, start: DatasetId) -> Iterator[list[str]]:
        if record.id == start:
            yield [record.label]
            return
        for each in self._inputs(record):
            yield from ([*path, record.label] for path in self._paths(each, start))

    def _step(self, record: DatasetRecord) -> Step:
        return Step(record.label, self._name(record), tuple(each.label for each in self._inputs(record)))

    def _name(self, record: DatasetRecord) -> str:
        if record.origin != "operator":
            return record.origin
        content = self._store.document(record, NAME) or {}
        operator: dict[str, Any] = content.get("operator", {})  # type: ignore[assignment]
        return str(operator.get("name", "operator")).rpartition(".")[2]

    def _inputs(self, record: DatasetRecord) -> list[DatasetRecord]:
        return [self._store.by_id(parent) for parent in record.parents]

    def _versions(self) -> Iterator[DatasetRecord]:
        for current in self._store.datasets():
            for record in self._store.versions(current.name):
                if not isinstance(record, ForgottenRecord):
                    yield record
