from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from whence.store.store import Store

KILLS = pytest.StashKey[Counter[str]]()


@pytest.fixture(scope="session")
def kills(pytestconfig: pytest.Config) -> Counter[str]:
    """Kills per phase, shown at the end of a run; tests add to it."""
    return pytestconfig.stash.setdefault(KILLS, Counter())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    counted = config.stash.get(KILLS, Counter())
    if counted:
        terminalreporter.section("kills")
        terminalreporter.write_line(", ".join(f"{phase} {count}" for phase, count in sorted(counted.items())))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "w")
    yield opened
    opened.close()
