"""How large a dataset is, and who may ask."""

from __future__ import annotations

from tests.server.conftest import HOST, Site
from whence.server.access import SharePaths, read_rules
from whence.server.app import build_api

URL = "/api/datasets/prices/shape"


def test_a_shape_counts_rows_and_columns(site: Site) -> None:
    assert site.get(URL).json() == {"rows": 8, "columns": 5}


def test_a_dataset_that_is_not_there_has_no_shape(site: Site) -> None:
    assert site.get("/api/datasets/nothing/shape").status == 404


def test_a_shape_is_for_who_is_signed_in(site: Site) -> None:
    assert site.raw("GET", URL, [(b"host", HOST)]).status == 401
    assert URL not in SharePaths(read_rules(build_api()))
