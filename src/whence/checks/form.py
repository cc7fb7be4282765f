"""Checks as the fields of an `expect` cell."""

from __future__ import annotations

from collections.abc import Iterable

from whence.checks.check import Check, find_check_kind

_NOT_FIELDS = ("kind", "name", "severity")


def as_fields(checks: Iterable[Check]) -> dict[str, object]:
    """Return the values of a cell that makes these checks, by kind. A cell states one key, so others are left out."""
    fields: dict[str, list[object]] = {}
    for check in checks:
        kind = find_check_kind(check.kind)
        stated = {name: value for name, value in check.to_json().items() if name not in _NOT_FIELDS}
        first = stated[kind.parameters[0].name]
        if kind.form == "one for all columns":
            fields.setdefault(kind.name, list(first) if isinstance(first, list | tuple) else [first])
        else:
            fields.setdefault(kind.name, []).append(first if kind.form == "one for each column" else stated)
    return dict(fields)
