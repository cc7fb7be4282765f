"""Answer the compiler's questions from the store where possible, and otherwise from Spark."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import pyarrow.parquet as pq

from whence.charts.errors import near, wrong
from whence.charts.kinds import kind_of
from whence.charts.source import Row, filled, place
from whence.charts.spec import Channel, Data
from whence.charts.sql import quoted
from whence.derive.derive import derive
from whence.derive.request import DeriveContext, Request
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadQuery, UnknownDataset
from whence.store.sampling import sample_rids
from whence.store.store import Store

_LEARNED_FROM_FOOTERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "date", "timestamp")
"""Types whose minimum and maximum in Parquet footers are used as the extent."""


SAMPLE = "__whence_sample_"
"""How the names of views of random rows begin."""


@dataclass(frozen=True)
class Stage:
    """An intermediate dataset of a chart: its placeholder in queries, the query that made it, and its record."""

    place: str
    sql: str
    record: DatasetRecord


@dataclass(frozen=True)
class Sampled:
    """A random sample that a chart reads: the name of its view, and the rows it was drawn from."""

    name: str
    table: str
    count: int
    seed: int


class WorkspaceSource:
    """The dataset of a chart, and other datasets that its layers name."""

    def __init__(
        self,
        context: DeriveContext,
        record: DatasetRecord,
        name: str,
        scope: Mapping[str, DatasetRecord] | None = None,
        *,
        is_scratch: bool = False,
    ) -> None:
        self._derive = context
        self._store = context.store
        self._engine = context.engine
        self._record = record
        self._name = name
        self._scope = scope
        self._is_scratch = is_scratch
        self._known: dict[str, DatasetRecord] = {"": record, record.name.lower(): record}
        self.stages: list[Stage] = []
        self.samples: list[Sampled] = []

    @property
    def has_samples(self) -> bool:
        """Whether the chart reads a random sample, so that its query gives other marks each time."""
        return bool(self.samples)

    @property
    def records(self) -> list[DatasetRecord]:
        """Every dataset that queries of this chart may name."""
        return [*{each.id: each for each in self._known.values()}.values(), *(each.record for each in self.stages)]

    def table(self, place: str) -> str:
        """Return the table name for a placeholder."""
        stage = next((each for each in self.stages if each.place == place), None)
        return self.record(Data(place or None)).name if stage is None else stage.record.name

    def record(self, data: Data) -> DatasetRecord:
        """Return the dataset of a layer."""
        name = (data.name or "").lower()
        if name not in self._known:
            self._known[name] = self._find_dataset(data)
        return self._known[name]

    def _find_dataset(self, data: Data) -> DatasetRecord:
        """Return another dataset that the chart may name, or raise an error with the nearest name."""
        try:
            return self._store.current(data.name or "") if self._scope is None else self._scope[data.name or ""]
        except (UnknownDataset, KeyError):
            names = [each.name for each in self._store.datasets()] if self._scope is None else list(self._scope)
            raise wrong(data.path, f"there is no dataset {data.name}", near(data.name, names, "There are")) from None

    def rows(self, data: Data) -> int:
        """Return the number of rows of a layer's dataset."""
        return self.record(data).rows * (1 if data.fold is None else len(data.fold.columns))

    def types(self, data: Data, channels: Mapping[str, Channel]) -> dict[str, str]:
        """Return the Spark type of each channel: from the schema for columns, from Spark for expressions."""
        record = self.record(data)
        found = {}
        for name, channel in channels.items():
            folded = None if channel.column is None else self._folded(data, channel)
            if folded is not None:
                found[name] = folded
            elif channel.column is not None:
                position = record.schema.position(channel.column)
                if position is None:
                    hint = near(channel.column, record.schema.names, "It has")
                    raise wrong(channel.path, f"{record.label} has no column {channel.column}", hint)
                found[name] = record.schema.fields[position].type
            else:
                found[name] = self._type(data, record, channel)
        return found

    def _folded(self, data: Data, channel: Channel) -> str | None:
        """Return the type of a column that folding makes, or None if the channel shows another one."""
        if data.fold is None:
            return None
        schema, path = self.record(data).schema, f"{data.path}.fold"
        plain = replace(data, fold=None)
        types = self.types(plain, {each: Channel(each, path=path) for each in data.fold.columns})
        for made in (data.fold.name, data.fold.value):
            if schema.position(made) is not None and made not in data.fold.columns:
                hint = 'Name the columns that folding makes: "as": ["measure of sales", "value of sales"].'
                raise wrong(path, f"{self.record(data).label} has a column {made} already", hint)
        return data.fold.type_of(str(channel.column), types, channel.path)

    def _type(self, data: Data, record: DatasetRecord, channel: Channel) -> str:
        try:
            frame = self._engine.sql_over([record], f"select {channel.sql} as c from {data.table(quoted(record.name))}")
        except BadQuery as error:
            raise wrong(channel.path, f"Spark cannot read {channel.sql}", error.message) from error
        return self._engine.types(frame)[0]

    def ask(self, sql: str) -> list[Row]:
        """Return all rows of a query."""
        rows: list[Row] = self._engine.to_arrow(
            self._engine.sql_over(self.records, filled(sql, self.table))
        ).to_pylist()
        return rows

    def extent(self, data: Data, channel: Channel) -> tuple[object, object] | None:
        """Return the extent of a column from the footers of its Parquet files, or None if they do not tell."""
        record = self.record(data)
        position = None if channel.column is None else record.schema.position(channel.column)
        type_name = "" if position is None else record.schema.fields[position].type
        # Spark turns a date into midnight of the session's time zone, while footers know UTC only.
        if type_name not in _LEARNED_FROM_FOOTERS or (kind_of(type_name) == "time" and not self._engine.is_utc):
            return None
        return _footers(self._store, record, str(channel.column))

    def sample(self, data: Data, n: int, seed: int) -> str:
        """Return the name of a view of random rows that keep their row ids."""
        record = self.record(data)
        # A fresh name for each sample, as views are shared by the whole Spark session.
        view = f"{SAMPLE}{uuid.uuid4().hex}"
        self._engine.name(view, self._engine.rows_frame(record, sample_rids(record.rows, n, seed)))
        self.samples.append(Sampled(view, record.name, n, seed))
        return quoted(view)

    def stage(self, sql: str, why: str) -> str:
        """Return the placeholder of an intermediate dataset. The same query over the same datasets runs once."""
        # Layers of one chart share a stage.
        known = next((each for each in self.stages if each.sql == sql), None)
        if known is None:
            text, name = filled(sql, self.table), f"{self._name}_{why}{len(self.stages) or ''}"
            known = Stage(f"#{len(self.stages)}", sql, self.find_same_result(name, text) or self._run(name, text))
            self.stages.append(known)
        return place(known.place)

    def find_same_result(
        self, name: str, text: str, is_same: Callable[[DatasetRecord], bool] = lambda _: True
    ) -> DatasetRecord | None:
        """Return a version that the same query over the same datasets has made, if `is_same` accepts it."""
        parents = {each.id for each in self.records}
        return next(
            (
                each
                for each in self._versions(name)
                # Parents are compared too: the same text over another version of a dataset gives other marks.
                if each.text == text and each.origin == "chart" and each.parents and set(each.parents) <= parents
                if is_same(each)
            ),
            None,
        )

    def _versions(self, name: str) -> list[DatasetRecord]:
        """Return the versions of a name. Scratch versions are separate, so that no kept dataset is replaced by one."""
        if self._is_scratch:
            return self._store.scratch_versions(name)
        try:
            return self._store.versions(name)
        except UnknownDataset:
            return []

    def _run(self, name: str, text: str) -> DatasetRecord:
        frame = self._engine.sql_over(self.records, text)
        return derive(self._derive, Request(frame, name, "chart", text, is_rerunnable=True))


def _footers(store: Store, record: DatasetRecord, column: str) -> tuple[object, object] | None:
    """Return the minimum and maximum of a column over all row groups, or None if some footer lacks them."""
    lows, highs = [], []
    path = store.rows_path(record)
    for file in sorted(path.rglob("*.parquet")) if path.is_dir() else [path]:
        metadata = pq.read_metadata(file)
        place = next((n for n in range(metadata.num_columns) if metadata.schema.column(n).path == column), None)
        if place is None:
            return None
        for group in range(metadata.num_row_groups):
            described = metadata.row_group(group).column(place)
            statistics = described.statistics
            # A row group that holds only NULLs has no minimum and maximum, and narrows nothing.
            if statistics is None or (not statistics.has_min_max and statistics.null_count != described.num_values):
                return None
            if statistics.has_min_max:
                lows.append(statistics.min)
                highs.append(statistics.max)
    return (min(lows), max(highs)) if lows else None
