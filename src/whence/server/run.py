"""Starts the server: takes a port, prints the link with the token, and opens a browser."""

from __future__ import annotations

import logging
import secrets
import socket
import sys
import warnings
import webbrowser
from collections.abc import Sequence

import uvicorn

from whence.client.recent_workspaces import remember_workspace
from whence.client.running import announced
from whence.model.errors import UserError
from whence.server.app import create_app
from whence.server.extension import MakeExtension
from whence.server.header_limit import HeaderLimit
from whence.server.sessions import Sessions
from whence.workspace.served import ServedWorkspace

LOOPBACK = "127.0.0.1"


STOP = "Press Ctrl-C to stop."
BROWSER = "Your browser opens it; --no-browser only prints the link."


def serve(
    workspace: ServedWorkspace,
    port: int = 8321,
    open_browser: bool = True,
    listener: socket.socket | None = None,
    extensions: Sequence[MakeExtension] = (),
) -> None:
    """Serve a workspace to this machine only, until interrupted; port 0 takes any free one."""
    listener = listener or listen(port)
    port = listener.getsockname()[1]
    token = secrets.token_urlsafe(32)
    web_server = make_web_server(workspace, token, port, extensions)
    with announced(workspace.path, f"http://{LOOPBACK}:{port}", token) as server:
        remember_workspace(workspace.path)
        words = f"{BROWSER} {STOP}" if open_browser else STOP
        sys.stdout.write(f"whence is at {server.link}\n{words}\n")
        sys.stdout.flush()
        if open_browser:
            webbrowser.open(server.link)  # The socket already listens, so an early request waits instead of failing.
        # Ctrl-C may come after uvicorn has made its coroutine and before it runs.
        warnings.filterwarnings("ignore", "coroutine 'Server.serve' was never awaited", RuntimeWarning)
        # Or while it makes its event loop, which then has nothing to close.
        sys.unraisablehook = _report_unless_half_made_loop
        _run(web_server, listener)


def _report_unless_half_made_loop(unraisable: sys.UnraisableHookArgs) -> None:
    place = getattr(unraisable.object, "__qualname__", "")
    if not (unraisable.exc_type is AttributeError and place == "BaseEventLoop.__del__"):
        sys.__unraisablehook__(unraisable)


def make_web_server(
    workspace: ServedWorkspace, token: str, port: int, extensions: Sequence[MakeExtension] = ()
) -> uvicorn.Server:
    """Return a web server of the workspace that does not run yet."""
    sessions = Sessions(token, store=workspace.browser_sessions)
    config = uvicorn.Config(
        create_app(workspace, token, port=port, sessions=sessions, extensions=extensions),
        access_log=False,  # It would hold the token of the link.
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=3,  # seconds that running requests get after Ctrl-C
        http=HeaderLimit,
        ws="websockets-sansio",
    )
    return uvicorn.Server(config)


def _run(server: uvicorn.Server, listener: socket.socket) -> None:
    """Run the server until it is interrupted, without reporting requests that the end cuts off as errors."""
    errors = logging.getLogger("uvicorn.error")

    def is_before_the_end(_: logging.LogRecord) -> bool:
        return not server.should_exit

    errors.addFilter(is_before_the_end)
    try:
        server.run(sockets=[listener])
    finally:
        errors.removeFilter(is_before_the_end)


def listen(port: int) -> socket.socket:
    """Bind and return a listening socket. Raise if the port is taken. Call it before Spark and the workspace open."""
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
