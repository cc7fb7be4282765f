"""Tells whether the package `mcp`, which is an extra, is installed. This module does not import it."""

from __future__ import annotations

from importlib.util import find_spec

from whence.model.errors import UserError


def is_mcp_installed() -> bool:
    """Return whether tools for agents can be served."""
    return find_spec("mcp") is not None


def check_mcp_installed() -> None:
    """Raise a user error that says what to install if the package is missing."""
    if not is_mcp_installed():
        raise UserError("`whence mcp` needs the package mcp.", "Install it: pip install 'whence-data[mcp]'")
