"""How tests start commands that run cells."""

from __future__ import annotations

from whence.engine.confine.landlock import landlock_abi

UNCONFINED = () if landlock_abi() else ("--unconfined",)
"""Where the system cannot confine Spark, `whence serve`, `run` and `demo` start only with this."""
