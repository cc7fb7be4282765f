"""Checks in a file: one `[[check]]` table of TOML for each, with its kind and its parameters."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path

from whence.checks.check import Check
from whence.model.errors import BadInput


def read_checks(path: Path) -> list[Check]:
    """Return the checks of a file; refuse a file that holds anything else."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} is no TOML: {error}.") from error
    tables = content.get("check")
    if not isinstance(tables, list) or len(content) != 1:
        raise BadInput(f"{path} holds no checks.", 'Write each as [[check]] with kind = "row" and its parameters.')
    return [Check.from_values(table) for table in tables]


def write_checks(checks: Iterable[Check]) -> str:
    """Return checks as the text of a file that `read_checks` reads."""
    return "\n".join(_table(check) for check in checks)


def _table(check: Check) -> str:
    # JSON writes texts, numbers, flags and lists as TOML does.
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in check.to_json().items())
    return "\n".join(["[[check]]", *lines, ""])
