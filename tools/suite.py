"""Runs the whole suite, and the few tests that failed in it once more alone.

Hundreds of tests start, kill and time processes while others keep the cores busy. One of them may fail for that reason
alone, so up to three failed tests get a second run with nothing beside them. A test that passes then is named, because
it depends on time: it should be mended all the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tools.environment import PYTHON, ROOT
from tools.scratch import scratch_environment

MOST_REPEATED = 3
"""More failures than these are a broken change and not a busy machine."""
TESTS_FAILED = 1
"""What pytest returns if it ran to its end and a test failed; anything else is no matter of a single test."""


def run(arguments: list[str], root: Path = ROOT) -> int:
    """Run pytest with the arguments, and its failed tests again; return the exit code that counts."""
    code = _pytest(root, "--cache-clear", *arguments)
    failed = failed_tests(root) if code == TESTS_FAILED else []
    if not 0 < len(failed) <= MOST_REPEATED:
        return code
    print(f"== {_tests(failed)} failed beside others and run again alone", flush=True)
    code = _pytest(root, *failed)
    if code == 0:
        print("Passed only when run alone, so they depend on time. Mend them:", *failed, sep="\n  ", flush=True)
    return code


def failed_tests(root: Path) -> list[str]:
    """Return the tests that failed in the last run of pytest, as pytest noted them."""
    note = root / ".pytest_cache" / "v" / "cache" / "lastfailed"
    return sorted(json.loads(note.read_text(encoding="utf-8"))) if note.is_file() else []


def _tests(failed: list[str]) -> str:
    return "1 test" if len(failed) == 1 else f"{len(failed)} tests"


def _pytest(root: Path, *arguments: str) -> int:
    command = [str(PYTHON), "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=root, env=scratch_environment(), check=False).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
