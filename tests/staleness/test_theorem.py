"""Theorem 1: the index of dead symbols finds the same refreshers as the quadratic definition."""

from __future__ import annotations

import pytest

from tests.staleness.notebook_steps import Steps, random_notebooks
from tests.staleness.notebooks import FIRST, SECOND
from tests.staleness.test_oracle import Box
from whence.safety import Session
from whence.staleness.highlights import NotebookView, StaleUse


def overwrites(view: NotebookView, cell: str, use: StaleUse) -> bool:
    candidate = view.views[cell]
    return use.symbol in candidate.dead_parts or any(path.covers(use.path) for path in candidate.dead)


def quadratic(view: NotebookView) -> set[str]:
    """Every pair of a cell that is not stale and one that is: does the first overwrite what the second uses?"""
    return {
        cell
        for cell, candidate in view.views.items()
        if not candidate.stale
        and any(overwrites(view, cell, use) for other in view.views.values() for use in other.stale)
    }


def check_the_index_finds_what_all_pairs_find(steps: Steps) -> None:
    session = Session()
    session.namespace["Box"] = Box
    session.run("s1", FIRST)
    session.run("s2", SECOND)
    for action, cell, text in steps:
        session.edit(cell, text) if action == "edit" else session.run(cell, text)
        assert session.highlights().refresher == quadratic(session.view())


@random_notebooks(40)
def test_the_index_finds_what_all_pairs_find(steps: Steps) -> None:
    check_the_index_finds_what_all_pairs_find(steps)


@pytest.mark.long
@random_notebooks(2_000)
def test_many_more_times_the_index_finds_what_all_pairs_find(steps: Steps) -> None:
    check_the_index_finds_what_all_pairs_find(steps)
