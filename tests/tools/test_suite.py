from __future__ import annotations

from pathlib import Path

import pytest

from tools import suite

FAILS_ONCE = """
from pathlib import Path
def test_needs_a_second_run():
    before = Path("ran").exists()
    Path("ran").touch()
    assert before
"""
FAILS = "def test_never_passes():\n    assert False\n"
PASSES = "def test_passes():\n    pass\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with one test that passes, and no settings of ours."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_good.py").write_text(PASSES)
    return tmp_path


def test_a_suite_that_passes_runs_once(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert suite.run(["-q"], project) == 0
    assert "again" not in capfd.readouterr().out


def test_a_test_that_passes_alone_lets_the_suite_pass_and_is_named(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "test_busy.py").write_text(FAILS_ONCE)
    assert suite.run(["-q"], project) == 0
    printed = capfd.readouterr().out
    assert "== 1 test failed beside others and run again alone" in printed
    assert printed.endswith("Mend them:\n  test_busy.py::test_needs_a_second_run\n")


def test_a_test_that_fails_twice_fails_the_suite(project: Path) -> None:
    (project / "test_busy.py").write_text(FAILS_ONCE)
    (project / "test_bad.py").write_text(FAILS)
    assert suite.run(["-q"], project) == suite.TESTS_FAILED


def test_many_failures_are_not_run_again(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for number in range(suite.MOST_REPEATED + 1):
        (project / f"test_bad{number}.py").write_text(FAILS)
    assert suite.run(["-q"], project) == suite.TESTS_FAILED
    assert "again" not in capfd.readouterr().out


def test_a_failure_of_an_earlier_run_is_not_run_again(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    bad = project / "test_bad.py"
    bad.write_text(FAILS)
    assert suite.run(["-q"], project) == suite.TESTS_FAILED
    bad.unlink()
    (project / "test_busy.py").write_text(FAILS_ONCE)
    assert suite.run(["-q"], project) == 0
    assert "== 1 test failed" in capfd.readouterr().out
