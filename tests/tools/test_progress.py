from __future__ import annotations

import io
import re
import sys
import time
from pathlib import Path

import pytest

from tools.progress import failure_of, phase


class Terminal(io.StringIO):
    """Where a phase prints when a person looks on."""

    def isatty(self) -> bool:
        return True


def test_a_phase_says_what_it_brought_and_how_long_it_took(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with phase("packages", tmp_path) as add:
        (tmp_path / "file").write_bytes(bytes(3_000_000))
        add("1 package")
    assert re.fullmatch(r"== packages \.\.\.\n   1 package, 3 MB, \d+ s\n", capsys.readouterr().out)


def test_on_a_terminal_the_seconds_are_counted_and_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    with phase("packages") as add:
        while "\r   1 s" not in terminal.getvalue():
            time.sleep(0.05)
        add("1 package")
    assert re.fullmatch(r"== packages \.\.\.\n(\r   \d+ s)+\r   1 package, \d+ s\n", terminal.getvalue())


def test_a_program_is_quiet_unless_it_fails(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert failure_of((sys.executable, "-c", "print('noise')"), tmp_path) == ""
    said = failure_of((sys.executable, "-c", "import sys; print('noise'); sys.exit('the reason')"), tmp_path)
    assert said.splitlines() == [f"exit code 1 of {sys.executable}", "noise", "the reason"]
    assert capfd.readouterr() == ("", "")
