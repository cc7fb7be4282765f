"""Credentials by reference: looked up when needed, never stored, never shown."""

from __future__ import annotations

import os
from importlib import import_module

from whence.model.errors import BadInput

_HINT = 'Write "ENV:NAME" for a variable of the environment, or "KEYRING:service/user".'


def secret(reference: str, what: str) -> str:
    """Return the credential that a reference names, such as `ENV:DB_PASSWORD`."""
    kind, _, name = reference.partition(":")
    if kind == "ENV" and name:
        if name not in os.environ:
            raise BadInput(f"The environment has no variable {name} for the {what}.", "Set it and try again.")
        return os.environ[name]
    service, _, user = name.partition("/")
    if kind == "KEYRING" and service and user:
        return _from_keyring(service, user, what)
    raise BadInput(f"{what}_from says where the {what} is, not what it is.", _HINT)


def _from_keyring(service: str, user: str, what: str) -> str:
    try:
        keyring = import_module("keyring")
    except ModuleNotFoundError:
        raise BadInput(f"The {what} is in a keyring, but the package keyring is not installed.", _HINT) from None
    found = keyring.get_password(service, user)
    if found is None:
        raise BadInput(f"The keyring has no entry {service}/{user} for the {what}.", _HINT)
    return str(found)


def without_secrets(text: str, secrets: list[str]) -> str:
    """Return a message with every credential replaced by ***."""
    for each in secrets:
        if each:
            text = text.replace(each, "***")
    return text
