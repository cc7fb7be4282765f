"""Runs notebooks in IPython, plain or followed, and prints what each cell showed and left behind: its own program."""

from __future__ import annotations

import json
import random
import re
import sys
import warnings
from types import FunctionType, ModuleType

_VARYING = re.compile(r"0x[0-9a-fA-F]{6,}|\d+(\.\d+)? ?(seconds|ms|s)\b|in \d+\.\d+s|Process ID \d+")


def main(peer: str) -> None:
    """Read notebooks as lists of cells, write a list of results, each in JSON."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    warnings.simplefilter("ignore")
    shell = InteractiveShell.instance(colors="NoColor", history_length=0)
    assert shell.history_manager is not None
    shell.history_manager.enabled = False
    for notebook in json.load(sys.stdin):
        shell.reset(new_session=True, aggressive=False)
        shell.execution_count = 1
        if peer == "whence":
            shell.run_line_magic("load_ext", "whence.safety")
        _seed()
        shown = []
        for number, cell in enumerate(notebook):
            with capture_output() as captured:
                result = shell.run_cell(cell, store_history=True, cell_id=f"cell-{number}")
            error = result.error_before_exec or result.error_in_exec
            shown.append([_steady(captured.stdout), type(error).__name__])
        problems = []
        if peer == "whence":
            loaded = shell.whence_safety  # type: ignore[attr-defined]  # the extension sets it
            problems = [repr(problem) for problem in loaded.follower.notebook.problems]
            shell.run_line_magic("unload_ext", "whence.safety")
        sys.stdout.write(json.dumps({"cells": shown, "names": _namespace(shell.user_ns), "problems": problems}) + "\n")
        sys.stdout.flush()


def _seed() -> None:
    random.seed(0)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(0)


def _steady(text: str) -> str:
    return _VARYING.sub("#", text)


def _namespace(values: dict[str, object]) -> dict[str, str]:
    """The user's variables as they look; what has no looks of its own by its type."""
    hidden = {"In", "Out", "exit", "quit", "get_ipython"}
    return {name: _looks(value) for name, value in sorted(values.items()) if name[:1] != "_" and name not in hidden}


def _looks(value: object) -> str:
    if isinstance(value, ModuleType | type | FunctionType):
        return f"{type(value).__name__} {getattr(value, '__name__', '')}"
    try:
        return _steady(repr(value))[:2000]
    except Exception as error:  # an object that cannot show itself must fail the same way
        return f"{type(value).__name__}: {type(error).__name__}"


if __name__ == "__main__":
    main(sys.argv[1])
