"""Whether processes start before they are needed."""

from __future__ import annotations

import os

VARIABLE = "WHENCE_WARM_UP"
"""The environment variable that turns this off: with `off`, Spark and Python processes start when they are needed."""


def is_warm_up_on() -> bool:
    """Return whether to start Spark and the Python processes of cells before somebody waits for them."""
    return os.environ.get(VARIABLE) != "off"
