"""Makes programs that ask PySpark for a session get the one of their cell: `SparkSession.builder.getOrCreate()`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

MODULE = "pyspark.sql.session"
"""The module to change once it is imported."""


def share_session(session: Callable[[], Any]) -> Callable[[Any], None]:
    """Change the module so that builders without an address of their own give this session; at once if it is there."""

    def change(module: Any) -> None:  # noqa: ANN401 - a module
        builder = module.SparkSession.Builder
        create = builder.getOrCreate

        def get_or_create(self: Any) -> Any:  # noqa: ANN401 - a builder, and a session
            return create(self) if "spark.remote" in self._options else session()

        builder.getOrCreate = get_or_create

    if MODULE in sys.modules:
        change(sys.modules[MODULE])
    return change
