"""Changes PySpark so that `SparkSession.builder.getOrCreate()` returns the session of the cell."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

MODULE = "pyspark.sql.session"
"""The module to change once it is imported."""


def share_session(session: Callable[[], Any]) -> Callable[[Any], None]:
    """Return a function that changes the module, so that builders without an address return this session.

    If the module is imported already, change it now.
    """

    def change(module: Any) -> None:  # noqa: ANN401 - a module
        builder = module.SparkSession.Builder
        create = builder.getOrCreate

        def get_or_create(self: Any) -> Any:  # noqa: ANN401 - a builder, and a session
            return create(self) if "spark.remote" in self._options else session()

        builder.getOrCreate = get_or_create

    if MODULE in sys.modules:
        change(sys.modules[MODULE])
    return change
