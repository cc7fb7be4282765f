"""`Client`: the calls of a server, and beyond them: find the server, wait for cells, follow events."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Generator
from typing import Self
from urllib.parse import parse_qs, urlencode, urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from whence.client.calls import Calls
from whence.client.connection import NoAnswer
from whence.client.running import find_server
from whence.model.errors import UserError
from whence.wire.notebooks import NotebookView

BUSY = ("waiting", "running")


class Client(Calls):
    """A client of a whence server. Its methods have the names of the calls in the contract."""

    @classmethod
    def from_link(cls, link: str) -> Self:
        """Return a client for the link that `whence serve` printed, or for a share link.

        >>> Client.from_link("http://127.0.0.1:8321/login?token=secret").token
        'secret'
        """
        parts = urlsplit(link)
        token = parse_qs(parts.query).get("token", [""])[0]
        if not parts.netloc or not token:
            raise UserError("This is no link to a server.", "Give the whole link that was printed, with its token.")
        return cls(f"{parts.scheme}://{parts.netloc}", token)

    @classmethod
    def attach(cls, workspace: str | os.PathLike[str]) -> Self:
        """Return a client for the server that has this workspace open on this machine. Raise if there is none."""
        found = find_server(workspace)
        if found is None:
            raise UserError(f"No server runs for {workspace}.", f"Start one: whence serve {workspace}")
        return cls(found.address, found.token)

    def wait(self, notebook: str, timeout: float = 600) -> NotebookView:
        """Wait until no cell of a notebook waits or runs, and return the notebook. Raise after the timeout."""
        until = time.monotonic() + timeout
        pause = 0.02
        while True:
            view = self.read_notebook(notebook)
            if all(cell.status not in BUSY for cell in view.cells):
                return view
            if time.monotonic() > until:
                raise UserError(f"{notebook} is still running after {timeout:g} seconds.")
            time.sleep(pause)
            pause = min(pause * 1.5, 0.5)  # quick cells are seen at once, long ones are not polled all the time

    def events(self, epoch: str | None = None, since: int | None = None) -> Generator[dict[str, object], None, None]:
        """Yield the events of the server as they happen; with `epoch` and `since`, from that event on."""
        place = {} if epoch is None or since is None else {"epoch": epoch, "since": since}
        address = self.address.replace("http", "ws", 1)
        headers = {"Authorization": f"Bearer {self.token}"}
        try:
            with connect(
                f"{address}/api/events?{urlencode(place)}", additional_headers=headers, proxy=None, close_timeout=1
            ) as socket:
                for message in socket:
                    yield json.loads(message)
        except (OSError, ConnectionClosed) as error:
            raise NoAnswer(f"{self.address} went away: {error}.", "Follow on with epoch= and since=.") from error
