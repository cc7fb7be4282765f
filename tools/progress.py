"""One line for each phase of a set-up: what it did, how much came with it, how long it took."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

LINES_OF_FAILURE = 30


@contextmanager
def phase(name: str, *folders: Path) -> Iterator[Callable[[str], None]]:
    """Print the phase when it begins, and how much it put into the folders in how many seconds when it ends.

    On a terminal the seconds are counted meanwhile. The block may add words to the closing line by calling what it is
    given.
    """
    print(f"== {name} ...", flush=True)
    before, start, words = size_of(folders), time.monotonic(), list[str]()
    with _counted_seconds(start):
        yield words.append
    grown = size_of(folders) - before
    facts = [*words, *([_readable(grown)] if grown > 0 else []), f"{time.monotonic() - start:.0f} s"]
    print(f"   {', '.join(facts)}", flush=True)


@contextmanager
def _counted_seconds(start: float) -> Iterator[None]:
    """Show on a terminal that a phase of minutes is not stuck; the next line is written over the seconds."""
    ended = threading.Event()

    def count() -> None:
        while not ended.wait(1):
            print(f"\r   {time.monotonic() - start:.0f} s", end="", flush=True)

    counter = threading.Thread(target=count, daemon=True)
    if sys.stdout.isatty():
        counter.start()
    try:
        yield
    finally:
        ended.set()
        if counter.is_alive():
            counter.join()
            print("\r", end="", flush=True)


def failure_of(command: Sequence[object], cwd: Path, environment: Mapping[str, str] | None = None) -> str:
    """Run a program without showing what it prints; return its last lines if it fails, and nothing if it does not."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    lines = [f"exit code {done.returncode} of {command[0]}", *done.stdout.rstrip().splitlines()]
    return "\n".join(lines[-LINES_OF_FAILURE:]) if done.returncode else ""


def size_of(folders: Sequence[Path]) -> int:
    """Return the bytes of all files below the folders."""
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files)


def _readable(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"
