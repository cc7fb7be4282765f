"""SQL that users write, analysed by Spark: queries over dataset versions, conditions and expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

from whence.engine.commands import refuse_command
from whence.engine.errors import translate_errors
from whence.engine.expression import Reads, expression_reads
from whence.engine.python_functions import PythonFunction, register
from whence.engine.query_names import possible_names
from whence.engine.scan import is_one_of, row_id, user_columns
from whence.engine.script import Level
from whence.engine.shared_views import SharedViews
from whence.engine.spark_access import SparkAccess
from whence.engine.sql_functions import caveat_if
from whence.model.dataset import DatasetRecord
from whence.model.schema import Schema


class QueryAnalysis(SparkAccess):
    """The calls of `Engine` that make frames from SQL text; nothing runs but `rids_where` and `compute`."""

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
            scope = self._store.current_datasets()
        with self._names.lock, translate_errors(tuple(scope)):
            session = self.session
            self._names.put_in_scope(text, scope)
            called = [functions[name] for name in possible_names(functions, text)] if functions else []
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

    def sql_over(self, records: Sequence[DatasetRecord], text: str) -> DataFrame:
        """Analyse a query over these versions, whichever are current."""
        return self.sql(text, {record.name: record for record in records})

    def query(self, text: str) -> DataFrame:
        """Analyse a query over views only."""
        with translate_errors():
            return self.session.sql(text)

    def check_expression(self, text: str) -> str:
        """A condition a user wrote, checked as queries are."""
        if self.connect is not None:
            self._guard.check_expression(text)
        return text

    def name(self, name: str, frame: DataFrame) -> None:
        """Let queries of this workspace call the frame by a name."""
        self._names.give(name, frame)

    def temporary_names(self) -> AbstractContextManager[Callable[[DataFrame], str]]:
        """Gives frames names that no query but ours knows, until the block ends."""
        return self._names.temporary()

    def view(self, frame: DataFrame) -> AbstractContextManager[str]:
        """A name under which `query` sees a frame."""
        return self._names.view(frame)

    def numbered_view(self, record: DatasetRecord, rid: str) -> AbstractContextManager[str]:
        """A name under which `query` sees the dataset, with the position of each row in a column called `rid`."""
        return self._names.view(self.with_row_numbers(record, rid))

    def take_shared_view(self, views: SharedViews, name: str) -> DataFrame:
        """What an isolated cell put under a name."""
        with translate_errors():
            return views.take(name)

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
