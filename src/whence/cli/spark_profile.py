"""Chooses how a command starts Spark: confined to the workspace, unless the user lets it reach all files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from whence.model.errors import UserError
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.engine.confine.check as confinement
    import whence.engine.masters as masters
    from whence.engine.profile import Profile
else:
    confinement = LazyModule("whence.engine.confine.check")
    masters = LazyModule("whence.engine.masters")

HERE = "local[*]"
"""The master if none is named: Spark on this machine."""


def spark_profile(*, unconfined: bool, master: str = HERE) -> Profile:
    """Return the profile of a server. Raise an error if this system cannot confine Spark, and it should."""
    if unconfined:
        return "server"
    if master != HERE and not masters.is_local(master):
        raise UserError(
            f"Only Spark on this machine can be confined, and {master} runs elsewhere.",
            "Add --unconfined, and let the cluster limit what its executors may do.",
        )
    confinement.check_confinement()
    return "confined"


def spark_settings(given: Iterable[str]) -> dict[str, str]:
    """Read settings of Spark as a command takes them.

    >>> spark_settings(["spark.executor.memory=4g", "spark.executor.extraJavaOptions=-Da=b"])
    {'spark.executor.memory': '4g', 'spark.executor.extraJavaOptions': '-Da=b'}
    """
    settings = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign or not name:
            raise UserError(f"{each} is no setting of Spark.", "Write NAME=VALUE, such as spark.executor.memory=4g.")
        settings[name] = value
    return settings
