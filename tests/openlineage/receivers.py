"""Receivers of HTTP that tests control: they take events, refuse them, fail, or keep the sender waiting."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """What a server got, and what it answers from now on."""

    address: str = ""
    events: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    status: int = 201
    refused_name: str = ""
    """Jobs of this name are answered with 422."""
    may_answer: threading.Event = field(default_factory=threading.Event)
    asked: int = 0

    def types_and_jobs(self) -> list[tuple[str, str]]:
        """Type and job of each event that was taken."""
        return [(event["eventType"], event["job"]["name"]) for event in self.events]


@contextmanager
def receiving(port: int = 0) -> Iterator[Receiver]:
    """Serve on this machine while the block runs."""
    receiver = Receiver()
    receiver.may_answer.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            receiver.asked += 1
            receiver.may_answer.wait(20)
            status = 422 if event["job"]["name"] == receiver.refused_name else receiver.status
            if status == 201:
                receiver.events.append(event)
                receiver.headers.append({"path": self.path, **dict(self.headers.items())})
            try:
                self.send_response(status)
                self.end_headers()
            except OSError:
                return  # the sender went away

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Senders may go away."""

    with Server(("127.0.0.1", port), Handler) as server:
        receiver.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            receiver.may_answer.set()
            server.shutdown()
            thread.join()
