"""The copy in which recipes were performed."""

from __future__ import annotations

import pytest

from tests.recipes.repository_copy import RepositoryCopy, perform_recipes

collect_ignore = ["samples"]
"""They belong into the copy."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> RepositoryCopy:
    """One for all tests of a file, because a process that imports it takes seconds."""
    return perform_recipes(tmp_path_factory.mktemp("recipes"))
