"""Runs inside the copy: makes the files that are made from code, and looks where a user would see the samples.

It is a test there, so that other tests run in the same process; it starts no Spark.
"""

from __future__ import annotations

import json

from fastapi.testclient import TestClient
from typer.testing import CliRunner

from tests.charts.gallery import GALLERY
from tests.charts.golden import all_cases, answer, recorded
from tests.server.conftest import HOST, TOKEN, Site
from tests.transformations.calls import LENSES
from tests.transformations.test_golden import GOLDEN
from tools import generated
from tools.environment import ROOT
from whence.cli.main import app
from whence.server.app import build_api
from whence.server.openapi import schema

TYPES = "web/src/api/types.ts"
"""A program of Node makes it, which a copy does not have: its paths are compared with those of the contract."""

SEEN = "seen.json"


def look() -> dict[str, object]:
    """What there is to see, by where it is seen."""
    del generated.GENERATED[TYPES]
    generated.main("write")
    client = TestClient(build_api())
    return {
        "kinds": client.get("/api/kinds").json(),
        "geoms": client.get("/api/chart-grammar").json()["geoms"],
        "picture": answer(GALLERY["diamond"], 100),
        "transformations": CliRunner().invoke(app, ["transformations"]).output,
        "shape": _shape(),
        "missing": _missing(),
    }


def _shape() -> list[object]:
    """What the new route answers to who is not signed in, and to who is."""
    client = TestClient(Site().app, base_url=f"http://{HOST.decode()}")
    url = "/api/datasets/prices/shape"
    return [client.get(url).status_code, client.get(url, headers={"Authorization": f"Bearer {TOKEN}"}).json()]


def _missing() -> dict[str, list[str]]:
    """What files that need Node, Spark or minutes lack, by file, until a command writes them anew."""
    paths, types = schema()["paths"], (ROOT / TYPES).read_text(encoding="utf-8")
    assert isinstance(paths, dict)
    lens = GOLDEN / "lens.json"
    return {
        TYPES: [path for path in paths if f'"{path}"' not in types],
        "tests/charts/golden.txt": sorted({group for group, _, _ in all_cases()} - recorded().keys()),
        "tests/transformations/golden/lens.json": sorted(LENSES.keys() - json.loads(lens.read_text(encoding="utf-8"))),
    }


def test_what_there_is_to_see() -> None:
    (ROOT / SEEN).write_text(json.dumps(look()), encoding="utf-8")
