"""Removes dataset versions for good: from the disk, from Spark's names, and from the plan of stored lineage."""

from __future__ import annotations

from whence.model.dataset import DatasetRecord
from whence.workspace.context import Context
from whence.workspace.references import versions_of


def forget_datasets(
    context: Context, reference: object, *, also_dependants: bool, keep_dependants: bool
) -> list[DatasetRecord]:
    """Remove the versions that a reference names, and return the removed versions."""
    store, engine = context.store, context.engine
    went = store.forgetting.forget(
        versions_of(store, reference), also_dependants=also_dependants, keep_dependants=keep_dependants
    )
    if engine.process.is_running:  # otherwise there are no views, and asking for the session would start Spark
        for record in went:
            engine.drop_name(record.name)
        engine.process.empty_log()
    context.background.planner.request()  # plan again, without the removed versions
    return went
