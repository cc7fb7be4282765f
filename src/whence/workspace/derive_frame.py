"""Makes a dataset of a PySpark or pandas-on-Spark frame that was built on datasets of the workspace."""

from __future__ import annotations

from whence.derive.derive import derive
from whence.derive.record_failure import record_failure
from whence.derive.request import Request
from whence.engine.frames import Frame, PandasOnSpark, frame_of
from whence.model.dataset import DatasetRecord
from whence.workspace.context import Context


def derive_frame(context: Context, df: Frame | PandasOnSpark, name: str) -> DatasetRecord:
    """Run the frame and publish its rows, with lineage and doubt flags, under a name."""
    with record_failure(context.store, "dataset", name):
        frame = frame_of(df)
    return derive(context.derive, Request(frame, name, "dataset", "", is_reusable=True))
