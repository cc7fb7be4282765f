"""Starts the server: where it listens, which link it prints, when it opens a browser."""

from __future__ import annotations

import secrets
import socket
import sys
import webbrowser

import uvicorn

from whence.client.running import announced
from whence.model.errors import UserError
from whence.server.app import create_app
from whence.server.handles import WorkspaceHandle

LOOPBACK = "127.0.0.1"


def serve(workspace: WorkspaceHandle, port: int = 8321, open_browser: bool = True) -> None:
    """Serve a workspace to this machine only, until interrupted; port 0 takes any free one."""
    listener = _listen(port)
    port = listener.getsockname()[1]
    token = secrets.token_urlsafe(32)
    config = uvicorn.Config(
        create_app(workspace, token, port=port),
        access_log=False,  # It would hold the token of the link.
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=3,
        ws="websockets-sansio",
    )
    with announced(workspace.path, f"http://{LOOPBACK}:{port}", token) as server:
        sys.stdout.write(f"whence is at {server.link}\n")
        sys.stdout.flush()
        if open_browser:
            webbrowser.open(server.link)  # The socket already listens, so an early request waits instead of failing.
        uvicorn.Server(config).run(sockets=[listener])


def _listen(port: int) -> socket.socket:
    # asyncio switches Nagle's algorithm off only where the protocol is named; without that a kept-alive request
    # waits 40 ms for the client's delayed acknowledgement.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
    except OSError as error:
        listener.close()
        raise UserError(f"Port {port} is taken ({error.strerror}).", "Choose another with --port.") from error
    listener.listen()
    return listener
