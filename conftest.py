"""Fixtures every test shares: one Spark for the whole run of a process, a workspace of its own for each test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import whence
from whence.engine.blame import RAISE_VARIABLE

LONG_SECONDS = 2_700
"""What one test of the full counts may take; its part as a whole must stay under the same bound."""


def pytest_configure() -> None:
    """In the tests of whence an internal error is a failure, in the processes that they start as well."""
    os.environ[RAISE_VARIABLE] = "1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The bound that finds stuck tests is for the short ones."""
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(LONG_SECONDS))


@pytest.fixture(scope="session")
def spark_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[whence.Workspace]:
    """The workspace that starts Spark; it outlives all others, because Spark's scratch files lie in it."""
    with whence.open(tmp_path_factory.mktemp("spark") / "home.whence") as home:
        yield home


@pytest.fixture
def ws(tmp_path: Path, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    """An empty workspace on the shared Spark."""
    assert spark_home.spark is not None
    with whence.open(tmp_path / "test.whence") as workspace:
        yield workspace


@pytest.fixture(autouse=True)
def _examples_in_docstrings(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    doctest_namespace: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A docstring example may use `whence` and an open workspace `ws`."""
    if isinstance(request.node, pytest.DoctestItem):
        doctest_namespace["whence"] = whence
        if any("ws" in example.source for example in request.node.dtest.examples):
            doctest_namespace["ws"] = request.getfixturevalue("ws")
        monkeypatch.chdir(tmp_path)
