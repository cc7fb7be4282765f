"""Starts a process that records the class archive in the background after this process has ended."""

from __future__ import annotations

import atexit
import subprocess
import sys

from whence.engine.process import SparkProcess

RECORDER = "whence.workspace.record_archive"
"""The module that records. It is run, not imported: it opens a workspace, so importing it here would be circular."""


def record_after_exit(process: SparkProcess) -> None:
    """Record the class archive when this process exits, if Spark had to start without one."""
    if process.lacks_archive:
        atexit.unregister(_start_recorder)  # once, however many workspaces are closed
        atexit.register(_start_recorder)


def _start_recorder() -> None:
    nothing = subprocess.DEVNULL
    recorder = subprocess.Popen(
        [sys.executable, "-m", RECORDER], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
    )
    recorder.returncode = 0  # it outlives this process, which Python would warn of
