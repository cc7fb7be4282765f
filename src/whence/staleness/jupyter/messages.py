"""The messages between the kernel and a front end: a comm protocol, version 1."""

from __future__ import annotations

from typing import TypedDict

from comm import get_comm_manager
from comm.base_comm import BaseComm

from whence.staleness.jupyter.shell import ShellFollower
from whence.staleness.notebook import Notebook

TARGET = "whence.safety"
VERSION = 1


class HighlightsMessage(TypedDict):
    """The highlights, sent after each run and each request: everything that a front end needs to paint."""

    type: str
    version: int
    stale: list[str]
    fresh: list[str]
    refresher: list[str]
    new_fresh: list[str]
    new_refresher: list[str]
    would_fail: dict[str, list[str]]
    again: dict[str, str]
    reasons: dict[str, str]


def highlights_message(notebook: Notebook) -> HighlightsMessage:
    """Return the current highlights as plain data."""
    now = notebook.highlights()
    return HighlightsMessage(
        type="highlights",
        version=VERSION,
        stale=sorted(now.stale),
        fresh=sorted(now.fresh),
        refresher=sorted(now.refresher),
        new_fresh=sorted(now.new_fresh),
        new_refresher=sorted(now.new_refresher),
        would_fail={cell: list(names) for cell, names in now.would_fail.items()},
        again=dict(now.again),
        reasons=dict(now.reasons),
    )


class CommServer:
    """Sends highlights to every open comm, and receives edits and requests from them."""

    def __init__(self, follower: ShellFollower) -> None:
        self._follower = follower
        self._comms: list[BaseComm] = []

    def start(self) -> None:
        """Accept front ends from now on."""
        get_comm_manager().register_target(TARGET, self._opened)
        self._follower.listeners.append(self.publish)

    def stop(self) -> None:
        """Accept no more front ends, and close the open comms."""
        get_comm_manager().unregister_target(TARGET, self._opened)
        for comm in self._comms:
            comm.close()
        self._comms.clear()

    def publish(self, notebook: Notebook) -> None:
        """Send the highlights to every front end."""
        if self._comms:
            message = dict(highlights_message(notebook))
            for comm in self._comms:
                comm.send(message)

    def _opened(self, comm: BaseComm, opening: object) -> None:
        self._comms.append(comm)
        self._follower.is_watched = True
        comm.on_msg(self.receive)
        comm.on_close(lambda _: self._closed(comm))
        self.publish(self._follower.notebook)

    def _closed(self, comm: BaseComm) -> None:
        if comm in self._comms:
            self._comms.remove(comm)
        self._follower.is_watched = bool(self._comms)

    def receive(self, message: dict[str, dict[str, dict[str, str]]]) -> None:
        """Handle a message of a front end: `edit` (cell, text), `remove` (cell), `upstream` (cell) or `request`."""
        data = message["content"]["data"]
        match data:
            case {"type": "edit", "cell": cell, "text": text}:
                self._follower.edit(cell, text)
            case {"type": "remove", "cell": cell}:
                self._follower.notebook.remove(cell)
            case {"type": "upstream", "cell": cell}:
                self._answer_upstream(cell)
                return
        self.publish(self._follower.notebook)

    def _answer_upstream(self, cell: str) -> None:
        """Send the cells that a front end has to run, in order, to make one safe."""
        cells = self._follower.notebook.upstream(cell).cells
        for comm in self._comms:
            comm.send({"type": "upstream", "version": VERSION, "cell": cell, "cells": list(cells)})

    def ask_to_run(self, cell: str) -> bool:
        """Ask a front end to run a cell, so that the output appears under it. Return False if none is connected."""
        if self._comms:  # one of them is enough, else the cell would run several times
            self._comms[0].send({"type": "run", "version": VERSION, "cells": [cell]})
        return bool(self._comms)
