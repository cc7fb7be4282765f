"""An app that the server serves beside its own routes, behind the same guard."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from starlette.routing import Route

from whence.server.notebooks import Notebooks
from whence.workspace.served import ServedWorkspace


@dataclass(frozen=True)
class Extension:
    """Routes, each of which declares who may call it, and what has to run while the server runs."""

    routes: tuple[Route, ...]
    running: Callable[[], AbstractAsyncContextManager[None]]


MakeExtension = Callable[[ServedWorkspace, Notebooks, str], Extension]
"""Makes an extension from the workspace, the notebooks of the server, and the address of its page."""
