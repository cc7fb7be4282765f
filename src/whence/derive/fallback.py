"""Stage 7 after an internal error, the fallback draft: the rows are there, and everything about them is in doubt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from whence.derive.coarse import coarse_lineage, every_flag, run_plainly
from whence.derive.derivation import Derivation
from whence.derive.request import DeriveContext
from whence.derive.rule_failure import RuleFailure
from whence.engine.outcome import Outcome
from whence.engine.report_failure import report_failure
from whence.engine.worker.write_parts import OutputLayout
from whence.lineage.document import NAME
from whence.lineage.strategy import FAILED, FAILURE
from whence.model.caveat import Caveat
from whence.model.dataset import Doubt
from whence.model.errors import BadQuery
from whence.store.draft import Draft
from whence.store.parts import PartFile, write_part

FAMILY = "internal error"


def fallback_draft(context: DeriveContext, derivation: Derivation, failure: RuleFailure) -> Draft:
    """Draft a dataset after a rule failed: keep rows that were written, else run the query plainly; flag everything."""
    schema, parts = derivation.schema, _write_rows(context, derivation, failure)
    _report(context, derivation, failure)
    return Draft(
        schema=schema,
        parts=parts,
        text=derivation.request.text,
        parents=derivation.query.parents,
        doubt=Doubt(frozenset(schema.names), any(part.rows for part in parts), True),
        caveats=(Caveat(FAILURE, FAMILY),),
        documents={NAME: coarse_lineage(derivation, FAILED).to_json()},
    )


def _write_rows(context: DeriveContext, derivation: Derivation, failure: RuleFailure) -> tuple[PartFile, ...]:
    """Write the rows with every flag set; an error that the query raises without capture, too, goes to the user."""
    layout, folder = every_flag(derivation.schema), derivation.run.staging / "fallback"
    if failure.outcome is not None:
        return _flag_all(failure.outcome, layout, folder)
    if failure.stage == "run" and not _is_repeatable(context, derivation):
        if not isinstance(failure.error, BadQuery):
            _report(context, derivation, failure)
        raise failure.sentence from failure.error
    return run_plainly(context, derivation, layout, folder).parts


def _report(context: DeriveContext, derivation: Derivation, failure: RuleFailure) -> None:
    report_failure(context.store.layout, context.engine, failure.stage, failure.error, derivation.query)


def _is_repeatable(context: DeriveContext, derivation: Derivation) -> bool:
    """Whether another run could give what the failed run would have given; False if the rules cannot tell."""
    try:
        return context.engine.can_stand_for_another_run(derivation.query)
    except Exception:
        return False


def _flag_all(outcome: Outcome, layout: OutputLayout, folder: Path) -> tuple[PartFile, ...]:
    """The parts of a run, written again with every flag set and without the ids beside the rows."""
    return tuple(
        _mark_part(Path(part.path), layout, folder / f"{number:05d}.parquet")
        for number, part in enumerate(outcome.parts)
    )


def _mark_part(source: Path, layout: OutputLayout, target: Path) -> PartFile:
    with pq.ParquetFile(source) as file:
        fields = [file.schema_arrow.field(name) for name in layout.names]
        flags = [pa.field(name, pa.bool_()) for name in layout.stored_names[len(layout.names) :]]
        schema = pa.schema([*fields, *flags])
        return write_part(target, _flagged_batches(file, layout, schema), schema)


def _flagged_batches(file: pq.ParquetFile, layout: OutputLayout, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    for batch in file.iter_batches():
        values = [batch.column(name) for name in layout.names]
        flags = [pa.repeat(True, batch.num_rows)] * (len(schema) - len(values))
        yield pa.RecordBatch.from_arrays([*values, *flags], schema=schema)
