"""The life of a worker process: confined first, then warmed up, then one run, or one shared interpreter, then gone."""

from __future__ import annotations

import importlib
import os
import socket
import sys
from typing import Any, cast

from whence.engine.confine.confine import Limits, confine
from whence.engine.confine.landlock import AccessRules
from whence.notebook.workers.channel import Channel, ChannelBroken
from whence.notebook.workers.inside.recursion import bound_recursion


def main(descriptor: int) -> None:
    """Serve one run, or a shared interpreter, over the inherited socket."""
    channel = Channel(socket.socket(fileno=descriptor))
    try:
        start: Any = channel.receive()
        sys.path[:] = start["path"]
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
        # Only now: what they import must be warm, too.
        run = importlib.import_module("whence.notebook.workers.inside.run")
        channel.send({"t": "ready", "level": level.to_json()})
        task = channel.receive()
        if task.get("shared"):
            run = importlib.import_module("whence.notebook.workers.inside.shared")
            run.serve(channel, task, cast(int, start["limits"]["output_bytes"]))
        run.run(channel, task, cast(int, start["limits"]["output_bytes"]))
    except ChannelBroken:
        os._exit(1)
