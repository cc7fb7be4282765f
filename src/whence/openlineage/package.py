"""The package that knows OpenLineage's events and transports, which may be missing."""

from __future__ import annotations

from importlib.util import find_spec

from whence.model.errors import UserError


def check_installed() -> None:
    """Raise an error that says how to install the official client, if it is missing."""
    # `find_spec` of a module below a missing package raises, so the package is asked for first.
    if find_spec("openlineage") is None or find_spec("openlineage.client") is None:
        raise UserError(
            "OpenLineage events are sent by openlineage-python, which is not installed.",
            "Run `pip install 'whence-data[openlineage]'`.",
        )
