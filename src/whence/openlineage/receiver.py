"""Receivers of events: what a user names becomes a client of OpenLineage's own library."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from openlineage.client import OpenLineageClient
from openlineage.client.serde import Serde
from openlineage.client.transport import Transport, get_default_factory

from whence.model.errors import UserError

if TYPE_CHECKING:
    from openlineage.client.client import Event

Receiver = str | Mapping[str, object]
"""`console`, `client`, an address that begins with http, the path of a file, or the settings of a transport."""

_ENDPOINT = "api/v1/lineage"
_SECONDS = 5.0


class ErrorStream(Transport):
    """Writes each event as a line to standard error, so that the output of a command stays as it is."""

    kind = "console"

    def emit(self, event: Event) -> None:
        """Write one event."""
        sys.stderr.write(Serde.to_json(event) + "\n")


def make_client(receiver: Receiver) -> OpenLineageClient:
    """Return the client that sends events to a receiver. Nothing is sent yet, and no connection is made."""
    if receiver == "client":
        return OpenLineageClient()  # its own file and its own environment variables say where events go
    if receiver == "console":
        return OpenLineageClient(transport=ErrorStream())
    # The type of the factory knows texts only, although it takes what each transport is made of.
    settings: dict[str, Any] = _settings(receiver) if isinstance(receiver, str) else dict(receiver)
    try:
        return OpenLineageClient(transport=get_default_factory().create(settings))
    except Exception as error:  # each transport raises what it likes about settings that do not fit
        raise UserError(
            f"OpenLineage has no transport for these settings: {error}.",
            'For example: {"type": "http", "url": "http://localhost:5000"}.',
        ) from error


def _settings(receiver: str) -> dict[str, Any]:
    if not receiver.strip():
        raise UserError("The receiver of OpenLineage events has no name.", 'Pass "console", an address or a file.')
    if receiver.lower().startswith(("http://", "https://")):
        return _http(receiver)
    if "://" in receiver:
        raise UserError(
            f"OpenLineage events cannot be sent to {receiver.split('://')[0]}://.",
            'Pass "console", an address that begins with http, the path of a file, or the settings of a transport.',
        )
    path = Path(receiver).expanduser().resolve()
    if not path.parent.is_dir():
        raise UserError(f"There is no folder {path.parent} for the file of OpenLineage events.", "Create it first.")
    return {"type": "file", "log_file_path": str(path), "append": True}


def _http(address: str) -> dict[str, Any]:
    parts = urlsplit(address)
    if parts.username or parts.password:
        raise UserError(
            "The address of an OpenLineage receiver cannot hold a password.", "Set OPENLINEAGE_API_KEY instead."
        )
    key = os.environ.get("OPENLINEAGE_API_KEY")
    return {
        "type": "http",
        "url": urlunsplit((parts.scheme, parts.netloc, "", "", "")),
        "endpoint": parts.path.strip("/") or _ENDPOINT,
        "timeout": _SECONDS,
        "retry": {"total": 0, "read": 0, "connect": 0},  # the delivery tries again, and later
        **({"auth": {"type": "api_key", "apiKey": key}} if key else {}),
    }
