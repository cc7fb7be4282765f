"""`%load_ext whence.safety`: follows the cells of the shell it is loaded into."""

from __future__ import annotations

from IPython.core.interactiveshell import InteractiveShell

from whence.safety.jupyter.messages import CommServer
from whence.safety.jupyter.shell import ShellFollower

_ATTRIBUTE = "whence_safety"  # the shell owns its follower, so that several shells may live in one process


class Extension:
    """A loaded extension: the follower, its comm and its magic command."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.follower = ShellFollower(shell)
        self.server = CommServer(self.follower)

    def describe(self, line: str = "") -> None:
        """`%safety`: print the highlighted cells with their reasons; `%safety CELL`: what to run before a cell."""
        if line.strip():
            print(" -> ".join(self.follower.notebook.upstream(line.strip()).cells))  # noqa: T201  # the answer to a magic
            return
        for cell, reason in self.follower.notebook.highlights().reasons.items():
            print(f"{cell}: {reason}")  # noqa: T201  # likewise


def load(shell: InteractiveShell) -> Extension:
    """Follow a shell; once is enough."""
    loaded: Extension | None = getattr(shell, _ATTRIBUTE, None)
    if loaded is None:
        loaded = Extension(shell)
        loaded.follower.attach()
        loaded.server.start()
        magics = shell.magics_manager
        magics.register_function(loaded.describe, "line", "safety")
        setattr(shell, _ATTRIBUTE, loaded)
    return loaded


def unload(shell: InteractiveShell) -> None:
    """Leave the shell as it was."""
    loaded: Extension | None = getattr(shell, _ATTRIBUTE, None)
    if loaded is not None:
        loaded.follower.detach()
        loaded.server.stop()
        delattr(shell, _ATTRIBUTE)
