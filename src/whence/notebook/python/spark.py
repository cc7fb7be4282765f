"""What Spark gives to Python cells: an address to connect to, and datasets under names that only one run knows."""

from __future__ import annotations

from whence.engine.engine import Engine
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported


class SparkForCells:
    """Spark Connect for one run."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def address(self) -> tuple[str, str]:
        """Where the run connects, and with which token."""
        raise _only_on_servers()

    def view_of(self, record: DatasetRecord) -> str:
        """A dataset under a name made for this run."""
        raise _only_on_servers()

    def result_view(self) -> str:
        """A name for a result."""
        raise _only_on_servers()


def _only_on_servers() -> NotSupported:
    return NotSupported(
        "PySpark in Python cells needs the server profile.",
        'Open the workspace with whence.open(path, profile="server"), or use to_pandas, to_arrow or to_polars.',
    )
