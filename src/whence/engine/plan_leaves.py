"""Finds what a plan reads that is no dataset of the workspace, and lets the plan read datasets in its place."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from whence.engine.errors import translate_errors
from whence.engine.foreign_leaf import ForeignLeaf
from whence.engine.handles import Handles
from whence.engine.java_class import java_constructor, new_java_object
from whence.engine.parse_plan import ReadPlan
from whence.engine.plan_reading import plan_columns
from whence.engine.query import Query
from whence.engine.run_in_spark import AS_THEY_ARE
from whence.engine.scan import dataset_in
from whence.engine.spark_access import SparkAccess
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported
from whence.model.ids import DatasetId
from whence.model.schema import Schema


@dataclass(frozen=True)
class FramePlan:
    """The plan of a frame, with WITH clauses written out, and its foreign leaves."""

    node: Any
    leaves: tuple[ForeignLeaf, ...]


class PlanLeaves(SparkAccess):
    """The calls of `Engine` for frames over files, tables and memory that are no datasets yet."""

    def plan_of(self, frame: DataFrame, *, reuses_cached: bool = True) -> FramePlan:
        """Return the plan of a frame with the leaves that are no datasets of this workspace.

        What the program caches counts as a leaf, unless its rows shall be computed anew.
        """
        with translate_errors():
            node = self._leaf_finder.flat(frame._jdf)
            return FramePlan(node, self._described(self._leaf_finder.found(node, reuses_cached)))

    def plan_below(self, leaf: ForeignLeaf) -> FramePlan:
        """Return the plan of a leaf that is an operator or a cached frame, with the leaves below it."""
        with translate_errors():
            return FramePlan(leaf.node, self._described(self._leaf_finder.foundBelow(leaf.node, leaf.is_cached)))

    def passed_on(self, leaf: ForeignLeaf) -> tuple[DataFrame, list[int]] | None:
        """Return the frame whose rows an operator passes on one by one, and the position there of each of its columns.

        The position of a column that is none of the frame is -1. None if the operator does more than that.
        """
        with translate_errors():
            below = self._leaf_finder.passedBelow(leaf.node)
            if below is None:
                return None
            return DataFrame(self._leaf_finder.rows(below), self.session), [
                int(each) for each in self._leaf_finder.passedColumns(leaf.node, below)
            ]

    def leaf_frame(self, leaf: ForeignLeaf) -> DataFrame:
        """Return the rows of a leaf as a frame, as the program would read them."""
        with translate_errors():
            return DataFrame(self._leaf_finder.rows(leaf.node), self.session)

    def over_datasets(self, plan: FramePlan, datasets: Sequence[DatasetRecord]) -> DataFrame:
        """Return the frame of a plan that reads these datasets in place of its leaves, one for each."""
        with translate_errors():
            scans = [self._scan(leaf, record) for leaf, record in zip(plan.leaves, datasets, strict=True)]
            nodes = [leaf.node for leaf in plan.leaves]
            return DataFrame(self._leaf_finder.replaced(plan.node, nodes, scans), self.session)

    def as_it_is(self, frame: DataFrame, sources: Sequence[DatasetId], reason: str) -> Query:
        """Return a query that runs a frame without change and comes from all rows of the sources."""
        plan = frame._jdf.queryExecution().analyzed()
        read = ReadPlan(None, reason)
        return Query(frame, Handles(plan), read, tuple(sources), plan_columns(plan, frame.schema.fields, read))

    def recall_leaf(self, leaf: ForeignLeaf) -> DatasetId | None:
        """Return the dataset that this session has made of the same leaf; None if files of it have changed since."""
        with translate_errors():
            for known, dataset in reversed(self._known_leaves):
                is_alike = known.operator == leaf.operator and known.fingerprint == leaf.fingerprint
                if is_alike and (known.node == leaf.node or self._leaf_finder.areSame(known.node, leaf.node)):
                    return dataset
        return None

    def remember_leaf(self, leaf: ForeignLeaf, dataset: DatasetId) -> None:
        """Remember the dataset that was made of a leaf, in place of an earlier one."""
        self._known_leaves.append((leaf, dataset))

    def are_same(self, one: DataFrame, other: DataFrame) -> bool:
        """Return whether two frames compute the same, by the rule of Spark's cache."""
        return bool(self._leaf_finder.areSamePlans(one._jdf, other._jdf))

    @property
    def has_cached_frames(self) -> bool:
        """Whether the program caches any frame now."""
        return not self._leaf_finder.cachesNothing()

    def computes(self, frame: DataFrame, leaf: ForeignLeaf) -> bool:
        """Return whether a frame has the very rows of a leaf."""
        with translate_errors():
            return bool(self._leaf_finder.areSame(self._leaf_finder.flat(frame._jdf), leaf.node))

    def follow_settings(self, caller: SparkSession) -> None:
        """Give the workspace's session the settings that the program's session has now."""
        if caller._jsparkSession.equals(self.session._jsparkSession):
            return
        text = str(caller._jsparkSession.conf().getAll().toString())
        if text == self._followed_settings:
            return
        for name, value in caller.conf.getAll.items():
            if name not in AS_THEY_ARE and self.session.conf.isModifiable(name):
                self.session.conf.set(name, value)
        self._followed_settings = text

    def _described(self, nodes: Any) -> tuple[ForeignLeaf, ...]:  # noqa: ANN401 - a list of JVM objects
        facts = json.loads(self._leaf_finder.described(nodes)) if nodes else []
        found = [ForeignLeaf(node, each) for node, each in zip(nodes, facts, strict=True)]
        streams = [leaf for leaf in found if leaf.facts["is_streaming"]]
        if streams:
            raise NotSupported(
                "A stream has no end, so it cannot become a dataset.", "Write it, and adopt what it wrote."
            )
        return tuple(leaf for leaf in found if not self._is_dataset(leaf))

    def _is_dataset(self, leaf: ForeignLeaf) -> bool:
        dataset = dataset_in(leaf.roots)
        folder = self._store.layout.datasets
        return dataset is not None and leaf.roots[0].rstrip("/").endswith(str(folder / dataset / "rows"))

    def _scan(self, leaf: ForeignLeaf, record: DatasetRecord) -> Any:  # noqa: ANN401 - a JVM object
        positions = positions_in(leaf.schema, record.schema)
        if positions is None:
            raise NotSupported(
                f"{record.label} does not keep the types of {leaf.operator}, so the frame cannot be adopted.",
                "Cast the columns that it reads to other types.",
            )
        return self._leaf_finder.scan(leaf.node, self.frame(record)._jdf, positions)

    @cached_property
    def _leaf_finder(self) -> Any:  # noqa: ANN401 - a JVM object
        session = self.session
        return new_java_object(session, java_constructor(session, "Leaves"), self._jvm.spark)


def positions_in(wanted: Schema, stored: Schema) -> list[int] | None:
    """Return where a dataset keeps each column of a leaf; None if it has others.

    Sources keep the order, as their columns may have other names. Results that a program wrote and reads again may have
    another order, because columns that name folders come last.
    """
    is_renamed = set(wanted.names) != set(stored.names)
    if is_renamed and [field.type for field in wanted] == [field.type for field in stored]:
        return list(range(len(stored)))
    places = {(field.name, field.type): position for position, field in enumerate(stored)}
    found = [places.get((field.name, field.type)) for field in wanted]
    return [each for each in found if each is not None] if None not in found else None
