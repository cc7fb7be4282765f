"""Counts of the oracles, shown at the end of a run."""

import pytest

from tests.oracles.comparing import Counts

COUNTS = pytest.StashKey[dict[str, Counts]]()


@pytest.fixture(scope="session")
def tally(pytestconfig: pytest.Config) -> dict[str, Counts]:
    """Counts by family of queries; tests add to it."""
    return pytestconfig.stash.setdefault(COUNTS, {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    counted = config.stash.get(COUNTS, {})
    if not counted:
        return
    terminalreporter.section("oracles")
    for family, found in counted.items():
        terminalreporter.write_line(f"{family:28} {found}")
