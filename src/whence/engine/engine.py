"""One workspace's Spark: asked for plans and frames, told what to run."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows
from pyspark.sql.pandas.types import to_arrow_schema

from whence.engine import pairing
from whence.engine.blame import is_own_error, raises_internal_errors
from whence.engine.collect_table import collect_table
from whence.engine.commands import refuse_command
from whence.engine.constants import PLAIN_LITERALS, constant_value
from whence.engine.dataset_frames import DatasetFrames
from whence.engine.dataset_leaves import DatasetLeaves, find_datasets
from whence.engine.errors import translate_errors
from whence.engine.expression import Reads, expression_reads
from whence.engine.handles import ExprHandle, Handles, NodeHandle
from whence.engine.jvm import Jvm
from whence.engine.outcome import Outcome
from whence.engine.process import SparkProcess
from whence.engine.profile import Connect, Profile
from whence.engine.python_functions import PythonFunction, register
from whence.engine.query_names import QueryNames, stands_in
from whence.engine.read_expr import JsonNode
from whence.engine.read_plan import ReadPlan, read_plan
from whence.engine.redact_plan import redact_plan
from whence.engine.run import run
from whence.engine.scan import (
    Relations,
    ScanWriter,
    StoredFlags,
    is_one_of,
    only_rows,
    row_id,
    user_columns,
)
from whence.engine.script import Level, Runner
from whence.engine.shared_views import SharedViews
from whence.engine.sql_functions import caveat_if
from whence.engine.sql_guard import SqlGuard
from whence.engine.subqueries import Subqueries
from whence.engine.type_names import type_name
from whence.engine.window_tables import WindowTables
from whence.engine.worker.write_parts import Layout
from whence.engine.write_plan import PlanWriter
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.model.ids import DatasetId
from whence.model.schema import Field, Schema
from whence.plan.expr import Column, Expr
from whence.plan.repeatable import can_stand_for_another_run
from whence.plan.sql_text import quoted
from whence.plan.step import Step
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store

_QUERIES_KEPT = 1000


@dataclass(frozen=True)
class Query:
    """A query as Spark understood it: its plan as steps where every operator has rules, and the way back to Spark."""

    frame: DataFrame
    handles: Handles
    read: ReadPlan
    sources: tuple[DatasetId, ...]
    """The dataset behind each leaf, by source number."""
    columns: tuple[Column, ...]

    @property
    def parents(self) -> tuple[DatasetId, ...]:
        """The datasets it reads, each once."""
        return tuple(dict.fromkeys(self.sources))


class Engine:
    """Everything whence asks of Spark."""

    def __init__(
        self,
        store: Store,
        master: str,
        caller: SparkSession | None = None,
        settings: Mapping[str, str] | None = None,
        profile: Profile = "library",
        marks: StoredFlags | None = None,
    ) -> None:
        self._store = store
        self.process = SparkProcess(
            layout=store.layout,
            master=master,
            caller=caller,
            settings=settings or {},
            profile=profile,
            forget=self._forget_session,
        )
        self.marks = marks or StoredFlags(store)
        """The marks that queries read; as they were stored, unless the workspace knows which were acknowledged."""
        self._datasets = DatasetFrames(store, lambda: self.session)
        self._names = QueryNames(lambda: self.session, self.frame)
        self.raises_internal_errors = raises_internal_errors()
        """An internal error of rules ends the query, and is not answered with coarse lineage."""
        self.replay: Callable[[DatasetRecord], Query | None] = lambda _: None
        """Makes a query of an earlier session again that was no text; the workspace knows how."""
        self._relations = Relations()
        self._queries: dict[DatasetId, Query] = {}
        self._running = 0
        self._counting = threading.Lock()

    @property
    def session(self) -> SparkSession:
        """The workspace's session, started when first asked for."""
        return self.process.session

    @property
    def connect(self) -> Connect | None:
        """Where isolated cells reach Spark; None in a library, which runs what its caller writes."""
        return self.process.connect

    def _forget_session(self) -> None:
        """What was known of an earlier Java process means nothing to another."""
        self._datasets.forget()
        self._relations.forget()
        self._names.forget()
        self._queries.clear()
        for known in ("_jvm", "_runner", "_guard"):
            self.__dict__.pop(known, None)

    @cached_property
    def _runner(self) -> Runner:
        return Runner(self._jvm)

    @cached_property
    def _jvm(self) -> Jvm:
        return Jvm(self.session)

    def frame(self, record: DatasetRecord) -> DataFrame:
        """The dataset as a DataFrame: a scan of its Parquet, internal columns invisible."""
        return self._datasets.frame(record)

    def with_doubts(
        self, record: DatasetRecord, where: str | Sequence[int] | None, column: str | None, message: str
    ) -> DataFrame:
        """The dataset with these rows, or one column of them, in doubt."""
        with translate_errors():
            rows = self._datasets.rows(record)
            if isinstance(where, str):
                when = F.expr(self.check_expression(where))
            else:
                when = F.lit(True) if where is None else is_one_of(where, record.rows)
            if column is None:
                return user_columns(rows.where(caveat_if(F.lit(True), when, message)))
            quoted = "`" + column.replace("`", "``") + "`"
            return user_columns(rows.withColumn(column, caveat_if(F.col(quoted), when, message)))

    def rows_frame(self, record: DatasetRecord, rids: npt.NDArray[np.int64]) -> DataFrame:
        """Only these rows, still known as rows of their dataset."""
        rows = self._datasets.rows(record)
        return user_columns(only_rows(self.session, rows, rids))

    def rids_where(self, record: DatasetRecord, condition: str) -> list[int]:
        """The rows for which a SQL condition over the dataset's columns holds, in rid order."""
        with translate_errors():
            rows = self._datasets.rows(record).where(self.check_expression(condition))
            return sorted(row.rid for row in rows.select(row_id().alias("rid")).collect())

    def compute(self, record: DatasetRecord, expressions: Sequence[str]) -> pa.Table:
        """What SQL expressions over the dataset's columns give for each row, in rid order."""
        with translate_errors():
            rows = self._datasets.rows(record)
            columns = [
                F.expr(self.check_expression(text)).alias(f"e{number}") for number, text in enumerate(expressions)
            ]
            table = rows.select(*columns, row_id().alias("rid")).toArrow()
        return table.take(np.argsort(table.column("rid").to_numpy())).drop_columns("rid")

    def to_arrow(self, frame: DataFrame) -> pa.Table:
        """All rows of a frame, in its order."""
        with translate_errors(), self.process.interruptible():
            return collect_table(frame)

    def arrow_schema(self, ddl: str) -> pa.Schema:
        """A schema that only Spark can read."""
        with translate_errors():
            return to_arrow_schema(self.session.createDataFrame([], ddl).schema, timezone="UTC")

    def name(self, name: str, frame: DataFrame) -> None:
        """Let queries of this workspace call the frame by a name."""
        self._names.give(name, frame)

    def sql(
        self,
        text: str,
        scope: Mapping[str, DatasetRecord] | None = None,
        arguments: Mapping[str, object] | None = None,
        functions: Mapping[str, PythonFunction] | None = None,
    ) -> DataFrame:
        """Analyse a query over these dataset versions, or over the current ones of the workspace.

        Spark resolves names while it analyses, and keeps none of them afterwards, so only that moment needs to be one
        query's own; what queries then do runs side by side.
        """
        if scope is None:
            scope = {record.name: record for record in self._store.datasets()}
        with self._names.lock, translate_errors(tuple(scope)):
            session = self.session
            self._names.put_in_scope(text, scope)
            called = [each for name, each in (functions or {}).items() if stands_in(name, text)]
            if self.connect is not None:
                self._guard.check(text, [*scope, *self._names.placeholders], [each.name for each in called])
            else:
                refuse_command(session, text)
            for function in called:
                register(session, function)
            frame = session.sql(text, dict(arguments) if arguments else None)
            if self.connect is not None:
                self._guard.check_leaves(frame, self._store.layout.datasets)
            return frame

    @cached_property
    def _guard(self) -> SqlGuard:
        return SqlGuard(self.session)

    def check_expression(self, text: str) -> str:
        """A condition a user wrote, checked as queries are."""
        if self.connect is not None:
            self._guard.check_expression(text)
        return text

    def take_shared_view(self, views: SharedViews, name: str) -> DataFrame:
        """What an isolated cell put under a name."""
        with translate_errors():
            return views.take(name)

    def sql_over(self, records: Sequence[DatasetRecord], text: str) -> DataFrame:
        """Analyse a query over these versions, whichever are current."""
        return self.sql(text, {record.name: record for record in records})

    def temporary_names(self) -> AbstractContextManager[Callable[[DataFrame], str]]:
        """Gives frames names that no query but ours knows, until the block ends."""
        return self._names.temporary()

    @property
    def is_utc(self) -> bool:
        """Days begin at midnight UTC in queries; a caller's own session may think otherwise."""
        return self.zone in ("UTC", "Etc/UTC", "Z")

    @property
    def zone(self) -> str:
        """The time zone whose clocks queries speak of; Spark is not started to know it."""
        return self.process.zone

    def types(self, frame: DataFrame) -> list[str]:
        """The types of a frame's columns, as Spark writes them."""
        return [type_name(field.dataType) for field in frame.schema.fields]

    def numbered_view(self, record: DatasetRecord, rid: str) -> AbstractContextManager[str]:
        """A name under which `query` sees the dataset, with the position of each row in a column called `rid`."""
        return self._names.view(self.with_row_numbers(record, rid))

    def query(self, text: str) -> DataFrame:
        """Analyse a query over views only."""
        with translate_errors():
            return self.session.sql(text)

    def reads(
        self, frame: Callable[[], DataFrame], expressions: Sequence[str], schema: Schema | None = None
    ) -> list[Reads]:
        """What SQL expressions of users read where the columns of a frame are; its schema may stand for it."""
        with translate_errors():
            return expression_reads(self._runner, frame, [self.check_expression(each) for each in expressions], schema)

    def types_over(self, frame: Callable[[], DataFrame], schema: Schema, expressions: Sequence[str]) -> list[str]:
        """The types of what expressions give."""
        with translate_errors():
            return [each.type for each in expression_reads(self._runner, frame, expressions, schema)]

    def stack_selections(self, frame: DataFrame, levels: Sequence[Level]) -> DataFrame:
        """Selections put over a frame one after the other."""
        with translate_errors():
            return self._runner.stack_selections(frame, levels) if levels else frame

    def schema_of(self, frame: DataFrame) -> Schema:
        """The columns of a frame."""
        return Schema(tuple(Field(field.name, type_name(field.dataType)) for field in frame.schema.fields))

    def view(self, frame: DataFrame) -> AbstractContextManager[str]:
        """A name under which `query` sees a frame."""
        return self._names.view(frame)

    def with_row_numbers(self, record: DatasetRecord, rid: str) -> DataFrame:
        """The dataset with the position of each row in a last column called `rid`."""
        return self._datasets.with_row_numbers(record, rid)

    def apply_functions(
        self, frame: DataFrame, outputs: Mapping[str, Callable[..., object]], types: Mapping[str, str]
    ) -> DataFrame:
        """The frame with Python functions of a value put over some columns."""
        with translate_errors():
            made = {
                name: F.udf(each, types[name], useArrow=False)(F.col(quoted(name))) for name, each in outputs.items()
            }
            return frame.withColumns(made)

    def read(self, frame: DataFrame, *, is_collapsed: bool = False) -> Query:
        """What a frame computes, and from which datasets; with projections on projections as one, if asked."""
        with translate_errors():
            try:
                return self._read(frame, is_collapsed=is_collapsed)
            except Exception as error:
                if self.raises_internal_errors or not is_own_error(error):
                    raise
                return self._without_plan(frame, error)

    def _read(self, frame: DataFrame, *, is_collapsed: bool) -> Query:
        told = self._runner.describe_plan(frame, is_collapsed=is_collapsed)
        before: tuple[str, ...] = ()
        if told is None:
            unfolded = self._jvm.unfold(frame._jdf.queryExecution().analyzed())
            plan, text, before = unfolded.plan, self._runner.json(unfolded.plan), unfolded.plans_before
        else:
            plan, text = told.plan, told.text
        handles = Handles(plan)
        leaves = DatasetLeaves(self._store, handles, self.marks, () if told is None else told.roots)
        read = read_plan(text, leaves.read, Subqueries(before), self._subquery_reader(handles), handles.lists)
        sources = tuple(leaves.sources) if read.plan is not None else find_datasets(self._store, plan)
        return Query(frame, handles, read, sources, _output(plan, frame, read))

    def _without_plan(self, frame: DataFrame, failure: Exception) -> Query:
        """The query as Spark knows it, where reading it failed."""
        plan, read = frame._jdf.queryExecution().analyzed(), ReadPlan(None, "an internal error", failure=failure)
        return Query(frame, Handles(plan), read, find_datasets(self._store, plan), _output(plan, frame, read))

    def plan_without_data(self, query: Query) -> list[JsonNode]:
        """The plan of a query in Spark's JSON form, without constants, rows and names."""
        with translate_errors():
            return redact_plan(self._runner.json(query.handles.node(NodeHandle(()))))

    def can_stand_for_another_run(self, query: Query) -> bool:
        """What this query gave once is what it could give again."""
        plan = query.read.plan
        if plan is None or not can_stand_for_another_run(plan):
            return False
        return bool(query.frame._jdf.queryExecution().analyzed().deterministic())

    def dialect(self) -> list[str]:
        """The settings of the session that decide what a text means."""
        # One call: Spark's settings as a Java map would take three for each of a hundred entries.
        text = str(self.session._jsparkSession.conf().getAll().toString())
        found = re.findall(r"spark\.sql\.\S+ -> [^,)]*", text)
        return [self.session.version, *sorted(each for each in found if ".dir" not in each)]

    def remember(self, dataset: DatasetId, query: Query) -> None:
        """Keep the query that made a dataset, so that it can be run again on some of its rows."""
        self._queries[dataset] = query
        if len(self._queries) > _QUERIES_KEPT:
            self._queries.pop(next(iter(self._queries)))

    def has_made(self, dataset: DatasetId, query: Query) -> bool:
        """Whether this session made a dataset by a query that gives the same, by the rule of Spark's own cache."""
        before = self._queries.get(dataset)
        if before is None:
            return False
        plans = [each.frame._jdf.queryExecution().analyzed() for each in (before, query)]
        return bool(plans[0].sameResult(plans[1]))

    def recall(self, record: DatasetRecord) -> Query | None:
        """The query that made a dataset; one of an earlier session is known if it was SQL or a transformation."""
        if record.id not in self._queries:
            query = self._analyse_text(record) if record.origin in ("sql", "chart") else self.replay(record)
            if query is not None:
                self.remember(record.id, query)
        return self._queries.get(record.id)

    def _analyse_text(self, record: DatasetRecord) -> Query | None:
        """The text over the versions it was written for."""
        parents = [self._store.by_id(parent) for parent in record.parents]
        if any(isinstance(parent, ForgottenRecord) for parent in parents):
            return None
        try:
            return self.read(self.sql(record.text, {parent.name: parent for parent in parents}))
        except WhenceError:  # a placeholder, a table outside the workspace: it cannot be asked again
            return None

    def _subquery_reader(self, handles: Handles) -> Callable[[NodeHandle], tuple[str, Subqueries]]:
        """Reads the plan of a subquery, itself with subqueries as joins."""

        def read(handle: NodeHandle) -> tuple[str, Subqueries]:
            unfolded = self._jvm.unfold(handles.node(handle))
            handles.put(handle, unfolded.plan)
            return self._runner.json(unfolded.plan), Subqueries(unfolded.plans_before)

        return read

    def write(self, query: Query, step: Step) -> DataFrame:
        """A frame that computes these steps, made from the plan that was read."""
        return self.write_remembering(query, step)[0]

    def write_remembering(self, query: Query, step: Step) -> tuple[DataFrame, WindowTables]:
        """A frame that computes these steps, and the rows of windows that it puts aside for questions after the run."""
        with translate_errors():
            script = self._runner.script()
            handles = query.handles.for_script(script.promise, script.opened)
            writer = PlanWriter(
                script,
                handles,
                ScanWriter(
                    session=self.session,
                    jvm=script,
                    store=self._store,
                    handles=handles,
                    marks=self.marks,
                    relations=self._relations,
                ),
            )
            return script.frame(writer.write(step)), writer.window_tables

    def plan_text(self, frame: DataFrame) -> str:
        """The plan of a frame as Spark prints it."""
        return str(frame._jdf.queryExecution().analyzed().toString())

    def text_of(self, query: Query, expr: Expr) -> str:
        """An expression of a query as SQL; nothing for one that a rule made."""
        return "" if expr.handle is None else str(query.handles.expr(cast(ExprHandle, expr.handle)).sql())

    def constant(self, query: Query, expr: Expr) -> object:
        """The value of an expression that reads no column; None if it is NULL, or cannot be told."""
        if expr.kind == "literal" and isinstance(expr.value, int | str) and expr.type in PLAIN_LITERALS:
            return expr.value
        if expr.handle is None or expr.is_rebuilt:
            return None
        return constant_value(query.handles.expr(cast(ExprHandle, expr.handle)))

    def with_every_mark(self, frame: DataFrame, layout: Layout) -> DataFrame:
        """The frame with columns numbered, as a query may repeat a name, and the marks of the layout all set."""
        flags = len(layout.marks) + layout.has_row_marks
        numbered = frame.toDF(*(f"c{number}" for number in range(len(layout.names))))
        return numbered.select("*", *(F.lit(True).alias(f"m{number}") for number in range(flags)))

    def run(self, frame: DataFrame, layout: Layout, staging: Path, most_rows: int | None = None) -> Outcome:
        """Evaluate a frame once and write what it gives, which is no more than so many rows."""
        with translate_errors(), self._foreground(), self.process.interruptible():
            return run(frame, layout, staging, most_rows)

    @contextmanager
    def _foreground(self) -> Iterator[None]:
        with self._counting:
            self._running += 1
        try:
            yield
        finally:
            with self._counting:
                self._running -= 1

    @property
    def is_busy(self) -> bool:
        """A query that somebody waits for is running."""
        return self._running > 0

    def pairs(
        self,
        query: Query,
        plan: Step,
        ids: int,
        record: DatasetRecord,
        keys: Sequence[str],
        only: npt.NDArray[np.int64] | None = None,
    ) -> pa.Table:
        """The id columns a plan begins with, and the row of a dataset that shows the same keys as the columns after.

        If only some rows of the dataset are asked about, what they show goes down the plan as a condition.
        """
        with translate_errors():
            members, groups, count = self.write(query, plan), self.frame_with_rids(record), record.rows
            if only is not None:
                members = pairing.members_showing(members, ids, self._store.take(record, only, keys))
                groups, count = groups.where(F.col(pairing.ROW).isin(only.tolist())), len(only)
            frame = pairing.pair_members(members, ids, groups, keys, count)
            if only is not None or plan.most_rows <= pairing.MOST_COLLECTED:
                return frame.toArrow()
            return pairing.collect_in_tasks(frame, self._store.layout.shared_temporary / "pairs")

    def frame_with_rids(self, record: DatasetRecord) -> DataFrame:
        """The dataset as a DataFrame whose last column is the rid."""
        return self.with_row_numbers(record, pairing.ROW)


def _output(plan: Any, frame: DataFrame, read: ReadPlan) -> tuple[Column, ...]:  # noqa: ANN401
    """Rules know the ids of the columns, Spark in one call their types; only a plan without rules is asked for both."""
    fields = frame.schema.fields
    ids = [column.id for column in read.plan.columns] if read.plan is not None else _expr_ids(plan)
    return tuple(
        Column(number, field.name, type_name(field.dataType), field.nullable)
        for number, field in zip(ids, fields, strict=True)
    )


def _expr_ids(plan: Any) -> list[int]:  # noqa: ANN401
    output = plan.output()
    return [output.apply(number).exprId().id() for number in range(output.size())]
