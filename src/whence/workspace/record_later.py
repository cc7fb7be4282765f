"""Lets the class archive be recorded in the background when this process has ended."""

from __future__ import annotations

import atexit
import subprocess
import sys

from whence.engine.process import SparkProcess

RECORDER = "whence.workspace.record_archive"
"""A module to run; importing it here would be a circle, as it opens a workspace."""


def record_after_exit(process: SparkProcess) -> None:
    """Record the archive after this process, if Spark had to start without one."""
    if process.lacks_archive:
        atexit.unregister(_start_recorder)  # once, however many workspaces are closed
        atexit.register(_start_recorder)


def _start_recorder() -> None:
    nothing = subprocess.DEVNULL
    recorder = subprocess.Popen(
        [sys.executable, "-m", RECORDER], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
    )
    recorder.returncode = 0  # it outlives this process, which Python would warn of
