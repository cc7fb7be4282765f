"""A server on a real port in this process, and a client for it: over a workspace on the Spark all tests share."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn

from tests.server.conftest import TOKEN
from whence.client import Client
from whence.server.app import create_app
from whence.server.events import Events
from whence.server.extension import MakeExtension
from whence.server.run import listen
from whence.workspace.served import ServedWorkspace


@contextmanager
def live(
    workspace: ServedWorkspace, events: Events | None = None, extensions: Sequence[MakeExtension] = ()
) -> Iterator[Client]:
    """Serve a workspace while the block runs."""
    listener = listen(0)
    port = listener.getsockname()[1]
    app = create_app(workspace, TOKEN, port=port, events=events, extensions=extensions)
    config = uvicorn.Config(app, access_log=False, log_level="warning", ws="websockets-sansio")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    while not server.started:
        time.sleep(0.005)
    try:
        yield Client(f"http://127.0.0.1:{port}", TOKEN)
    finally:
        server.should_exit = True
        thread.join(20)
