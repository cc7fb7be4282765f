"""`Pipeline`: prepares a dataset step by step, one method for each transformation, and answers questions about it."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

from whence.model.errors import UserError
from whence.model.plural import counted
from whence.model.schema import Schema
from whence.pipeline.apply import find_transformation
from whence.pipeline.call import operation_maker
from whence.pipeline.chain import Chain
from whence.pipeline.count_cells import count_cells
from whence.pipeline.history import read_history
from whence.pipeline.operation import Counts, Operation
from whence.pipeline.questions.runs import RunDifference, compare_runs
from whence.pipeline.report import html_report, text_report
from whence.pipeline.trail import Trail
from whence.transformations.plan import TransformationPlan
from whence.transformations.vocabulary.registry import TRANSFORMATIONS
from whence.transformations.vocabulary.transform import Rule
from whence.workspace.dataset import Dataset
from whence.workspace.provenance import Provenance
from whence.workspace.references import version_of

Names = str | Sequence[str]


class Pipeline:
    """A chain of operations that prepares a dataset. Every value of the result has a history of operations.

    An operation that must learn from the data, such as a mean, runs a query at once. Everything else waits for
    `result` or a question, and then all steps run as one query.

    >>> people = ws.create("people", [("Ada", 36), ("Bob", None), ("Cy", 40)], schema="name string, age int")
    >>> p = whence.Pipeline(people, name="ready").impute({"age": "mean"}).normalize(["age"])
    >>> p.result.to_arrow().column("age").to_pylist()
    [0.0, 0.5, 1.0]
    >>> [(ref.row, ref.role) for ref in p.provenance.why(1, "age", statistics=False)]
    [(1, 'computed')]
    """

    def __init__(self, dataset: Dataset, name: str | None = None) -> None:
        self._context = dataset.context
        store = self._context.store
        self._chain = Chain(
            self._context.derive,
            dataset.record,
            name or f"{dataset.name}_prepared",
            lambda reference: version_of(store, reference),
        )
        self._trail: Trail | None = None
        self._provenance: Provenance | None = None
        self._is_finished = False

    @classmethod
    def from_dataset(cls, dataset: Dataset, since: Dataset | str | None = None) -> Self:
        """Reconstruct the pipeline that made a dataset from its history: each query, lens or step is an operation.

        The history follows the first input of each query, back to what was loaded or to `since`. For the result of a
        pipeline this returns the steps of that pipeline, also in another session.

        >>> ws.create("orders", [(1, 5.0), (2, None), (3, 7.0)], schema="id int, price double").count
        3
        >>> _ = ws.sql("select id, price * 2 as double_price from orders where price > 0", name="doubled")
        >>> top = ws.sql("select id, round(double_price) as p from doubled", name="rounded")
        >>> q = whence.Pipeline.from_dataset(top).provenance
        >>> [each.kind for each in q.transformations()], [(ref.row, ref.column) for ref in q.why(1, "p")]
        (['query', 'query'], [(2, 'price')])
        """
        pipeline = cls(dataset, name=dataset.name)
        pipeline._read(dataset, since)
        return pipeline

    def _read(self, dataset: Dataset, since: Dataset | str | None) -> None:
        context = self._context
        oldest = None if since is None else version_of(context.store, since)
        segments = read_history(context.store, context.readers.edges, dataset.record, oldest, self._count)
        self._chain.take(segments)
        self._is_finished = True

    @property
    def name(self) -> str:
        """The name of the result."""
        return self._chain.name

    @property
    def operations(self) -> list[Operation]:
        """The operations so far, in order."""
        return [step.operation for step in self._chain.steps]

    @property
    def columns(self) -> list[str]:
        """The columns after the steps so far."""
        return list(self._chain.schema.names)

    def step(self, transformation: str, **parameters: object) -> Self:
        """Apply any transformation, by its name in `ws.lenses()`.

        >>> words = ws.create("words", [(" a",), ("b ",)], schema="w string")
        >>> whence.Pipeline(words, name="short").step("trim", columns=["w"]).result.to_arrow()["w"].to_pylist()
        ['a', 'b']
        """
        return self._add(find_transformation(transformation).name, **parameters)

    def select(self, columns: Names) -> Self:
        """Keep these columns, in this order."""
        return self._add("select", columns=columns)

    def drop_columns(self, columns: Names | None = None, *, null_rate: float | None = None) -> Self:
        """Drop columns by name, or those in which a larger share of values than `null_rate` is missing."""
        return self._add("drop_columns", columns=columns, null_rate=null_rate)

    def filter(self, condition: str) -> Self:
        """Keep the rows for which a SQL condition holds."""
        return self._add("filter", condition=condition)

    def drop_rows(self, condition: str | None = None, *, null_rate: float | None = None) -> Self:
        """Drop rows for which a condition holds, or in which a larger share of values than `null_rate` is missing."""
        return self._add("drop_rows", condition=condition, null_rate=null_rate)

    def drop_missing(self, columns: Names | None = None, *, how: Literal["any", "all"] = "any") -> Self:
        """Drop rows in which a value of these columns (or of any column) is missing."""
        return self._add("drop_missing", columns=columns, how=how)

    def drop_duplicates(self, columns: Names | None = None, *, keep: Literal["first", "last"] = "first") -> Self:
        """Keep one of the rows that are equal (in these columns). Cells in which such rows differ are in doubt."""
        return self._add("drop_duplicates", columns=columns, keep=keep)

    def sample(
        self, fraction: float | None = None, *, rows: int | None = None, by: str | None = None, seed: int = 0
    ) -> Self:
        """Keep a fraction or a number of the rows, for each value of `by`. The same seed draws the same rows."""
        return self._add("sample", fraction=fraction, rows=rows, by=by, seed=seed)

    def undersample(self, column: str, *, to: int | None = None, seed: int = 0) -> Self:
        """Keep as many rows of each class of a column as the rarest class has, or `to` rows."""
        return self._add("undersample", column=column, to=to, seed=seed)

    def oversample(self, column: str, *, to: int | None = None, seed: int = 0) -> Self:
        """Repeat rows of each class of a column until it has as many as the largest class, or `to` rows."""
        return self._add("oversample", column=column, to=to, seed=seed)

    def impute(self, columns: Mapping[str, object], *, by: Names = (), using: Names = ()) -> Self:
        """Fill missing values: `mean`, `median`, `mode`, `model` (of the columns `using`) or a value.

        Each filled cell is in doubt, and its caveat says what was filled in. With `by`, the statistic comes from the
        rows that are equal in these columns. Write a text value as `{"value": "..."}`.

        >>> trips = ws.create("trips", [("a", 1.0), ("a", 3.0), ("a", None), ("b", 7.0)], schema="k string, x double")
        >>> whence.Pipeline(trips, name="full").impute({"x": "mean"}, by=["k"]).result.to_arrow()["x"].to_pylist()
        [1.0, 3.0, 2.0, 7.0]
        """
        return self._add("impute", columns=columns, by=by, using=using)

    def transform(
        self,
        columns: Names | Mapping[str, Rule],
        expression: Rule | None = None,
        *,
        returns: str | None = None,
    ) -> Self:
        """Recompute columns by SQL (`{}` is the column), by a mapping of values, or by a Python function of a value.

        Pass one rule for all columns, or a mapping with a rule for each.

        >>> codes = ws.create("codes", [("A1", 1), ("A2", 2)], schema="code string, n int")
        >>> p = whence.Pipeline(codes, name="words").transform({"code": {"A1": "low", "A2": "high"}, "n": "{} * 10"})
        >>> p.result.to_arrow().to_pylist()
        [{'code': 'low', 'n': 10}, {'code': 'high', 'n': 20}]
        """
        return self._add("transform", columns=columns, expression=expression, returns=returns)

    def replace(
        self,
        values: Mapping[Any, object] | None = None,
        columns: Names | None = None,
        *,
        pattern: str | None = None,
        replacement: str = "",
        assuming: str | None = None,
    ) -> Self:
        """Replace values by others or by NULL, in all or some columns; or replace what matches a pattern in texts.

        >>> jobs = ws.create("jobs", [("?",), ("cook",)], schema="job string")
        >>> whence.Pipeline(jobs, name="known").replace({"?": None}).result.to_arrow()["job"].to_pylist()
        [None, 'cook']
        """
        text = replacement or None
        return self._add(
            "replace", values=values, columns=columns, pattern=pattern, replacement=text, assuming=assuming
        )

    def binarize(self, columns: Mapping[str, float | str]) -> Self:
        """Make numbers above a threshold 1 and others 0; or 1 where a condition holds."""
        return self._add("binarize", columns=columns)

    def normalize(self, columns: Names | None = None, method: str = "min-max") -> Self:
        """Bring numbers to one scale: min-max, z, robust or decimal."""
        return self._add("normalize", columns=columns, method=method)

    def discretize(
        self,
        columns: Mapping[str, int | Sequence[float]],
        method: str = "width",
        *,
        labels: Mapping[str, Sequence[str]] | None = None,
    ) -> Self:
        """Put numbers into bins: a number of bins of equal width (`quantile`: of equally many rows), or given edges.

        >>> ages = ws.create("ages", [(7,), (18,), (70,)], schema="age int")
        >>> p = whence.Pipeline(ages, name="bins")
        >>> _ = p.discretize({"age": [18, 65]}, labels={"age": ["young", "adult", "old"]})
        >>> p.result.to_arrow()["age"].to_pylist()
        ['young', 'adult', 'old']
        """
        return self._add("discretize", columns=columns, method=method, labels=labels)

    def derive(self, columns: Mapping[str, str], *, drop: Names = ()) -> Self:
        """Make new columns from SQL expressions over the row, and drop others in the same step."""
        return self._add("derive", columns=columns, drop=drop)

    def one_hot(self, columns: Names, *, keep: bool = False) -> Self:
        """Make a column `column_value` of zeros and ones for each value. A missing value gives zeros."""
        return self._add("one_hot", columns=columns, keep=keep)

    def string_index(self, columns: Names, *, keep: bool = False) -> Self:
        """Number the values of a column in `column_index`, the most frequent first."""
        return self._add("string_index", columns=columns, keep=keep)

    def generate(
        self,
        by: Names = (),
        values: Mapping[str, str] | None = None,
        *,
        rows: Sequence[Mapping[str, object]] = (),
    ) -> Self:
        """Add a row for each group, with aggregates of it, or add given rows."""
        return self._add("generate", by=by, values=values, rows=rows)

    def rename(self, columns: Mapping[str, str]) -> Self:
        """Rename columns. Questions still find them under their old names."""
        return self._add("rename", columns=columns)

    def sort(self, columns: Names) -> Self:
        """Sort the rows by columns. `-name` sorts in descending order."""
        return self._add("sort", columns=columns)

    def join(
        self, other: Dataset | str, on: Names | None = None, how: str = "inner", *, condition: str | None = None
    ) -> Self:
        """Add the columns of another dataset where it is equal in `on`, or where a condition over `l` and `r` holds.

        `how` is inner, left, right, full, semi, anti or cross.
        """
        return self._add("join", other=other, on=on, condition=condition, how=how)

    def union(self, other: Dataset | str | Sequence[Dataset | str], *, fill: bool = False) -> Self:
        """Add the rows of other datasets, matched by column names; with `fill` also columns that only they have."""
        return self._add("union", other=other, fill=fill)

    def group_by(self, columns: Names, values: Mapping[str, str]) -> Self:
        """Make one row for each group, with aggregates."""
        return self._add("group_by", columns=columns, values=values)

    def pivot(self, index: Names, columns: str, values: str, aggregate: str = "sum") -> Self:
        """Make one row for each group of the index, and one column for each value of `columns`."""
        return self._add("pivot", index=index, columns=columns, values=values, aggregate=aggregate)

    def apply(self, function: object, columns: Names | None = None) -> Self:
        """Call Python on the table, or on some columns: a function of a pandas frame, or a scikit-learn transformer.

        It runs at once, on this machine. whence identifies rows by the frame's index, which the function must keep, and
        finds out what changed by comparing columns.

        >>> heights = ws.create("heights", [(1.0,), (3.0,)], schema="h double")
        >>> p = whence.Pipeline(heights, name="doubled").apply(lambda frame: frame.assign(h=frame.h * 2))
        >>> p.result.to_arrow()["h"].to_pylist(), p.operations[0].is_inferred
        ([2.0, 6.0], True)
        """
        if self._is_finished:
            raise UserError(f"{self.name} was read off a dataset and is finished.", "Start a pipeline on its result.")
        chosen = [columns] if isinstance(columns, str) else columns
        make = self._maker("apply", {"function": function, "columns": chosen})
        self._chain.add_python(make, function, chosen)
        self._trail = self._provenance = None  # answers about the steps so far do not cover the new one
        return self

    @property
    def result(self) -> Dataset:
        """The result as a dataset. The steps run when it is first used."""
        return Dataset(self._context, self._chain.result())

    @property
    def provenance(self) -> Provenance:
        """Questions about every value of the result, and about every value that was dropped or overwritten."""
        if self._provenance is None:
            self._provenance = Provenance(self._context, self._walked())
        return self._provenance

    def report(self, path: str | os.PathLike[str] | None = None, groups: Names = ()) -> str:
        """Return one line about what each step did. With a path, also write an HTML page, with the shares of `groups`.

        >>> cats = ws.create("cats", [("tom", 3), ("kit", None)], schema="name string, age int")
        >>> print(whence.Pipeline(cats, name="grown_cats").drop_missing(["age"]).report())
        1. drop_missing: Dropped rows with a value of age missing. 1 rows (1 dropped)
        """
        if path is not None:
            page = html_report(self._walked(), self.name, [groups] if isinstance(groups, str) else groups)
            Path(path).write_text(page, encoding="utf-8")
        return text_report(self._walked())

    def diff(self, other: Pipeline) -> RunDifference:
        """Compare this pipeline with another over the same input: their operations, and their results by record.

        >>> marks = ws.create("marks", [(1,), (5,)], schema="x int")
        >>> one = whence.Pipeline(marks, name="one").filter("x > 1")
        >>> print(one.diff(whence.Pipeline(marks, name="two").filter("x > 0")))
        step 1: filter(condition='x > 1') here, filter(condition='x > 0') there
        0 records only here, 1 only there, 0 cells differ in 0 columns
        """
        return compare_runs(self._walked(), other._walked())

    def _walked(self) -> Trail:
        if self._trail is None:
            self._chain.result()
            self._trail = Trail(
                self._context.store, self._context.engine, self._context.readers.edges, self._chain.segments
            )
        return self._trail

    def _add(self, kind: str, **parameters: object) -> Self:
        if self._is_finished:
            raise UserError(f"{self.name} was read off a dataset and is finished.", "Start a pipeline on its result.")
        make = self._maker(kind, parameters)
        self._chain.add(TRANSFORMATIONS[kind], make, parameters)
        self._trail = self._provenance = None  # answers about the steps so far do not cover the new one
        return self

    def _maker(
        self, kind: str, parameters: Mapping[str, object]
    ) -> Callable[[TransformationPlan, Schema, Schema], Operation]:
        """Return the function that describes this call as an operation, once its columns are known."""
        index = len(self._chain.steps)
        return operation_maker(index, kind, parameters, _caller(), lambda: self._count(index))

    def _count(self, index: int) -> Counts:
        trail = self._walked()
        return count_cells(trail, trail.steps[index])

    def __repr__(self) -> str:
        return f"<Pipeline {self.name}: {counted(len(self._chain.steps), 'step')} over {self._chain.input.label}>"


def _caller() -> str:
    """Return the file and line of the user's program that called an operator."""
    frame = inspect.currentframe()
    # Operators come here on ways of different length, all of which lie in this file.
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return "" if frame is None else f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
