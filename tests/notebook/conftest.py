from __future__ import annotations

from collections import Counter

import pytest

KILLS = pytest.StashKey[Counter[str]]()


@pytest.fixture(scope="session")
def kills(pytestconfig: pytest.Config) -> Counter[str]:
    """Kills per phase of a notebook's life, shown at the end of a run; tests add to it."""
    return pytestconfig.stash.setdefault(KILLS, Counter())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    counted = config.stash.get(KILLS, Counter())
    if counted:
        terminalreporter.section("kills while notebooks were edited and run")
        terminalreporter.write_line(", ".join(f"{phase} {count}" for phase, count in sorted(counted.items())))
