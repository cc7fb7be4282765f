"""`whence expect`: checks from a file and from options, and the report for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from whence.checks.check import Check, Severity
from whence.checks.read_checks import read_checks, write_checks
from whence.model.errors import BadInput
from whence.workspace.workspace import Workspace


def gather_checks(path: Path | None, options: Mapping[str, Sequence[str]], *, are_errors: bool) -> list[Check]:
    """Return the checks of a file, then those of options: kinds with the text of each. Columns are split at commas."""
    severity: Severity = "error" if are_errors else "warning"
    found = [] if path is None else read_checks(path)
    for kind, texts in options.items():
        found += [Check(kind, text.split(",") if kind == "key" else text, severity=severity) for text in texts]
    return found


def checks_of_schemas(workspace: Workspace, dataset: str, places: Sequence[str], *, are_errors: bool) -> list[Check]:
    """Return the checks of schemas of pandera that modules of the current folder hold, each as module:NAME."""
    severity: Severity = "error" if are_errors else "warning"
    return [check for place in places for check in workspace.pandera_checks(dataset, _schema_at(place), severity)]


def _schema_at(place: str) -> Any:  # noqa: ANN401 - pandera may be missing
    module, _, name = place.partition(":")
    if not module or not name:
        raise BadInput(f"{place} names no schema.", "Write it as module:NAME, such as schemas:ORDERS.")
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        if error.name == "pandera":
            raise BadInput(
                f"{module} needs the package pandera, which is not installed.",
                "Run `pip install 'whence-data[pandera]'`.",
            ) from error
        raise BadInput(f"The module {module} cannot be imported: {error}.", "Run this in its folder.") from error
    if not hasattr(found, name):
        raise BadInput(f"The module {module} has no {name}.")
    return getattr(found, name)


def suggested_text(workspace: Workspace, dataset: str) -> str:
    """Return the suggested checks of a dataset as the text of a file."""
    return write_checks(workspace.suggest_checks(dataset)).rstrip()
