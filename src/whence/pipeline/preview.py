"""Previews a transformation on the first rows of a dataset: what it would change, drop and guess. It stores nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

import pyarrow as pa

from whence.engine.frames import Frame
from whence.model.dataset import DatasetRecord
from whence.model.schema import INTERNAL_PREFIX
from whence.pipeline.apply import Caller
from whence.pipeline.call import operation_maker
from whence.pipeline.chain import Chain, apply_plan
from whence.pipeline.operation import Counts
from whence.pipeline.step import PipelineStep
from whence.plan.sql_text import quoted
from whence.transformations.input_table import RID
from whence.transformations.plan import Output, TransformationPlan
from whence.transformations.plan_sql import plan_to_sql
from whence.transformations.transformation import Transformation

SAMPLE = 10_000
"""Rows of the input that a preview reads. A smaller dataset is read as a whole, so its preview is exact."""
SHOWN = 20
"""Rows that a preview shows."""

ColumnChange = Literal["same", "changed", "new", "renamed"]

_WAS, _GUESS, _STAYS = f"{INTERNAL_PREFIX}was", f"{INTERNAL_PREFIX}guess", f"{INTERNAL_PREFIX}stays"


@dataclass(frozen=True)
class PreviewColumn:
    """A column of the result, and how it differs from the input."""

    name: str
    type: str
    change: ColumnChange
    was: str = ""
    """The name or the type that it had in the input, if that is another one."""


@dataclass(frozen=True)
class PreviewRow:
    """A row of the result, with the positions of the values that changed and of those that get a caveat."""

    rid: int | None
    """The row of the input; None for rows that the transformation makes."""
    values: tuple[object, ...]
    changed: tuple[int, ...] = ()
    doubtful: tuple[int, ...] = ()
    is_dropped: bool = False

    @property
    def is_affected(self) -> bool:
        """Whether the transformation changes, drops or doubts something of the row."""
        return self.is_dropped or bool(self.changed or self.doubtful)


@dataclass(frozen=True)
class TransformationPreview:
    """What a transformation would do to the first rows of its input."""

    sentence: str
    columns: tuple[PreviewColumn, ...]
    dropped_columns: tuple[str, ...]
    rows: tuple[PreviewRow, ...]
    rows_read: int
    rows_in_all: int
    changed_values: int = 0
    doubtful_values: int = 0
    dropped_rows: int = 0
    sql: str = ""
    """The same as one query; empty if no query can say it."""


def preview_transformation(
    caller: Caller,
    base: DatasetRecord,
    transformation: Transformation,
    values: Mapping[str, object],
    check: Callable[[], None],
) -> TransformationPreview:
    """Run a transformation over the first rows of a dataset. `check` raises once nobody waits for the result."""
    sample = replace(base, rows=min(base.rows, SAMPLE))
    chain = _SampleChain(caller.context, sample, caller.name, caller.find_dataset)
    make = operation_maker(0, transformation.name, values, caller.line, lambda: Counts(0, 0, 0, 0))
    step = chain.add(transformation, make, values)
    check()
    found = _preview_new_rows(chain, step) if step.plan.new_rows is not None else _preview_rows(chain, step)
    return replace(found, rows_in_all=base.rows, sql=plan_to_sql(step.plan, base.name))


class _SampleChain(Chain):
    """A pipeline of one step over the first rows of a dataset."""

    def start(self, base: DatasetRecord) -> Frame:
        """Return the first rows of a dataset, with the row id of each row."""
        return self._engine.first_rows(base, RID, SAMPLE)

    def collect(self, frame: Frame) -> pa.Table:
        """Return all rows of a frame."""
        return self._engine.to_arrow(frame)

    def apply(self, plan: TransformationPlan, beside: Mapping[str, str]) -> Frame:
        """Return the rows after a plan, with further columns."""
        return apply_plan(self._engine, self.start(self.input), plan, beside)

    @property
    def new_rows(self) -> Frame:
        """The rows that the step makes, without their row ids."""
        return self._current(self.segments[-1]).drop(RID)


def _preview_new_rows(chain: _SampleChain, step: PipelineStep) -> TransformationPreview:
    """Preview a step that makes other rows than its input has: only its columns can be compared."""
    types = {each.name: each.type for each in step.before}
    columns = tuple(
        PreviewColumn(each.name, each.type, "same" if types.get(each.name) == each.type else "new")
        for each in step.after
    )
    table = chain.collect(chain.new_rows.limit(SHOWN))
    rows = tuple(PreviewRow(None, values) for values in _tuples(table, len(columns)))
    return TransformationPreview(
        sentence=step.plan.description,
        columns=columns,
        dropped_columns=_dropped_columns(step),
        rows=rows,
        rows_read=chain.input.rows,
        rows_in_all=chain.input.rows,
    )


def _preview_rows(chain: _SampleChain, step: PipelineStep) -> TransformationPreview:
    """Preview a step that keeps rows: compare each value with the one before."""
    plan, rewritten = step.plan, _rewritten_columns(step)
    beside = {f"{_WAS}{place}": quoted(name) for place, name in rewritten.items()}
    beside |= {f"{_GUESS}{number}": f"coalesce({each.when}, false)" for number, each in enumerate(plan.guesses)}
    beside[_STAYS] = "true" if plan.row_filter is None else f"coalesce({plan.row_filter.keep}, false)"
    table = chain.collect(chain.apply(_with_all_rows(plan), beside)).sort_by(RID)
    rows = _compare_rows(table, step, rewritten)
    columns = tuple(_column(step, place, rewritten, rows) for place in range(len(step.after)))
    return TransformationPreview(
        sentence=plan.description,
        columns=columns,
        dropped_columns=_dropped_columns(step),
        rows=_choose(rows),
        rows_read=len(rows),
        rows_in_all=len(rows),
        changed_values=sum(len(row.changed) for row in rows if not row.is_dropped),
        doubtful_values=sum(len(row.doubtful) for row in rows if not row.is_dropped),
        dropped_rows=sum(row.is_dropped for row in rows),
    )


def _with_all_rows(plan: TransformationPlan) -> TransformationPlan:
    """Return the plan without its filter, so that a preview also shows the rows that go."""
    kept = plan.row_filter
    helpers = ((Output(kept.helper_name, kept.helper),),) if kept is not None and kept.helper else ()
    return replace(plan, row_filter=None, guesses=(), below=(*plan.below, *helpers))


def _rewritten_columns(step: PipelineStep) -> dict[int, str]:
    """Return the positions of the columns that the step computes anew, with their names in the input."""
    known = set(step.before.names) - set(step.plan.replaced)
    return {
        place: each.name
        for place, each in enumerate(step.plan.outputs)
        if each.name in known and each.sql != quoted(each.name)
    }


def _compare_rows(table: pa.Table, step: PipelineStep, rewritten: Mapping[int, str]) -> list[PreviewRow]:
    types = {each.name: each.type for each in step.before}
    values = _tuples(table, len(step.after))
    rids, stays = table[RID].to_pylist(), table[_STAYS].to_pylist()
    changed: list[list[int]] = [[] for _ in rids]
    for place, name in rewritten.items():
        is_same_type = types[name] == step.after.fields[place].type
        for row, was in enumerate(table[f"{_WAS}{place}"].to_pylist()):
            if not _is_same(was, values[row][place], is_same_type):
                changed[row].append(place)
    doubtful = _doubtful_places(table, step)
    return [
        PreviewRow(rid, values[row], tuple(changed[row]), tuple(sorted(doubtful[row])), not stays[row])
        for row, rid in enumerate(rids)
    ]


def _doubtful_places(table: pa.Table, step: PipelineStep) -> list[set[int]]:
    """Return the positions of the values of each row that get a caveat; a guess about a row concerns all of them."""
    places: list[set[int]] = [set() for _ in range(table.num_rows)]
    for number, guess in enumerate(step.plan.guesses):
        about = set(range(len(step.after))) if guess.column is None else {step.after.names.index(guess.column)}
        for row, holds in enumerate(table[f"{_GUESS}{number}"].to_pylist()):
            if holds:
                places[row] |= about
    return places


def _is_same(was: object, now: object, is_same_type: bool) -> bool:
    """Whether a value stayed the same; after a change of type, whether it still reads the same."""
    if was is None or now is None or is_same_type:
        return was == now or (was != was and now != now)  # NaN is no change of NaN
    return str(was) == str(now)


def _column(step: PipelineStep, place: int, rewritten: Mapping[int, str], rows: Sequence[PreviewRow]) -> PreviewColumn:
    field = step.after.fields[place]
    old_names = {new: old for old, new in step.plan.renamed.items() if old != new}
    if field.name in old_names:
        return PreviewColumn(field.name, field.type, "renamed", old_names[field.name])
    before = {each.name: each.type for each in step.before}.get(field.name)
    if before is None or field.name in step.plan.replaced:
        return PreviewColumn(field.name, field.type, "new")
    if before != field.type:
        return PreviewColumn(field.name, field.type, "changed", before)
    is_changed = place in rewritten and any(place in row.changed for row in rows)
    return PreviewColumn(field.name, field.type, "changed" if is_changed else "same")


def _dropped_columns(step: PipelineStep) -> tuple[str, ...]:
    """Return the columns of the input that the result no longer has, under whatever name."""
    kept = set(step.after.names)
    return tuple(name for name in step.before.names if step.plan.renamed.get(name, name) not in kept)


def _choose(rows: Sequence[PreviewRow]) -> tuple[PreviewRow, ...]:
    """Return the first rows to show; half of the places go to rows on which the step has an effect, if any."""
    affected = list(islice((row for row in rows if row.is_affected), SHOWN // 2))
    others = list(islice((row for row in rows if not row.is_affected), SHOWN - len(affected)))
    more = islice((row for row in rows if row.is_affected), len(affected), SHOWN - len(others))
    return tuple(sorted((*affected, *others, *more), key=lambda row: row.rid or 0))


def _tuples(table: pa.Table, width: int) -> list[tuple[object, ...]]:
    """Return the values of the first columns, row by row."""
    columns = [table.column(place).to_pylist() for place in range(width)]
    return list(zip(*columns, strict=True)) if columns else [() for _ in range(table.num_rows)]
