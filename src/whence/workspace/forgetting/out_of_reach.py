"""What forgetting cannot reach, by name: original files, other datasets of the same file, copies made elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whence.loading.report import load_report
from whence.model.dataset import DatasetRecord
from whence.workspace.context import Context

ALWAYS = (
    "Archives, exports, backups and copies of the workspace that were made elsewhere.",
    "Blocks that the file system has freed but not overwritten.",
    "Spark's scratch files, which the first opening of the workspace after Spark has stopped removes.",
    "Variables of Python sessions that are open now, until they restart, and browser pages until they are loaded anew.",
)


def out_of_reach(context: Context, records: Sequence[DatasetRecord]) -> Iterator[str]:
    """Yield a sentence for each place that may still hold the rows of these versions."""
    yield from dict.fromkeys(_originals(context, records))
    for label, others in context.store.forgetting.sharing_sources([each.id for each in records]):
        yield f"{', '.join(others)}: made from the same file as {label}, whose kept copy stays for that."
    layout = context.store.layout
    if layout.shared != layout.root:
        yield f"Snapshots, earlier versions and backups that the shared storage {layout.shared} keeps."
    yield from ALWAYS


def _originals(context: Context, records: Sequence[DatasetRecord]) -> Iterator[str]:
    for record in records:
        report = load_report(context.store, record)
        if report is not None:
            yield f"{report.source.path}: the original. To load it again brings the rows back."
