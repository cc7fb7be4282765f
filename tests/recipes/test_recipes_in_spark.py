"""What a recipe adds works in Spark: the tests that come with each sample pass in the copy."""

from __future__ import annotations

import pytest

from tests.recipes.repository_copy import RepositoryCopy
from tests.recipes.sample import SAMPLES


@pytest.mark.spark
@pytest.mark.timeout(900)
def test_the_tests_of_every_sample_pass(copy: RepositoryCopy) -> None:
    copy.run_tests("spark", *(check for sample in SAMPLES.values() for check in sample.spark_checks))
