"""Lets Spark analyse SQL that users write: queries over dataset versions, conditions and expressions."""

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
from whence.engine.nesting import refuse_deep_nesting
from whence.engine.python_functions import PythonFunction, register
from whence.engine.query_names import possible_names
from whence.engine.scan import is_one_of, row_id, user_columns
from whence.engine.script import Level
from whence.engine.shared_views import SharedViews
from whence.engine.spark_access import SparkAccess
from whence.engine.sql_functions import End, caveat_if
from whence.model.dataset import DatasetRecord
from whence.model.schema import Schema


class QueryAnalysis(SparkAccess):
    """The calls of `Engine` that make frames from SQL text. Only `rids_where` and `compute` run jobs."""

    def sql(
        self,
        text: str,
        scope: Mapping[str, DatasetRecord] | None = None,
        arguments: Mapping[str, object] | None = None,
        functions: Mapping[str, PythonFunction] | None = None,
    ) -> DataFrame:
        """Analyse a query over these dataset versions, or over the current ones of the workspace, and return its frame.

        Spark resolves names only while it analyses. So the lock covers the analysis, and queries then run in parallel.
        """
        if scope is None:
            scope = self._store.current_datasets()
        refuse_deep_nesting(text)
        with self._names.lock, translate_errors(tuple(scope)):
            session = self.session
            self._names.put_in_scope(text, scope)
            called = [functions[name] for name in possible_names(functions, text)] if functions else []
            if self.connect is not None:
                self._guard.check(text, [*scope, *self._names.placeholders], [each.name for each in called])
            for function in called:
                register(session, function)
            if self.connect is None:
                return self._library_query(text, arguments)
            frame = session.sql(text, dict(arguments) if arguments else None)
            # The first check saw the parsed text, this one the plan: what the names came to must be datasets, too.
            self._guard.check_leaves(frame, self._store.layout.datasets)
            return frame

    def _library_query(self, text: str, arguments: Mapping[str, object] | None) -> DataFrame:
        """Return the frame of a query. Raise an error if the text is a command; none of it has run by then."""
        found = self._runner.command(text) if arguments else self._runner.query(text)
        if isinstance(found, DataFrame):
            return found
        refuse_command(text, found)
        return self.session.sql(text, dict(arguments or {}))

    def sql_over(self, records: Sequence[DatasetRecord], text: str) -> DataFrame:
        """Analyse a query over these dataset versions, whether they are current or not."""
        return self.sql(text, {record.name: record for record in records})

    def query(self, text: str) -> DataFrame:
        """Analyse a query of whence's own, over names from `view` or `numbered_view`. The guard does not check it."""
        with translate_errors():
            return self.session.sql(text)

    def check_expression(self, text: str) -> str:
        """Return the SQL expression of a user unchanged. On a server, refuse it if it does more than compute."""
        if self.connect is not None:
            self._guard.check_expression(text)
        return text

    def name(self, name: str, frame: DataFrame) -> None:
        """Register a frame as a temporary view, so that queries of this workspace can use it by name."""
        self._names.give(name, frame)

    def drop_name(self, name: str) -> None:
        """Drop the temporary view of a dataset, through which Spark could still find its files."""
        self._names.drop(name)

    def temporary_names(self) -> AbstractContextManager[Callable[[DataFrame], str]]:
        """Return a context manager that gives frames random names for queries of whence's own, and drops them."""
        return self._names.temporary()

    def view(self, frame: DataFrame) -> AbstractContextManager[str]:
        """Return a context manager that gives the name under which `query` finds a frame."""
        return self._names.view(frame)

    def numbered_view(self, record: DatasetRecord, rid: str) -> AbstractContextManager[str]:
        """Return a context manager that gives a name for `query` to find the dataset, with row ids in column `rid`."""
        return self._names.view(self.with_row_numbers(record, rid))

    def take_shared_view(self, views: SharedViews, name: str) -> DataFrame:
        """Return the frame that an isolated cell registered under a shared name."""
        with translate_errors():
            return views.take(name)

    def reads(
        self, frame: Callable[[], DataFrame], expressions: Sequence[str], schema: Schema | None = None
    ) -> list[Reads]:
        """Return what SQL expressions of users read from the columns of a frame. A schema saves making the frame."""
        with translate_errors():
            return expression_reads(self._runner, frame, [self.check_expression(each) for each in expressions], schema)

    def types_over(self, frame: Callable[[], DataFrame], schema: Schema, expressions: Sequence[str]) -> list[str]:
        """Return the result types of SQL expressions over the columns of a frame."""
        with translate_errors():
            return [each.type for each in expression_reads(self._runner, frame, expressions, schema)]

    def stack_selections(self, frame: DataFrame, levels: Sequence[Level]) -> DataFrame:
        """Put selections over a frame, each over the result of the one before."""
        with translate_errors():
            return self._runner.stack_selections(frame, levels) if levels else frame

    def with_doubts(
        self,
        record: DatasetRecord,
        where: str | Sequence[int] | None,
        column: str | None,
        message: str,
        stated: tuple[End, End] = (None, None),
    ) -> DataFrame:
        """Return the dataset with a caveat on the rows that `where` names, or on one column of them.

        `where` is a SQL condition, a list of row ids, or None for all rows. `stated` says between which values cells
        lie.
        """
        with translate_errors():
            rows = self._datasets.rows(record)
            if isinstance(where, str):
                when = F.expr(self.check_expression(where))
            else:
                when = F.lit(True) if where is None else is_one_of(where, record.rows)
            if column is None:
                return user_columns(rows.where(caveat_if(F.lit(True), when, message)))
            quoted = "`" + column.replace("`", "``") + "`"
            return user_columns(rows.withColumn(column, caveat_if(F.col(quoted), when, message, *stated)))

    def rids_where(self, record: DatasetRecord, condition: str) -> list[int]:
        """Return the row ids for which a SQL condition over the dataset's columns holds, in order."""
        with translate_errors():
            rows = self._datasets.rows(record).where(self.check_expression(condition))
            return sorted(row.rid for row in rows.select(row_id().alias("rid")).collect())

    def compute(self, record: DatasetRecord, expressions: Sequence[str]) -> pa.Table:
        """Return the values of SQL expressions over the dataset's columns for each row, in the order of row ids."""
        with translate_errors():
            rows = self._datasets.rows(record)
            columns = [
                F.expr(self.check_expression(text)).alias(f"e{number}") for number, text in enumerate(expressions)
            ]
            table = rows.select(*columns, row_id().alias("rid")).toArrow()
        return table.take(np.argsort(table.column("rid").to_numpy())).drop_columns("rid")
