"""A pipeline in the making: the steps so far, the frame they give, and the versions kept on the way.

Steps whose rows are rows of the step before are put into one another and run as one query. Only where rows are made
or put in another order (join, union, groups, repeated rows, sorting) or a Python function is called, which must not
be run twice, a dataset version is kept.
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
from whence.model.errors import UserError
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
        """The rows of the last segment after its steps, but for those that wait."""
        self._waiting: list[TransformationPlan] = []
        """Steps that nobody has asked the rows of: Spark is told them all at once."""
        self._made: PythonStepResult | None = None
        """What Python gave in the last step, until it is stored."""

    @property
    def steps(self) -> list[PipelineStep]:
        """Every step, in order."""
        return [step for segment in self.segments for step in segment.every_step]

    @property
    def schema(self) -> Schema:
        """The columns as they are now."""
        steps = self.steps
        return steps[-1].after if steps else self.input.schema

    def add(
        self,
        transformation: Transformation,
        make: Callable[[TransformationPlan, Schema, Schema], Operation],
        parameters: Mapping[str, object],
    ) -> PipelineStep:
        """Put a transformation on what the steps before it give."""
        segment = self._open_segment()
        before = self.schema
        label = f"{self.name} before step {len(self.steps) + 1}" if self.steps else self.input.label
        arguments = transformation.bind(label, before, parameters)
        with ExitStack() as stack:
            plan = transformation.plan(self._input_table(segment, label, stack), arguments)
        if not plan.is_repeatable and plan.new_rows is None:
            plan = _with_stored_rows(plan)
        frame = None if plan.new_rows is None else self.new_rows_frame(self._in_order(segment), plan)
        after = self._schema_after(segment, plan, before) if frame is None else _without_rid(self._engine, frame)
        step = PipelineStep(make(plan, before, after), plan, before, after, parameters)
        if frame is None:
            self._waiting.append(plan)
            segment.steps.append(step)
            segment.out = None
        else:
            segment.closing = step
            self._frame = frame
        return step

    def _input_table(self, segment: Segment, label: str, stack: ExitStack) -> InputTable:
        """What a transformation may ask about the rows of a segment; their name in SQL lasts as long as the stack."""
        before, store = self.schema, self._derive.store
        name = cache(lambda: stack.enter_context(self._engine.view(self._current(segment))))

        def ask(text: str) -> list[Row]:
            found: list[Row] = self._engine.to_arrow(self._engine.query(text)).to_pylist()
            return found

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
        )

    def _schema_after(self, segment: Segment, plan: TransformationPlan, before: Schema) -> Schema:
        """The columns a step gives; Spark is asked for the types of those that the operator does not know."""
        unknown = [each.sql for each in plan.outputs if not each.type]
        found: Iterator[str] = iter(())
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
        """Call Python on what the steps before it give; it is run at once, and only once."""
        segment, before = self._open_segment(), self.schema
        made = apply_python(function, self._engine.to_arrow(self._in_order(segment)), columns)
        everything = before.names if columns is None else tuple(columns)
        plan = python_templates(before, everything, name_of(function), made.changed)
        after = schema_of(made.table.schema)
        segment.closing = step = PipelineStep(make(plan, before, after), plan, before, after)
        self._made = made
        return step

    def result(self) -> DatasetRecord:
        """What all steps give, run once and kept under the pipeline's name."""
        segment = self.segments[-1]
        if segment.out is None:
            segment.out = self._keep(segment, self.name)
        return segment.out

    def take(self, segments: list[Segment]) -> None:
        """Segments that were read off a history, all of them run."""
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
        """The frame of a step that makes other rows."""
        engine, new_rows = self._engine, plan.new_rows or NewRows()
        if new_rows.functions:
            return engine.apply_functions(frame.drop(RID), new_rows.functions, new_rows.types)
        with ExitStack() as stack:
            text = new_rows_query(plan).replace("{input}", stack.enter_context(engine.view(frame)))
            for number, other in enumerate(new_rows.others):
                text = text.replace(f"{{other{number}}}", stack.enter_context(engine.view(engine.frame(other))))
            return engine.query(text)

    def start(self, base: DatasetRecord) -> Frame:
        """A stored version with the number of each row."""
        return self._engine.with_row_numbers(base, RID)

    def _open_segment(self) -> Segment:
        """The segment that takes the next step; one that a step closed is stored first."""
        segment = self.segments[-1]
        if segment.closing is None:
            return segment
        if segment.out is None:
            segment.out = self._keep(segment, f"{self.name}.{segment.closing.operation.number}")
        self.segments.append(Segment(segment.out))
        self._frame, self._waiting = None, []
        return self.segments[-1]

    def _current(self, segment: Segment) -> Frame:
        if self._frame is None:
            self._frame = self.start(segment.base)
        if self._waiting:
            self._frame = self._engine.stack_selections(self._frame, self._untold())
            self._waiting = []
        return self._frame

    def _in_order(self, segment: Segment) -> Frame:
        """The rows in the order of the base; a step that compares rows has put them in another one."""
        frame = self._current(segment)
        return frame.orderBy(RID) if _is_mixed(segment) else frame

    def _visible(self, segment: Segment) -> Frame:
        """What the steps give, without the number of each row; Spark is told that with what it was not told yet."""
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
            must_inject=True,
            is_reusable=self._is_reusable,
            recipe=to_recipe(segment.every_step),
            documents=documents,
            caveats=notes,
        )
        return derive(self._derive, request)

    def _formulas(self, query: Query) -> dict[str, object]:
        """How columns were computed; nothing where a rule fails, which the main path then answers for."""
        try:
            with guard_rules(self._engine, "read"):
                return _formulas(query)
        except RuleFailure:
            return {}


def apply_plan(
    engine: Engine, frame: Frame, plan: TransformationPlan, beside: Mapping[str, str] | None = None
) -> Frame:
    """A step over the frame before it; `beside` are columns that go along, as name and expression."""
    return engine.stack_selections(frame, _levels(plan, beside))


def _levels(plan: TransformationPlan, beside: Mapping[str, str] | None = None) -> list[Level]:
    """A step as selections, one over the other; what it guessed is in doubt."""
    extra = [Output(RID, RID), *(Output(name, sql) for name, sql in (beside or {}).items())]
    columns = tuple(f"{each.sql} as {quoted(each.name)}" for each in (*outputs_with_doubts(plan), *extra))
    stages = [[f"{each.sql} as {quoted(each.name)}" for each in stage] for stage in plan.below]
    if plan.row_filter is not None and plan.row_filter.helper:
        stages.append([f"{plan.row_filter.helper} as {quoted(plan.row_filter.helper_name)}"])
    return [*(Level(("*", *stage)) for stage in stages), Level(columns, condition_with_doubts(plan))]


def _is_mixed(segment: Segment) -> bool:
    """A step that compares rows has put them in another order."""
    return any(step.plan.row_filter is not None and step.plan.row_filter.helper for step in segment.steps)


def _with_rid(schema: Schema) -> Schema:
    return Schema((*schema, Field(RID, "bigint")))


def _without_rid(engine: Engine, frame: Frame) -> Schema:
    return Schema(tuple(each for each in engine.schema_of(frame) if each.name != RID))


def _formulas(query: Query) -> dict[str, object]:
    """How each column was computed, where that is an aggregate or a copy of one; templates know the rest."""
    plan = query.read.plan
    if plan is None or any(step.group_by is not None for step in plan.walk()):
        return {}
    shown = formulas(plan, ((column, column.name) for column in query.columns))
    step_of_ours = {"kind": "unknown", "why": "a pipeline"}
    return {FORMULAS: {name: each if each["kind"] == "column" else step_of_ours for name, each in shown.items()}}


def _with_stored_rows(plan: TransformationPlan) -> TransformationPlan:
    """A step that may give something else next time, as one whose rows are stored."""
    columns = ", ".join(f"{each.sql} as {quoted(each.name)}" for each in plan.outputs)
    return replace(plan, new_rows=NewRows(f"select {columns} from {{input}}"), is_repeatable=True)
