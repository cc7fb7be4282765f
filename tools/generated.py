"""The registry of files made from code, and the check that each is what its maker would write now."""

from __future__ import annotations

import difflib
import sys
from importlib import import_module

from tools.environment import ROOT
from tools.prose import wrap

# path -> "module:function"; the function takes nothing and returns the text of the file.
GENERATED: dict[str, str] = {
    "web/src/api/types.ts": "tools.api_types:write_types",
    "src/whence/client/calls.py": "tools.python_client:write_calls",
    "CONTRIBUTING.md": "tools.layers_picture:write_page",
    "docs/architecture.md": "tools.layers_picture:write_architecture",
    "docs/promise.md": "tools.promise_page:write_page",
    "docs/cells.md": "tools.cells_page:write_page",
    "docs/transformations.md": "tools.transformations_page:write_page",
    "docs/operators.md": "tools.operators_page:write_page",
    "docs/sheet-functions.md": "tools.sheet_functions_page:write_page",
    "docs/chart-grammar.md": "tools.charts_page:write_page",
    "docs/python-api.md": "tools.python_api_page:write_page",
    "docs/cli.md": "tools.cli_page:write_page",
    "docs/http-api.md": "tools.http_api_page:write_page",
    "tests/snapshots/api.txt": "tools.public_api:describe",
}


def main(action: str) -> int:
    """Do one of check, write."""
    stale = [
        path
        for path, maker in GENERATED.items()
        if not _is_current(path, _as_file(path, make(maker)), write=action == "write")
    ]
    return 1 if stale and action == "check" else 0


def make(maker: str) -> str:
    """Call a maker by its name."""
    module, _, function = maker.partition(":")
    text: str = getattr(import_module(module), function)()
    return text


def _as_file(path: str, text: str) -> str:
    """Return the text with lines of one width if it is a page."""
    return wrap(text) if path.endswith(".md") else text


def _is_current(path: str, wanted: str, *, write: bool) -> bool:
    file = ROOT / path
    found = file.read_text(encoding="utf-8") if file.is_file() else ""
    if found == wanted:
        return True
    if write:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(wanted, encoding="utf-8", newline="\n")
        print(f"wrote {path}")
    else:
        print(f"{path} is out of date:")
        sys.stdout.writelines(difflib.unified_diff(_lines(found), _lines(wanted), "in the tree", "from the code", n=1))
    return False


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
