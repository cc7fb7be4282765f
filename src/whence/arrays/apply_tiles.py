"""Runs a local operator tile by tile and publishes its output. Its lineage is a map, so tasks report no lineage."""

from __future__ import annotations

import time
from collections.abc import Sequence

from whence.arrays.apply_context import ApplyContext
from whence.arrays.arrays import VALUE, Form, form_of, schema
from whence.arrays.declared_lineage import DeclaredLineage, limit_declared
from whence.arrays.document import OperatorDocument
from whence.arrays.draft import declared_document, draft_of
from whence.arrays.inherited import inherited
from whence.arrays.lookups import Edge, MappedLookup
from whence.arrays.operator import Operator
from whence.arrays.operator_description import describe
from whence.arrays.output import Output
from whence.arrays.run_capture import capture_run
from whence.arrays.shapes import Shapes
from whence.arrays.strategy import MAP
from whence.arrays.tiles import Run, StoredArray, is_local, run_tiles
from whence.model.dataset import DatasetRecord
from whence.store.store import Store


def can_be_tiled(store: Store, operator: Operator, inputs: Sequence[DatasetRecord]) -> bool:
    """Whether the operator is local and its inputs are arrays of one shape or single cells."""
    return is_local(operator, [form_of(store, each) for each in inputs])


def apply_tiles(
    context: ApplyContext,
    run_all: Run,
    operator: Operator,
    inputs: Sequence[DatasetRecord],
    name: str,
    strategy: str | None = None,
) -> DatasetRecord:
    """Run the operator on each tile with `run_all`, and publish its output; `strategy` is None or "map"."""
    store, flags = context.store, context.flags
    reason = capture_run(context.policy, operator, name, strategy).reason
    forms = [form for form in (form_of(store, each) for each in inputs) if form is not None]
    shape = next(form.shape for form in forms if form.shape)
    shapes = Shapes(tuple(form.shape for form in forms), shape)
    known = [flags.current_flags(each) for each in inputs]
    found = inherited(
        operator.name, inputs, known, shapes.cells, lambda number: MappedLookup(Edge(operator, shapes, number), False)
    )
    stored = [
        StoredArray(store.layout.dataset(each.id), store.manifest(each), form)
        for each, form in zip(inputs, forms, strict=True)
    ]
    run = store.begin("operator", name)
    started = time.perf_counter()
    try:
        made = run_tiles(run_all, operator, stored, run.staging, found.values)
        form = Form(shape, made[0].dtype, tuple(f"axis{number}" for number in range(len(shape))))
        documents = form.documents(is_source=False)
        output = Output(schema(form), tuple(each.part for each in made), documents, (VALUE,))
        seconds = time.perf_counter() - started
        document = OperatorDocument(describe(operator), shapes, MAP, seconds)
        declared = DeclaredLineage(document, declared_document(operator, inputs, output, MAP), {})
        lineage = limit_declared(context.policy.settings, inputs, declared, reason)
        record = store.publish(run, draft_of(operator, inputs, lineage, output, found))
    except BaseException as error:
        # Also when the user interrupts the run: `abandon` removes its staging folder.
        store.abandon(run, str(error) or type(error).__name__)
        raise
    context.policy.follow_up(record, is_deferred=False)
    return record
