"""Calls a function that a Python cell exported. Its source runs in Spark's Python workers, never in the driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def exported_function(name: str, source: str) -> Callable[..., Any]:
    """Return a function that executes the exported source on its first call, and then calls what it defines."""
    made: list[Callable[..., Any]] = []

    def call(*values: object) -> object:
        if not made:  # once, not for each row
            namespace: dict[str, Any] = {"__name__": "__exported__"}
            exec(compile(source, f"<{name}>", "exec"), namespace)
            made.append(namespace[name])
        return made[0](*values)

    return call
