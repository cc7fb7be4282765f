"""The registry of recorded answers: what tests pin, and the command that records it anew."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

from tools.environment import PYTHON, ROOT


@dataclass(frozen=True)
class Record:
    """The files of one part, and the module of Python that writes them with its arguments."""

    files: tuple[str, ...]
    command: tuple[str, ...]


RECORDS: dict[str, Record] = {
    "charts": Record(("tests/charts/golden.txt",), ("tests.charts.golden", "write")),
    "derive": Record(("tests/derive/golden.json",), ("tests.derive.golden",)),
    "transformations": Record(
        tuple(f"tests/transformations/golden/{view}.json" for view in ("lens", "step", "cell")),
        ("pytest", "-q", "tests/transformations/test_golden.py"),
    ),
}
"""Files made from code are no records: `tools/generated.py` lists them, and every check compares them."""


def write(part: str, *arguments: str) -> int:
    """Record the answers of one part anew; the difference shows what a change does to them."""
    if part not in RECORDS:
        print(f"There are no records of {part}. There are those of {', '.join(RECORDS)}.", file=sys.stderr)
        return 2
    command = [str(PYTHON), "-m", *RECORDS[part].command, *arguments]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "WHENCE_WRITE_GOLDEN": "1"}, check=False).returncode
