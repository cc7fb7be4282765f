"""Switches OpenLineage on for a workspace: the receiver that `whence.open` names, or the environment does."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from whence.model.lazy_module import LazyModule
from whence.openlineage.package import check_installed
from whence.workspace.context import Context

if TYPE_CHECKING:
    from openlineage.client import OpenLineageClient

    import whence.openlineage.delivery as event_delivery
    import whence.openlineage.receiver as event_receiver
else:
    # Few workspaces send events, and the package that does may be missing.
    event_delivery = LazyModule("whence.openlineage.delivery")
    event_receiver = LazyModule("whence.openlineage.receiver")

RECEIVER = "WHENCE_OPENLINEAGE"
"""The environment variable that names a receiver where `whence.open` does not."""

NAMESPACE = "OPENLINEAGE_NAMESPACE"
"""The environment variable that names the namespace of jobs and datasets, for all tools that send such events."""


def client_for(receiver: str | Mapping[str, object] | None) -> OpenLineageClient | None:
    """Return the client that sends events to a receiver; None if neither the caller nor the environment names one."""
    chosen = os.environ.get(RECEIVER) if receiver is None else receiver
    if not chosen:
        return None
    check_installed()
    return event_receiver.make_client(chosen)


def start_delivery(context: Context, client: OpenLineageClient | None) -> event_delivery.Delivery | None:
    """Send the events of a workspace from now on, those first that an earlier opening left."""
    if client is None:
        return None
    store = context.store
    namespace = os.environ.get(NAMESPACE) or f"whence://{store.root.name}"
    settings = context.engine.settings
    delivery = event_delivery.Delivery(store, context.readers.edges, client, namespace, settings=settings)
    delivery.start()
    return delivery
