"""A pipeline in the making: the steps so far, the frame they give, and the versions kept on the way.

Steps whose rows are rows of the step before are put into one another and run as one query. Only where rows are made
or put in another order (join, union, groups, repeated rows, sorting) or a Python function is called, which must not
be run twice, a dataset version is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack

from whence.caveats.capture import Capture
from whence.caveats.derive import derive_query
from whence.engine.engine import Engine
from whence.engine.frames import Frame
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.schema import Schema
from whence.pipeline.applied import HELPER, Applied, Output, Whole
from whence.pipeline.document import DOCUMENT, to_document
from whence.pipeline.given import RID, Given
from whence.pipeline.operation import Operation
from whence.pipeline.operator import Operator
from whence.pipeline.segment import Segment
from whence.pipeline.step import Step
from whence.plan.sql_text import quoted
from whence.store.store import Store


class Chain:
    """The steps of one pipeline over its input."""

    def __init__(
        self, store: Store, engine: Engine, base: DatasetRecord, name: str, find: Callable[[object], DatasetRecord]
    ) -> None:
        self._store = store
        self._engine = engine
        self._find = find
        self.name = name
        self.input = base
        self.segments = [Segment(base)]
        self._frame: Frame | None = None

    @property
    def steps(self) -> list[Step]:
        """Every step, in order."""
        return [step for segment in self.segments for step in segment.every_step]

    @property
    def schema(self) -> Schema:
        """The columns as they are now."""
        steps = self.steps
        return steps[-1].after if steps else self.input.schema

    def add(
        self, operator: Operator, make: Callable[[Applied, Schema, Schema], Operation], **parameters: object
    ) -> Step:
        """Put an operator on what the steps before it give."""
        segment = self._open_segment()
        before = self.schema
        with self._engine.view(self._current(segment)) as view:
            given = Given(
                f"{self.name} before step {len(self.steps) + 1}" if self.steps else self.input.label,
                before,
                view,
                lambda text: self._engine.to_arrow(self._engine.query(text)).to_pylist(),
                lambda sql: self._engine.reads([(each.name, each.type) for each in before], sql),
                self._find,
            )
            applied = operator.apply(given, **parameters)
        if not applied.is_repeatable and applied.whole is None:
            applied = _kept(applied)
        if applied.whole is not None:
            frame = self.whole_frame(self._in_order(segment), applied.whole)
        else:
            frame = put(self._engine, self._current(segment), applied)
        after = Schema(tuple(each for each in self._engine.schema_of(frame) if each.name != RID))
        step = Step(make(applied, before, after), applied, before, after)
        if applied.whole is not None:
            segment.closing = step
        else:
            segment.steps.append(step)
            segment.out = None
        self._frame = frame
        return step

    def result(self) -> DatasetRecord:
        """What all steps give, run once and kept under the pipeline's name."""
        segment = self.segments[-1]
        if segment.out is None:
            segment.out = self._keep(segment, self.name)
        return segment.out

    def whole_frame(self, frame: Frame, whole: Whole) -> Frame:
        """The frame of a step that makes other rows."""
        engine = self._engine
        if whole.functions:
            return engine.applied(frame.drop(RID), whole.functions, whole.types)
        with ExitStack() as stack:
            text = whole.query.replace("{given}", stack.enter_context(engine.view(frame)))
            for number, other in enumerate(whole.others):
                text = text.replace(f"{{other{number}}}", stack.enter_context(engine.view(engine.frame(other))))
            return engine.query(text)

    def start(self, base: DatasetRecord) -> Frame:
        """A stored version with the number of each row."""
        return self._engine.numbered(base, RID)

    def _open_segment(self) -> Segment:
        """The segment that takes the next step; one that a step closed is stored first."""
        segment = self.segments[-1]
        if segment.closing is None:
            return segment
        if segment.out is None:
            segment.out = self._keep(segment, f"{self.name}.{segment.closing.operation.number}")
        self.segments.append(Segment(segment.out))
        self._frame = None
        return self.segments[-1]

    def _current(self, segment: Segment) -> Frame:
        if self._frame is None:
            self._frame = self.start(segment.base)
        return self._frame

    def _in_order(self, segment: Segment) -> Frame:
        """The rows in the order of the base; a step that compares rows has put them in another one."""
        frame = self._current(segment)
        is_mixed = any(step.applied.sieve is not None and step.applied.sieve.helper for step in segment.steps)
        return frame.orderBy(RID) if is_mixed else frame

    def _keep(self, segment: Segment, name: str) -> DatasetRecord:
        if not self.steps:
            raise UserError(f"{self.name} has no step yet.", "Call an operator first, for example filter.")
        visible = self._current(segment) if segment.closing is not None else self._in_order(segment).drop(RID)
        text = "\n".join(step.operation.code for step in segment.every_step)
        return derive_query(
            self._store,
            self._engine,
            self._engine.read(visible),
            name,
            "pipeline",
            text,
            capture=Capture("inject"),
            documents={DOCUMENT: to_document(self.name, self.input, self.segments)},
        )


def put(engine: Engine, frame: Frame, applied: Applied, beside: Mapping[str, str] | None = None) -> Frame:
    """A step over the frame before it; `beside` are columns that go along, as name and expression."""
    extra = [Output(RID, RID), *(Output(name, sql) for name, sql in (beside or {}).items())]
    columns = ", ".join(f"{each.sql} as {quoted(each.name)}" for each in (*applied.outputs, *extra))
    with engine.view(frame) as view:
        sieve = applied.sieve
        if sieve is None:
            return engine.query(f"select {columns} from {view}")
        source = f"(select *, {sieve.helper} as {HELPER} from {view})" if sieve.helper else view
        return engine.query(f"select {columns} from {source} where {sieve.keep}")


def _kept(applied: Applied) -> Applied:
    """A step that may give something else next time, as one whose rows are stored."""
    columns = ", ".join(f"{each.sql} as {quoted(each.name)}" for each in applied.outputs)
    return Applied(
        applied.description,
        applied.outputs,
        applied.templates,
        renamed=applied.renamed,
        replaced=applied.replaced,
        whole=Whole(f"select {columns} from {{given}}"),
        template_reading=applied.template_reading,
    )
