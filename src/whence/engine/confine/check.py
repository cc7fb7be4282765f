"""Says whether this system can confine Spark to a workspace."""

from __future__ import annotations

from whence.engine.confine.landlock import landlock_abi
from whence.model.errors import NotSupported


def check_confinement() -> None:
    """Raise an error if this system cannot confine Spark."""
    if not landlock_abi():
        raise NotSupported(
            "This system has no Landlock (Linux 5.13 or newer), so cells could reach all your files through Spark.",
            'If everyone who writes cells may do that, start with --unconfined, or in Python with profile="server".',
        )
