"""`whence mcp`: answers through the server that has the workspace open, or opens the workspace itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from whence.client.running import find_server
from whence.model.errors import UserError
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.mcp.local as local
    import whence.mcp.relay as relay
    from whence.engine.profile import Profile
else:
    # Only one of them is needed, and the first loads PySpark.
    local = LazyModule("whence.mcp.local")
    relay = LazyModule("whence.mcp.relay")


def run_mcp(path: Path, choose_profile: Callable[[], Profile], *, is_read_only: bool) -> None:
    """Speak the protocol on standard input and output about a workspace that exists."""
    # Only one process may open a workspace, so a server that has it open must answer.
    if (running := find_server(path)) is not None:
        relay.relay_to(running, is_read_only=is_read_only)
        return
    if not (path / "meta.db").exists():
        raise UserError(f"There is no workspace at {path}.", "Make one: whence load, or whence demo.")
    local.serve_workspace(path, choose_profile(), is_read_only=is_read_only)
