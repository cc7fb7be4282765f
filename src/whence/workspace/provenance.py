"""`pipeline.provenance`: the questions that a pipeline answers about every value, kept or gone."""

from __future__ import annotations

import os
import uuid
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from whence.model.cellref import CellRef
from whence.model.errors import UnknownRow
from whence.pipeline.export.closure import closure
from whence.pipeline.export.graph import ExportReading, Graph, Kind
from whence.pipeline.export.openlineage import run_event
from whence.pipeline.export.prov_document import write_prov
from whence.pipeline.features import Features
from whence.pipeline.operation import Operation
from whence.pipeline.questions import applied_to, invalidations
from whence.pipeline.questions.bias import BiasReport, bias
from whence.pipeline.questions.how import HowStep, how
from whence.pipeline.questions.impact import Reached, impact
from whence.pipeline.questions.invalidations import Invalidations
from whence.pipeline.questions.missing import WhyMissing, why_missing
from whence.pipeline.questions.spread import DatasetSpread, FeatureSpread, Spreads
from whence.pipeline.questions.why import why
from whence.pipeline.trail import Trail
from whence.transformations.template import Reading
from whence.workspace.checked import checked_column, checked_row
from whence.workspace.context import Context


class Provenance:
    """Questions about what happened to every value.

    `why` and `how` take rids of the result. All other questions take records: the rids of the input, then the numbers
    after them for rows that a step added. A column may be named by any name it ever had. Where a question has a
    `reading`, "changed" counts the cells whose value differs, "touched" all cells of a column that an operation wrote.
    """

    def __init__(self, context: Context, trail: Trail) -> None:
        self._context = context
        self._trail = trail

    def transformations(self) -> list[Operation]:
        """Return every operation, in order.

        >>> ages = ws.create("ages", [(36,), (None,), (40,)], schema="age int")
        >>> p = whence.Pipeline(ages, name="prepared").impute({"age": "mean"}).filter("age > 36")
        >>> done = p.provenance.transformations()
        >>> [(each.kind, each.rows_before, each.rows_after, each.cells_changed) for each in done]
        [('impute', 3, 3, 1), ('filter', 3, 2, 0)]
        """
        return [step.operation for step in self._trail.steps]

    def why(self, row: int, column: str, *, statistics: bool = True) -> list[CellRef]:
        """Return the input cells behind a result cell. Those behind a mean or a scale have the role `aggregated`.

        >>> people = ws.create("people", [("Ada", 36), ("Bob", None)], schema="name string, age int")
        >>> p = whence.Pipeline(people, name="grown").derive({"next": "age + 1"}, drop=["age"])
        >>> [(ref.row, ref.column, ref.role, ref.value) for ref in p.provenance.why(0, "next")]
        [(0, 'age', 'computed', 36)]
        """
        result = self._trail.result
        row, column = checked_row(result, row), checked_column(result, column)
        return why(self._trail, self._context.store, row, column, statistics=statistics)

    def how(self, row: int, column: str, reading: Reading = "changed") -> list[HowStep]:
        """Return the steps that made a cell of the result, from the input on, each with the value before and after.

        >>> names = ws.create("names", [(" ada ",)], schema="name string")
        >>> p = whence.Pipeline(names, name="proper").transform("name", "trim({})").transform("name", "initcap({})")
        >>> [(step.operation.index, step.before, step.after) for step in p.provenance.how(0, "name")]
        [(0, ' ada ', 'ada'), (1, 'ada', 'Ada')]
        """
        result = self._trail.result
        row, column = checked_row(result, row), checked_column(result, column)
        return how(self._trail, self._context.store, row, column, reading)

    def record_ids(self) -> npt.NDArray[np.int64]:
        """Return the record of each row of the result: the rid of its input row, or a number after those."""
        return self._trail.result_records

    def feature_operations(self, column: str) -> list[Operation]:
        """Return the operations that made, wrote, read or dropped a column. Row filters are not among them."""
        return applied_to.feature_operations(self._trail, self._features, column)

    def record_operations(self, row: int, reading: Reading = "changed") -> list[Operation]:
        """Return the operations on a record: those that wrote or dropped its cells, and the row operations it met."""
        return applied_to.record_operations(self._trail, self._record(row), reading)

    def item_operations(self, row: int, column: str, reading: Reading = "changed") -> list[Operation]:
        """Return the column operations on one item, that is, one cell of a record."""
        return applied_to.item_operations(self._trail, self._features, self._record(row), column, reading)

    def invalidations(self, reading: Reading = "changed") -> Invalidations:
        """Return what the pipeline removed: `.features`, `.records`, `.items`, and how many of each.

        >>> table = ws.create("table", [(1, "a"), (2, None)], schema="x int, y string")
        >>> gone = whence.Pipeline(table, name="less").drop_missing().drop_columns(["x"]).provenance.invalidations()
        >>> gone, list(gone.features), list(gone.records)
        (<1 features, 1 records and 3 values are gone>, ['x'], [1])
        """
        return Invalidations(self._trail, self._features, reading)

    def feature_invalidation(self, column: str) -> Operation | None:
        """Return the operation that dropped a column; None if the result still has it."""
        return invalidations.feature_invalidation(self._trail, self._features, column)

    def record_invalidation(self, row: int) -> Operation | None:
        """Return the operation that dropped a record; None if the result still has it."""
        return invalidations.record_invalidation(self._trail, self._record(row))

    def item_invalidation(self, row: int, column: str, reading: Reading = "changed") -> list[Operation]:
        """Return the operations that overwrote an item, then the one that deleted it, if any."""
        return invalidations.item_invalidation(self._trail, self._features, self._record(row), column, reading)

    def feature_spread(self, column: str) -> list[FeatureSpread]:
        """Return the profile of a column before and after each operation that concerns it.

        >>> scores = ws.create("scores", [(1.0,), (5.0,), (None,)], schema="score double")
        >>> p = whence.Pipeline(scores, name="scaled").drop_missing().normalize(["score"])
        >>> [(each.operation.kind, each.before.mean, each.after.mean) for each in p.provenance.feature_spread("score")]
        [('drop_missing', 3.0, 3.0), ('normalize', 3.0, 0.5)]
        """
        return self._spreads.of_feature(column)

    def dataset_spread(self) -> list[DatasetSpread]:
        """Return the rows, the columns and their profiles before and after each operation."""
        return self._spreads.of_dataset()

    def impact(self, row: int, column: str, *, statistics: bool = False) -> list[Reached]:
        """Return the cells of the result that a cell of the input went into.

        >>> colours = ws.create("colours", [("red",), ("blue",)], schema="c string")
        >>> p = whence.Pipeline(colours, name="encoded").one_hot(["c"])
        >>> [(each.column, each.rows.tolist()) for each in p.provenance.impact(1, "c")]
        [('c_blue', [1]), ('c_red', [1])]
        """
        row = checked_row(self._trail.input, row)
        return impact(self._trail, self._features, row, column, statistics=statistics)

    def why_missing(self, row: int) -> WhyMissing:
        """Return a sentence that says why a record is not in the result, and how many others were dropped with it.

        >>> jails = ws.create("jails", [("a", 1), (None, 2), (None, 3)], schema="cell string, n int")
        >>> print(whence.Pipeline(jails, name="known").drop_missing().provenance.why_missing(2))
        Dropped by step 1 (drop_missing), because cell is null; 1 others too.
        """
        return why_missing(self._trail, self._record(row))

    def bias(self, columns: str | Sequence[str]) -> BiasReport:
        """Return the share of each group, by these columns of the input, before and after each operation.

        >>> staff = ws.create("staff", [("f", 1), ("f", None), ("m", 2), ("m", 3)], schema="sex string, pay int")
        >>> report = whence.Pipeline(staff, name="paid").drop_missing().provenance.bias(["sex"])
        >>> [(each.group, each.before, each.after, each.kept) for each in report.shares]
        [('f', 2, 1, 0.5), ('m', 2, 2, 1.0)]
        """
        return bias(self._trail, [columns] if isinstance(columns, str) else list(columns))

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        row: int | None = None,
        column: str | None = None,
        reading: ExportReading = "template",
    ) -> dict[Kind, int]:
        """Write W3C PROV as .json, .provn, .ttl or .xml, and return the number of statements of each kind.

        By default it writes everything. `row` (of the result) and `column` limit it to a row, a column or a cell, with
        everything that these were made from. `reading` is "template" (as the published templates count), "changed" or
        "touched".

        >>> pairs = ws.create("pairs", [(1, 2), (3, 4)], schema="a int, b int")
        >>> p = whence.Pipeline(pairs, name="sums").derive({"total": "a + b"})
        >>> p.provenance.export("sums.json", row=0, column="total")
        {'entity': 3, 'activity': 1, 'used': 2, 'wasGeneratedBy': 1, 'wasDerivedFrom': 2, 'wasInvalidatedBy': 0}
        """
        wanted = None
        if row is not None or column is not None:
            if row is not None:
                row = checked_row(self._trail.result, row)
            wanted = closure(self._trail, self._features, row, column)
        graph = Graph(self._trail, self._features, reading, wanted)
        return write_prov(Path(path), self._trail.result.label, graph)

    def openlineage(self, namespace: str = "whence") -> dict[str, object]:
        """Return an OpenLineage event about the run, with the facet `columnLineage` of its output.

        >>> raw = ws.create("raw", [(1, 2)], schema="a int, b int")
        >>> p = whence.Pipeline(raw, name="doubled").transform(["a"], "a * 2").filter("b > 0")
        >>> event = p.provenance.openlineage()
        >>> facet = event["outputs"][0]["facets"]["columnLineage"]
        >>> facet["fields"]["a"]["inputFields"][0]["transformations"][0]["subtype"], facet["dataset"][0]["field"]
        ('TRANSFORMATION', 'b')
        """
        result = self._trail.result
        # OpenLineage wants a UUID for a run. Made from the dataset id, it is the same whenever the event is sent.
        run = str(uuid.uuid5(uuid.NAMESPACE_URL, f"whence:{result.id}"))
        return run_event(self._trail, result.name, namespace, run, result.created)

    @cached_property
    def _features(self) -> Features:
        return Features(self._trail.input.schema, self._trail.steps)

    @cached_property
    def _spreads(self) -> Spreads:
        return Spreads(self._trail, self._features)

    def _record(self, row: int) -> int:
        count = self._trail.record_count
        if not 0 <= row < count:
            raise UnknownRow(f"There is no record {row}.", f"Records are 0 to {count - 1}.")
        return int(row)
