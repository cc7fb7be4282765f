"""`Question`: a column of aggregates, the columns that could explain it, and its values without some rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic

from whence.explain.complaint import Complaint
from whence.explain.fetch import FetchedProblem, MarkedRows, fetch
from whence.explain.meaning import Meaning
from whence.explain.predicate import Condition, Predicate, Range, Values, quoted
from whence.explain.preview import Bar, Preview
from whence.explain.question import Direction
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownColumn, UserError
from whence.workspace.checked import checked_column
from whence.workspace.context import Context
from whence.workspace.explain import explain_values
from whence.workspace.explanations import D, Explanations
from whence.workspace.large_preview import LargePreview, Over

_MOST = 5000
"""The most values, from the first on, that a question covers."""

CellValues = dict[str, object]


class Question(Generic[D]):
    """One column of a dataset of aggregates, with every row behind every value.

    >>> rows = [(day, shop, 1.0 + 8 * day * (shop == "b")) for day in (0, 1) for shop in "abc" for _ in range(20)]
    >>> sales = ws.create("sales", rows, schema="day int, shop string, amount double")
    >>> totals = ws.sql("select day, sum(amount) total from sales group by day order by day", name="totals")
    >>> asked = totals.question("total")
    >>> asked.attributes, asked.preview(asked.predicate([{"column": "shop", "values": ["b"]}]))
    (['shop'], [40.0, 40.0])
    """

    def __init__(
        self,
        context: Context,
        record: DatasetRecord,
        make: Callable[[DatasetRecord], D],
        column: str,
        over: Over | None = None,
    ) -> None:
        checked_column(record, column)
        self._context = context
        self._make = make
        self.record = record
        self.column = column
        self._whole = self._fetched()
        self._preview = (
            Preview(self._whole) if over is None or self._whole.spark_problem is None else self._large_preview(over)
        )

    def _fetched(self) -> FetchedProblem:
        """Fetch the rows behind every value that is not null, as if all of them were marked."""
        context, record = self._context, self.record
        context.background.queue.finish(record)  # deferred lineage of the values is needed now
        table = context.store.read(record, 0, min(record.rows, _MOST), [self.column])
        known = [row for row, value in enumerate(table.column(0).to_pylist()) if value is not None]
        if not known:
            raise UserError(f"{self.column} of {record.label} has no values.", "Ask about a column that has some.")
        # `fetch` reads the rows behind marked values. No value is marked yet, so one stands for the outliers.
        marked = MarkedRows({known[0]: Complaint("wrong")}, known[1:])
        return fetch(
            context.store, context.readers.edges, context.engine, record=record, column=self.column, marked=marked
        )

    def _large_preview(self, over: Over) -> LargePreview:
        """Return the preview for more rows than fit in memory: `over` computes the values over any of them."""
        store, data = self._context.store, self._whole.input
        zone = self._context.engine.zone
        return LargePreview(self._whole, lambda name: store.read(data, 0, data.rows, [name]).column(0), zone, over)

    @cached_property
    def _columns(self) -> list[str]:
        """The columns that a predicate may use."""
        return list(self._whole.values) if isinstance(self._preview, Preview) else self._preview.columns

    @property
    def input(self) -> D:
        """The dataset that was aggregated."""
        return self._make(self._whole.input)

    @property
    def attributes(self) -> list[str]:
        """The columns that may explain the values."""
        known = dict.fromkeys(each.name for each in self._whole.problem.attributes)
        return list(known) if isinstance(self._preview, Preview) else [name for name in known if name in self._columns]

    @property
    def left_out(self) -> dict[str, str]:
        """The columns that the search leaves out, each with the reason. `others` lists those that may still be used."""
        return dict(self._whole.left_out)

    @property
    def others(self) -> list[str]:
        """The columns that the search uses only if `attributes` names them."""
        return [name for name in self._columns if name not in self.attributes]

    @property
    def rows(self) -> int:
        """The number of rows behind all values."""
        return self._preview.rows

    def distribution(self, column: str) -> list[Bar]:
        """Return a histogram of a column over the rows behind the values."""
        return self._preview.distribution(column)

    def predicate(self, clauses: Sequence[dict[str, Any]]) -> Predicate:
        """Build a predicate from JSON clauses, such as `{"column": "hour", "low": 3, "high": 5}` or with `values`."""
        return Predicate(tuple(self._condition(each) for each in clauses))

    def _condition(self, clause: dict[str, Any]) -> Condition:
        """Build one condition of a predicate from a JSON clause. Raise if it does not fit the column."""
        column = str(clause["column"])
        if column not in self._columns:
            raise UnknownColumn(f"{column} is no column to explain with.", f"There are {', '.join(self._columns)}.")
        part = self._preview.part_of(column, clause["part"]) if clause.get("part") else None
        if clause.get("values") is not None:
            return Values(column, tuple(clause["values"]), part)
        if part is not None:
            return Range(column, clause.get("low"), clause.get("high"), part=part)
        found = self._preview.range_of(column, clause.get("low"), clause.get("high"))
        if found is None:
            raise UserError(f"{column} has values but no order.", "Name values of it in place of a range.")
        return found

    def preview(self, predicate: Predicate, *, keep: bool = False) -> list[float | None]:
        """Recompute the column without the rows that meet a predicate, or with `keep` from them alone.

        A value is None where no row is left.
        """
        found = self._preview.recompute(predicate, keep=keep)
        return [found.get(row) for row in range(self.record.rows)]

    def count(self, predicate: Predicate) -> int:
        """Count the rows behind the values that meet a predicate."""
        return int(self._preview.matching_rows(predicate).sum())

    def overlap(self, one: Predicate, other: Predicate) -> int:
        """Count the rows behind the values that meet both predicates."""
        return int((self._preview.matching_rows(one) & self._preview.matching_rows(other)).sum())

    def search(
        self,
        outliers: Sequence[int],
        fine: Sequence[int] | None,
        direction: Direction,
        attributes: Sequence[str] | None = None,
        partial: Callable[[Explanations[Any]], bool | None] | None = None,
    ) -> Explanations[D]:
        """Explain why these values look odd. `fine` are the hold-outs, None means all other values but nulls."""
        known = self._whole.marked if fine is None else fine
        holdouts = [row for row in known if row not in set(outliers)]
        return explain_values(
            self._context,
            self.record,
            self._make,
            self.column,
            outliers,
            holdouts=holdouts,
            direction=direction,
            attributes=attributes,
            partial=partial,
        )

    @cached_property
    def _meaning(self) -> Meaning:
        return Meaning(self._whole, self.column)

    def cells(self, predicate: Predicate, *, keep: bool = False) -> dict[str, CellValues]:
        """Return notebook cells that apply a predicate: a filter, a label column, and a caveat if there is a measure.

        Their rows are those of the preview. Empty if the predicate uses columns of another dataset.
        """
        if set(predicate.columns) & self._whole.foreign:
            return {}
        source, condition = self._whole.input.name, self._meaning.condition(predicate)
        # A condition that is NULL does not hold in the preview. `not NULL` would drop such rows from the filter.
        holds = f"coalesce({condition}, false)"
        kept = holds if keep else f"not {holds}"
        label = f"select *, {holds} as explained from {quoted(source)}"
        made: dict[str, CellValues] = {
            "filter": {"kind": "filter", "values": {"source": source, "condition": kept, "name": f"{source}_filtered"}},
            "label": {"kind": "sql", "values": {"source": label, "name": f"{source}_labelled"}},
        }
        if self._whole.measure is not None:
            said = {"source": source, "where": condition, "column": self._whole.measure, "name": f"{source}_doubted"}
            message = self._meaning.doubt(predicate, self._whole.measure)
            made["caveat"] = {"kind": "caveat", "values": {**said, "message": message}}
        return made
