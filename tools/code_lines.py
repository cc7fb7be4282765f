"""Counts lines of Python code: without blank lines, comments, docstrings, and files that are made from code.

`python -m tools.code_lines src/whence` prints one line for each package below a folder, and the sum.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

from tools.environment import ROOT
from tools.generated import GENERATED

_SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def main(folder: str) -> int:
    """Print the count of each package below a folder."""
    counts = count_packages(ROOT / folder)
    for package, lines in sorted(counts.items()):
        print(f"{lines:7,} {package}")
    print(f"{counts.total():7,} all")
    return 0


def count_packages(folder: Path) -> Counter[str]:
    """Lines of code by the folder right below this one."""
    made = {ROOT / path for path in GENERATED}
    counts: Counter[str] = Counter()
    for file in folder.rglob("*.py"):
        if file not in made:
            counts[file.relative_to(folder).parts[0]] += count_lines(file.read_text(encoding="utf-8"))
    return counts


def count_lines(text: str) -> int:
    r"""The lines of a module that hold code.

    >>> count_lines("'What it is.'\n\nx = 1  # why\n\n\ndef f():\n    'Do.'\n    return x\n")
    3
    """
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - _documented(ast.parse(text)))


def _documented(tree: ast.Module) -> set[int]:
    """The lines of texts that stand alone: docstrings of modules, classes, functions and fields."""
    alone = (node for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    texts = (node for node in alone if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str))
    return {line for node in texts for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
