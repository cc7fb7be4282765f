"""The main path gives what it gave: rows, marks, lineage both ways and strategy, of random queries and every caller."""

import json
from pathlib import Path

import pytest

import whence
from tests.derive.golden import LONG, SHORT, Golden, caller_answers, random_answers, seeds


def _golden(path: Path, start: str) -> Golden:
    return {name: each for name, each in json.loads(path.read_text()).items() if name.startswith(start)}


@pytest.mark.parametrize("seed", seeds(is_long=False))
def test_random_queries_give_the_golden_answers(ws: whence.Workspace, seed: int) -> None:
    assert random_answers(ws, seed) == _golden(SHORT, f"random {seed}.")


def test_every_caller_gives_the_golden_answers(ws: whence.Workspace) -> None:
    found = caller_answers(ws)
    assert found == {name: each for name, each in _golden(SHORT, "").items() if not name.startswith("random ")}


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(is_long=True))
def test_many_random_queries_give_the_golden_answers(ws: whence.Workspace, seed: int) -> None:
    assert random_answers(ws, seed) == _golden(LONG, f"random {seed}.")
