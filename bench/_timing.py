"""How long one action takes by the clock."""

from __future__ import annotations

import time
from collections.abc import Callable


def milliseconds(action: Callable[[], object]) -> float:
    """Run an action once, and return the milliseconds that it takes."""
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)
