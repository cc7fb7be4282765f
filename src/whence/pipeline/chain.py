"""A pipeline under construction: its steps so far, the frame they give, and the versions stored on the way.

Steps that only keep rows of the step before are nested and run as one query. The chain stores a dataset version only
where a step makes or reorders rows (join, union, group, repeat, sort, window function), or calls a Python function,
which must not run twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache

from whence.derive.derive import derive
from whence.derive.from_code import CodeResult, IdentifiedRows, derive_table
from whence.derive.request import DeriveContext, Request
from whence.derive.rule_failure import RuleFailure, guard_rules
from whence.engine.engine import Engine
from whence.engine.frames import Frame
from whence.engine.query import Query
from whence.engine.script import Level
from whence.model.dataset import DatasetRecord, Origin
from whence.model.errors import InternalError, UserError
from whence.model.schema import Field, Schema
from whence.pipeline.document import DOCUMENT, to_document, to_recipe
from whence.pipeline.operation import Operation
from whence.pipeline.outcome import doubt_of, standing_notes, step_report
from whence.pipeline.python_step import PythonStepResult, apply_python, name_of
from whence.pipeline.segment import Segment
from whence.pipeline.step import PipelineStep
from whence.plan.formula import NAME as FORMULAS
from whence.plan.formula import formulas
from whence.plan.sql_text import quoted
from whence.store.types import schema_of
from whence.transformations.declared_ranges import declared_ranges
from whence.transformations.doubt_sql import condition_with_doubts, new_rows_query, outputs_with_doubts
from whence.transformations.input_table import RID, InputTable, Row
from whence.transformations.plan import NewRows, Output, TransformationPlan
from whence.transformations.report import DOCUMENT as REPORT
from whence.transformations.report import earlier_report
from whence.transformations.transformation import Transformation
from whence.transformations.vocabulary.apply import python_templates


class Chain:
    """The steps of one pipeline over its input."""

    def __init__(
        self,
        context: DeriveContext,
        base: DatasetRecord,
        name: str,
        find: Callable[[object], DatasetRecord],
        origin: Origin = "pipeline",
        *,
        is_reusable: bool = False,
    ) -> None:
        self._derive = context
        self._engine = context.engine
        self._find = find
        self._origin: Origin = origin
        self._is_reusable = is_reusable
        self.name = name
        self.input = base
        self.segments = [Segment(base)]
        self._frame: Frame | None = None
        """The rows of the last segment after its steps, except those in `_waiting`."""
        self._waiting: list[TransformationPlan] = []
        """Steps whose rows were not needed yet. Spark gets all of them in one go."""
        self._made: PythonStepResult | None = None
        """The result of the last Python step, until it is stored."""

    @property
    def steps(self) -> list[PipelineStep]:
        """Every step, in order."""
        return [step for segment in self.segments for step in segment.every_step]

    @property
    def schema(self) -> Schema:
        """The columns after the last step."""
        steps = self.steps
        return steps[-1].after if steps else self.input.schema

    def add(
        self,
        transformation: Transformation,
        make: Callable[[TransformationPlan, Schema, Schema], Operation],
        parameters: Mapping[str, object],
    ) -> PipelineStep:
        """Append a transformation, planned over the rows that the steps so far give."""
        segment = self._open_segment()
        before = self.schema
        label = f"{self.name} before step {len(self.steps) + 1}" if self.steps else self.input.label
        arguments = transformation.bind(label, before, parameters)
        with ExitStack() as stack:
            plan = transformation.plan(self._input_table(segment, label, stack), arguments)
        # Another run of such a step, say one with rand(), would give other values than the result shows.
        if not plan.is_repeatable and plan.new_rows is None:
            plan = _with_stored_rows(plan)
        # The query of a step that makes new rows is analysed now, as only Spark knows the columns it gives.
        frame = None if plan.new_rows is None else self.new_rows_frame(self._in_order(segment), plan)
        after = self._schema_after(segment, plan, before) if frame is None else _without_rid(self._engine, frame)
        step = PipelineStep(make(plan, before, after), plan, before, after, parameters)
        if frame is None:
            self._waiting.append(plan)
            segment.steps.append(step)
            # A result that was stored before lacks this step.
            segment.out = None
        else:
            segment.closing = step
            self._frame = frame
        return step

    def _input_table(self, segment: Segment, label: str, stack: ExitStack) -> InputTable:
        """Return what a transformation may ask about the rows of a segment; the stack's end drops their SQL view."""
        before, store = self.schema, self._derive.store
        # Registered on first use: a transformation that only reads the schema needs no view.
        name = cache(lambda: stack.enter_context(self._engine.view(self._current(segment))))

        def ask(text: str) -> list[Row]:
            found: list[Row] = self._engine.to_arrow(self._engine.query(text)).to_pylist()
            return found

        # Without a filter the rows are those of the base, so counting them and finding their ids takes no query.
        is_complete = all(step.plan.row_filter is None for step in segment.steps)

        def count() -> int:
            return segment.base.rows if is_complete else int(str(ask(f"select count(*) n from {name()}")[0]["n"]))

        def rid_at(place: int) -> int:
            if is_complete:
                return place
            (row,) = ask(f"select {RID} from {name()} order by {RID} limit 1 offset {place}")
            return int(str(row[RID]))

        return InputTable(
            label=label,
            schema=before,
            name_view=name,
            ask=ask,
            read_expressions=lambda expressions: self._engine.reads(
                lambda: self._current(segment), expressions, _with_rid(before)
            ),
            check_expression=self._engine.check_expression,
            find_dataset=self._find,
            count_rows=count,
            rid_at=rid_at,
            doubt=doubt_of(segment),
            earlier=lambda known: earlier_report(store, self.name, known),
            # What a step has made of a column is no longer what was checked.
            declared=lambda: {} if segment.steps else declared_ranges(store, segment.base),
        )

    def _schema_after(self, segment: Segment, plan: TransformationPlan, before: Schema) -> Schema:
        """Return the columns after a step; Spark is asked for the types that the plan does not state."""
        unknown = [each.sql for each in plan.outputs if not each.type]
        found: Iterator[str] = iter(())
        # Expressions over temporary columns have a type only together with the stages that make these.
        if unknown and plan.below:
            levels = _levels(plan)
            shown = self._engine.schema_of(self._engine.stack_selections(self._current(segment), levels))
            return Schema(tuple(each for each in shown if each.name != RID))
        if unknown:
            found = iter(self._engine.types_over(lambda: self._current(segment), _with_rid(before), unknown))
        return Schema(tuple(Field(each.name, each.type or next(found)) for each in plan.outputs))

    def add_python(
        self,
        make: Callable[[TransformationPlan, Schema, Schema], Operation],
        function: object,
        columns: Sequence[str] | None,
    ) -> PipelineStep:
        """Append a Python step: call the function on the rows so far, now and only once."""
        segment, before = self._open_segment(), self.schema
        made = apply_python(function, self._engine.to_arrow(self._in_order(segment)), columns)
        everything = before.names if columns is None else tuple(columns)
        plan = python_templates(before, everything, name_of(function), made.changed)
        after = schema_of(made.table.schema)
        segment.closing = step = PipelineStep(make(plan, before, after), plan, before, after)
        self._made = made
        return step

    def result(self) -> DatasetRecord:
        """Return the result of all steps; run them and store it under the pipeline's name on the first call."""
        segment = self.segments[-1]
        if segment.out is None:
            segment.out = self._keep(segment, self.name)
        return segment.out

    def close_segment(self) -> DatasetRecord:
        """Return the version that stores the rows after a step that made new rows; store it on the first call."""
        segment = self.segments[-1]
        if segment.closing is None:
            raise InternalError(f"The last step of {self.name} does not end a segment.")
        if segment.out is None:
            # A version on the way is named after the pipeline and the step, such as `ready.3`.
            segment.out = self._keep(segment, f"{self.name}.{segment.closing.operation.number}")
        return segment.out

    def continue_from(self, stored: DatasetRecord) -> None:
        """Open the next segment over the version that stores the result of the last one."""
        self.segments[-1].out = stored
        self.segments.append(Segment(stored))
        self._frame, self._waiting = None, []

    def take(self, segments: list[Segment]) -> None:
        """Replace the steps by segments read from a history, all of which have run."""
        self.segments = segments
        self.input = segments[0].base

    def replay(self) -> Query:
        """Return the query of the last segment, made again from its steps."""
        segment = self.segments[-1]
        self._frame, self._waiting = None, [step.plan for step in segment.steps]
        if segment.closing is not None:
            self._frame = self.new_rows_frame(self._in_order(segment), segment.closing.plan)
        return self._engine.read(self._visible(segment), is_collapsed=True)

    def new_rows_frame(self, frame: Frame, plan: TransformationPlan) -> Frame:
        """Return the frame of a step that makes other rows than its input has."""
        engine, new_rows = self._engine, plan.new_rows or NewRows()
        if new_rows.functions:
            return engine.apply_functions(frame.drop(RID), new_rows.functions, new_rows.types)
        with ExitStack() as stack:
            text = new_rows_query(plan).replace("{input}", stack.enter_context(engine.view(frame)))
            for number, other in enumerate(new_rows.others):
                text = text.replace(f"{{other{number}}}", stack.enter_context(engine.view(engine.frame(other))))
            return engine.query(text)

    def start(self, base: DatasetRecord) -> Frame:
        """Return a stored version as a frame, with the row id of each row."""
        return self._engine.with_row_numbers(base, RID)

    def _open_segment(self) -> Segment:
        """Return the segment that takes the next step; if a step closed the last one, store it and open another."""
        if self.segments[-1].closing is not None:
            self.continue_from(self.close_segment())
        return self.segments[-1]

    def _current(self, segment: Segment) -> Frame:
        if self._frame is None:
            self._frame = self.start(segment.base)
        if self._waiting:
            self._frame = self._engine.stack_selections(self._frame, self._untold())
            self._waiting = []
        return self._frame

    def _in_order(self, segment: Segment) -> Frame:
        """Return the rows in the order of the base, sorted again if a window function shuffled them."""
        frame = self._current(segment)
        return frame.orderBy(RID) if _is_mixed(segment) else frame

    def _visible(self, segment: Segment) -> Frame:
        """Return the rows without their row ids; the selection that drops these joins the waiting steps."""
        if segment.closing is not None:
            return self._current(segment)
        if _is_mixed(segment) or not self._waiting:
            return self._in_order(segment).drop(RID)
        before = self.start(segment.base) if self._frame is None else self._frame
        shown = Level(tuple(map(quoted, self.schema.names)))
        return self._engine.stack_selections(before, [*self._untold(), shown])

    def _untold(self) -> list[Level]:
        return [level for plan in self._waiting for level in _levels(plan)]

    def _keep(self, segment: Segment, name: str) -> DatasetRecord:
        if not self.steps:
            raise UserError(f"{self.name} has no step yet.", "Call an operator first, for example filter.")
        last = segment.every_step[-1]
        code = "\n".join(step.operation.code for step in segment.every_step)
        text = last.plan.description if self._origin == "lens" else code
        if self._made is not None:
            rows = IdentifiedRows(segment.base, self._made.rids)
            made, self._made = self._made, None
            return derive_table(self._derive, CodeResult(name, made.table, [segment.base], rows, code))
        # Collapsed: the projections of all steps become one, so that there is less plan to read and to rewrite.
        query = self._engine.read(self._visible(segment), is_collapsed=True)
        documents = {
            DOCUMENT: to_document(self.name, self.input, self.segments),
            REPORT: step_report(last).to_json(),
            **self._formulas(query),
        }
        notes = standing_notes(segment)
        request = Request(
            query,
            name,
            self._origin,
            text,
            # `Trail` answers every question from the row lineage of this version, so it is never deferred.
            must_inject=True,
            is_reusable=self._is_reusable,
            recipe=to_recipe(segment.every_step),
            documents=documents,
            caveats=notes,
        )
        return derive(self._derive, request)

    def _formulas(self, query: Query) -> dict[str, object]:
        """Return how columns were computed; empty if a rule fails, which `derive` then handles and reports."""
        try:
            with guard_rules(self._engine, "read"):
                return _formulas(query)
        except RuleFailure:
            return {}


def apply_plan(
    engine: Engine, frame: Frame, plan: TransformationPlan, beside: Mapping[str, str] | None = None
) -> Frame:
    """Apply a step to the frame before it; `beside` are columns to carry along, by name with their expression."""
    return engine.stack_selections(frame, _levels(plan, beside))


def _levels(plan: TransformationPlan, beside: Mapping[str, str] | None = None) -> list[Level]:
    """Return a step as stacked selections, with the caveats of its guesses."""
    extra = [Output(RID, RID), *(Output(name, sql) for name, sql in (beside or {}).items())]
    columns = tuple(f"{each.sql} as {quoted(each.name)}" for each in (*outputs_with_doubts(plan), *extra))
    stages = [[f"{each.sql} as {quoted(each.name)}" for each in stage] for stage in plan.below]
    if plan.row_filter is not None and plan.row_filter.helper:
        stages.append([f"{plan.row_filter.helper} as {quoted(plan.row_filter.helper_name)}"])
    return [*(Level(("*", *stage)) for stage in stages), Level(columns, condition_with_doubts(plan))]


def _is_mixed(segment: Segment) -> bool:
    """Whether a filter with a window function is among the steps: Spark shuffles rows for it."""
    return any(step.plan.row_filter is not None and step.plan.row_filter.helper for step in segment.steps)


def _with_rid(schema: Schema) -> Schema:
    return Schema((*schema, Field(RID, "bigint")))


def _without_rid(engine: Engine, frame: Frame) -> Schema:
    return Schema(tuple(each for each in engine.schema_of(frame) if each.name != RID))


def _formulas(query: Query) -> dict[str, object]:
    """Return the formula of each column that is a copy, and `unknown` for others: templates describe these.

    Plans that group rows are left to `derive`, which states the formulas of aggregates.
    """
    plan = query.read.plan
    if plan is None or any(step.group_by is not None for step in plan.walk()):
        return {}
    shown = formulas(plan, ((column, column.name) for column in query.columns))
    # Computed columns are left out: with their formulas the document of the Census pipeline was over 64 kB.
    step_of_ours = {"kind": "unknown", "why": "a pipeline"}
    return {FORMULAS: {name: each if each["kind"] == "column" else step_of_ours for name, each in shown.items()}}


def _with_stored_rows(plan: TransformationPlan) -> TransformationPlan:
    """Return the plan of a step that is not repeatable as one whose rows are stored."""
    columns = ", ".join(f"{each.sql} as {quoted(each.name)}" for each in plan.outputs)
    return replace(plan, new_rows=NewRows(f"select {columns} from {{input}}"), is_repeatable=True)
