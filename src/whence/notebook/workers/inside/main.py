"""The main function of a worker process: confines itself, imports modules, and serves one run or one session."""

from __future__ import annotations

import importlib
import os
import socket
import sys
from collections.abc import Sequence
from typing import Any, cast

from whence.engine.confine.confine import Limits, confine
from whence.engine.confine.landlock import AccessRules
from whence.engine.confine.network import leave_network, listen_within
from whence.notebook.workers.channel import Channel, ChannelBroken
from whence.notebook.workers.inside.recursion import bound_recursion


def main(descriptor: int) -> None:
    """Serve one run, or one session, over the inherited socket."""
    channel = Channel(socket.socket(fileno=descriptor))
    try:
        start: Any = channel.receive()
        sys.path[:] = start["path"]
        doors = _open_doors(start["connect"])
        # Before any library is imported, so that none of their code runs outside the limits.
        level = confine(
            AccessRules(tuple(start["read"]), tuple(start["write"]), tuple(start["connect"])),
            Limits(**start["limits"]),
            start["parent"],
            start.get("abi"),
        )
        os.chdir(start["folder"])
        bound_recursion()
        for name in start["warm"]:
            importlib.import_module(name)
        # Not at the top of this file: it imports libraries, which must happen after `confine` and before "ready".
        run = importlib.import_module("whence.notebook.workers.inside.run")
        channel.send({"t": "ready", "level": level.to_json(), "doors": len(doors)}, [each.fileno() for each in doors])
        for door in doors:
            door.close()
        task = channel.receive()
        if task.get("shared"):
            run = importlib.import_module("whence.notebook.workers.inside.shared")
            # This never returns: it serves tasks until the channel breaks.
            run.serve(channel, task, cast(int, start["limits"]["output_bytes"]))
        run.run(channel, task, cast(int, start["limits"]["output_bytes"]))
    except ChannelBroken:  # the server is gone, or hung up
        os._exit(1)


def _open_doors(ports: Sequence[int]) -> list[socket.socket]:
    """Leave the network, and listen on these ports in an empty one. Return nothing if the system does not allow it.

    Landlock's rule about ports holds for any address, so without this a cell reaches the port on other machines, too.
    """
    try:
        return [listen_within(port) for port in ports] if ports and leave_network() else []
    except OSError:
        return []
