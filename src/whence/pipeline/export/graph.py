"""Streams the provenance of a pipeline as PROV statements: entities, activities and relations, each once.

An entity is a value, named by record, feature and the state in which it was written (0 for the input), or a cell of
another dataset that a step read. Memory holds only the state in which each value was last written, by feature and
record, and which cells of other datasets have an entity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from whence.lineage.block import Ids
from whence.model.ids import DatasetId
from whence.pipeline.compare import Mask
from whence.pipeline.features import Feature, Features
from whence.pipeline.questions.invalidations import removed
from whence.pipeline.sources import statistic_rows, templates_of
from whence.pipeline.step import PipelineStep
from whence.pipeline.table_states import NO_ID
from whence.pipeline.trail import Trail
from whence.transformations.template import Read, Reading, Template

Kind = Literal["entity", "activity", "used", "wasGeneratedBy", "wasDerivedFrom", "wasInvalidatedBy"]
KINDS: tuple[Kind, ...] = ("entity", "activity", "used", "wasGeneratedBy", "wasDerivedFrom", "wasInvalidatedBy")
ExportReading = Reading | Literal["template"]
"""`template` follows the published templates: a transformation writes whole columns, a repair what it repairs."""


@dataclass(frozen=True)
class Entities:
    """Values of one feature; `states` holds, for each record, the state in which its value was written."""

    feature: int
    records: Ids
    states: Ids

    def only(self, mask: Mask) -> Entities:
        """Return the elements for which the mask holds."""
        return Entities(self.feature, self.records[mask], self.states[mask])


@dataclass(frozen=True)
class Others:
    """Cells of one column of another dataset that a step read; `dataset` is its number among such datasets."""

    dataset: int
    column: int
    records: Ids

    def only(self, mask: Mask) -> Others:
        """Return the elements for which the mask holds."""
        return Others(self.dataset, self.column, self.records[mask])


@dataclass(frozen=True)
class Values:
    """New entities and their values; `dataset` is the label of the other dataset whose cells they are, else empty."""

    entities: Entities | Others
    column: str
    values: list[object]
    dataset: str = ""


@dataclass(frozen=True)
class StatisticEntity:
    """A statistic, as an entity of its own."""

    name: str
    said: str


@dataclass(frozen=True)
class Activity:
    """What an operation did under one template."""

    name: str
    step: int
    kind: str
    description: str


@dataclass(frozen=True)
class Relation:
    """Statements of one kind, element by element. A text names an activity or statistic, the same in all of them."""

    kind: Kind
    left: Entities | str
    right: Entities | Others | str


Statement = Values | StatisticEntity | Activity | Relation


class Graph:
    """The PROV statements about a pipeline; `wanted` limits them to some entities."""

    def __init__(
        self,
        trail: Trail,
        features: Features,
        reading: ExportReading = "template",
        wanted: dict[int, npt.NDArray[np.bool_]] | None = None,
    ) -> None:
        self._trail = trail
        self._features = features
        self._reading = reading
        self._wanted = wanted
        self._others: list[DatasetId] = []
        self._told: dict[tuple[int, int], Mask] = {}
        """The cells of other datasets that have an entity already, by dataset and column."""

    def statements(self) -> Iterator[Statement]:
        """Yield the statements in the order in which things happened."""
        # A notation in sections reads all statements once for each kind, so every pass starts anew.
        self._told = {}
        count = self._trail.record_count
        states = [np.full(count, NO_ID, dtype=np.int32) for _ in self._features.all]
        for number, feature in enumerate(self._features.all):
            if feature.born == NO_ID:
                records = np.arange(self._trail.input.rows, dtype=np.int64)
                states[number][records] = 0
                yield from self._values(number, feature, records, 0, records)
        for step in self._trail.steps:
            yield from self._step(step, states)

    def _step(self, step: PipelineStep, states: list[npt.NDArray[np.int32]]) -> Iterator[Statement]:
        before = self._by_name(step.index)
        after = self._by_name(step.index + 1)
        activities = _activities(step)
        yield from activities
        # All templates of a step read the values before it, also where another template overwrites them.
        old = [array.copy() for array in states] if step.plan.templates or step.makes_new_rows else states
        makers: dict[str, str] = {}
        for number, template in enumerate(step.plan.templates):
            activity = activities[number].name
            makers |= dict.fromkeys(template.writes, activity)
            for column in template.columns:
                # `<name` is the activity that reads a column; it invalidates the column's values if the step drops it.
                makers.setdefault(f"<{column}", activity)
            yield from self._template(
                step, number, template, activity=activity, before=before, after=after, old=old, states=states
            )
        if step.makes_new_rows:
            yield from self._plain_copies(step, activities[-1].name, before, after=after, old=old, states=states)
        for name, rows in removed(self._trail, step, self._for(step)):
            records = self._trail.records[self._trail.home(step.index)][rows]
            renamed = step.plan.renamed.get(name, name)
            fallback = activities[-1].name
            dropped = name in step.gone
            activity = makers.get(f"<{name}", fallback) if dropped else makers.get(renamed, fallback)
            if step.plan.row_filter is not None:
                activity = fallback
            yield from self._relate("wasInvalidatedBy", self._at(before[name], records, old), activity)

    def _template(
        self,
        step: PipelineStep,
        number: int,
        template: Template,
        activity: str,
        before: dict[str, int],
        after: dict[str, int],
        old: list[npt.NDArray[np.int32]],
        states: list[npt.NDArray[np.int32]],
    ) -> Iterator[Statement]:
        written = {name: self._written_rows(step, name) for name in template.writes}
        used: dict[tuple[int, str], list[Ids]] = {}
        relations: list[Relation] = []
        of_others: list[Others] = []
        for name, rows in written.items():
            records = self._trail.records[self._trail.home(step.index + 1)][rows]
            states[after[name]][records] = step.index + 1
            yield from self._values(after[name], self._features.all[after[name]], records, step.index + 1, rows)
            made = self._at(after[name], records, states)
            yield from self._relate("wasGeneratedBy", made, activity)
            own: dict[str, list[tuple[Ids, Ids]]] = {}
            for read in template.reads:
                outs, sources = self._pairs(step, read, rows)
                if len(outs) == 0:
                    continue
                if read.source:
                    later = self._trail.records[self._trail.home(step.index + 1)]
                    other = self._cells_of_other(step, read, sources)
                    derived = list(self._relate("wasDerivedFrom", self._at(after[name], later[outs], states), other))
                    of_others += [each.right for each in derived if isinstance(each.right, Others)]
                    relations += derived
                    continue
                own.setdefault(read.column, []).append((outs, sources))
            for column, found in own.items():
                outs, sources = _each_once(found)
                used.setdefault((before[column], column), []).append(sources)
                relations += self._own_derivations(
                    step, (after[name], outs), (before[column], sources), old=old, states=states
                )
        base = self._trail.records[self._trail.home(step.index)]
        for (feature, _), parts in used.items():
            cells = base[np.unique(np.concatenate(parts))]
            yield from self._relate("used", activity, self._at(feature, cells, old))
        yield from self._read_of_others(activity, of_others)
        yield from relations
        yield from self._statistics(
            step,
            number,
            template,
            activity=activity,
            before=before,
            after=after,
            written=written,
            old=old,
            states=states,
        )

    def _own_derivations(
        self,
        step: PipelineStep,
        written: tuple[int, Ids],
        read: tuple[int, Ids],
        *,
        old: list[npt.NDArray[np.int32]],
        states: list[npt.NDArray[np.int32]],
    ) -> Iterator[Relation]:
        """Yield which values a step derived from which values before it. Both sides are a feature and its rows."""
        base = self._trail.records[self._trail.home(step.index)]
        later = self._trail.records[self._trail.home(step.index + 1)]
        made = self._at(written[0], later[written[1]], states)
        return self._relate("wasDerivedFrom", made, self._at(read[0], base[read[1]], old))

    def _cells_of_other(self, step: PipelineStep, read: Read, rows: Ids) -> Others:
        record = self._trail.other(step, read.source)
        if record.id not in self._others:
            self._others.append(record.id)
        return Others(self._others.index(record.id), record.schema.names.index(read.column), rows)

    def _read_of_others(self, activity: str, cells: list[Others]) -> Iterator[Statement]:
        """Yield that an activity used cells of other datasets, after an entity for each cell that has none yet."""
        by_column: dict[tuple[int, int], list[Ids]] = {}
        for each in cells:
            by_column.setdefault((each.dataset, each.column), []).append(each.records)
        for (dataset, column), parts in by_column.items():
            record, rows = self._trail.record(self._others[dataset]), np.unique(np.concatenate(parts))
            told = self._told.setdefault((dataset, column), np.zeros(record.rows, dtype=bool))
            new = rows[~told[rows]]
            told[new] = True
            if len(new):
                name = record.schema.names[column]
                held = self._trail.stored_values(record, name, new)
                yield Values(Others(dataset, column, new), name, held, record.label)
            yield Relation("used", activity, Others(dataset, column, rows))

    def _statistics(
        self,
        step: PipelineStep,
        number: int,
        template: Template,
        activity: str,
        before: dict[str, int],
        after: dict[str, int],
        written: dict[str, Ids],
        old: list[npt.NDArray[np.int32]],
        states: list[npt.NDArray[np.int32]],
    ) -> Iterator[Statement]:
        """Yield each statistic, derived from the cells it was learned from, and the cells derived from it."""
        home = self._trail.records[self._trail.home(step.index)]
        later = self._trail.records[self._trail.home(step.index + 1)]
        for place, statistic in enumerate(template.statistics):
            rows = np.unique(np.concatenate(list(written.values())))
            if len(rows) == 0:
                continue
            name = f"t{step.index}_{number}_{place}"
            cells = home[statistic_rows(self._trail, step, statistic, rows)]
            into = [self._select(self._at(after[each], later[made], states)) for each, made in written.items()]
            if self._wanted is not None and not any(len(each.records) for each in into):
                continue
            yield StatisticEntity(name, f"{statistic.name} = {statistic.value}")
            yield Relation("wasGeneratedBy", name, activity)
            for column in statistic.columns:
                yield from self._relate("wasDerivedFrom", name, self._at(before[column], cells, old))
            for each in into:
                yield from self._relate("wasDerivedFrom", each, name)

    def _plain_copies(
        self,
        step: PipelineStep,
        activity: str,
        before: dict[str, int],
        after: dict[str, int],
        old: list[npt.NDArray[np.int32]],
        states: list[npt.NDArray[np.int32]],
    ) -> Iterator[Statement]:
        """Yield the cells of new records in columns that no template writes: copies from the row they repeat."""
        crossing = self._trail.crossing(self._trail.home(step.index))
        rows = np.flatnonzero(crossing.is_new)
        home = self._trail.records[self._trail.home(step.index)]
        later = self._trail.records[self._trail.home(step.index + 1)]
        for name in step.after.names if len(rows) else ():
            if templates_of(step, name):
                continue
            records = later[rows]
            states[after[name]][records] = step.index + 1
            yield from self._values(after[name], self._features.all[after[name]], records, step.index + 1, rows)
            yield from self._relate("wasGeneratedBy", self._at(after[name], records, states), activity)
            if name in before:
                outs, sources = self._pairs(step, Read(name, "copied"), rows)
                yield from self._relate(
                    "wasDerivedFrom",
                    self._at(after[name], later[outs], states),
                    self._at(before[name], home[sources], old),
                )

    def _written_rows(self, step: PipelineStep, name: str) -> Ids:
        """Return the rows after a step whose cell in this column it wrote."""
        if name in step.created:
            return self._trail.rows(step.index + 1)
        new_rows = step.plan.new_rows
        if self._for(step) == "touched" and not (new_rows is not None and new_rows.adds):
            return self._trail.rows(step.index + 1)
        return np.flatnonzero(self._trail.changed(step, name))

    def _for(self, step: PipelineStep) -> Reading:
        return step.plan.template_reading if self._reading == "template" else self._reading

    def _pairs(self, step: PipelineStep, read: Read, rows: Ids) -> tuple[Ids, Ids]:
        """Return the rows after a step and, beside each, a row before it that a read relates it to."""
        if not step.makes_new_rows:
            return rows, rows
        return self._trail.contributor_pairs(step, read, rows)

    def _values(self, number: int, feature: Feature, records: Ids, state: int, rows: Ids) -> Iterator[Values]:
        entities = Entities(number, records, np.full(len(records), state, dtype=np.int64))
        if self._wanted is not None:
            mask = self._wanted[number][records]
            entities, rows = entities.only(mask), rows[mask]
        if len(rows):
            column = feature.names[state]
            yield Values(entities, column, self._trail.values(state, column, rows))

    def _relate(self, kind: Kind, left: Entities | str, right: Entities | Others | str) -> Iterator[Relation]:
        """Yield one relation, without elements that are not wanted or have no entity."""
        mask = np.ones(_size(left, right), dtype=bool)
        for side in (left, right):
            if isinstance(side, Entities):
                mask &= side.states != NO_ID
                if self._wanted is not None:
                    mask &= self._wanted[side.feature][side.records]
        if mask.any():
            yield Relation(
                kind,
                left if isinstance(left, str) else left.only(mask),
                right if isinstance(right, str) else right.only(mask),
            )

    def _select(self, entities: Entities) -> Entities:
        if self._wanted is None:
            return entities
        return entities.only(self._wanted[entities.feature][entities.records])

    def _at(self, feature: int, records: Ids, states: list[npt.NDArray[np.int32]]) -> Entities:
        return Entities(feature, records, states[feature][records].astype(np.int64))

    def _by_name(self, state: int) -> dict[str, int]:
        return {each.names[state]: number for number, each in enumerate(self._features.all) if state in each.names}


def _activities(step: PipelineStep) -> list[Activity]:
    """Return an activity for each template, or one if there is none; the last also does what no template describes."""
    operation = step.operation
    names = [f"a{step.index}_{number}" for number in range(len(step.plan.templates))] or [f"a{step.index}"]
    return [Activity(name, step.index, operation.kind, operation.description) for name in names]


def _size(left: Entities | str, right: Entities | Others | str) -> int:
    sides = [side for side in (left, right) if not isinstance(side, str)]
    return len(sides[0].records) if sides else 1


def _each_once(found: list[tuple[Ids, Ids]]) -> tuple[Ids, Ids]:
    """Return each pair of cells once: a window function may read a cell that the row itself reads, too."""
    if len(found) == 1:
        return found[0]
    outs, sources = (np.concatenate(each) for each in zip(*found, strict=True))
    _, first = np.unique(outs * (int(sources.max()) + 1) + sources, return_index=True)
    first.sort()
    return outs[first], sources[first]
