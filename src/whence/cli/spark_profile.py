"""Chooses how a command starts Spark: confined to the workspace, unless the user lets it reach all files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.engine.confine.check as confinement
    from whence.engine.profile import Profile
else:
    confinement = LazyModule("whence.engine.confine.check")


def spark_profile(*, unconfined: bool) -> Profile:
    """Return the profile of a server. Raise an error if this system cannot confine Spark, and it should."""
    if unconfined:
        return "server"
    confinement.check_confinement()
    return "confined"
