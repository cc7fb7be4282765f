"""Makes the page's TypeScript types from the server's OpenAPI document, so that there is one contract."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import hatch_build
from tools import web
from tools.environment import ROOT
from whence.server.openapi import schema


def write_types() -> str:
    """The text of web/src/api/types.ts."""
    web.install("checks")
    with tempfile.TemporaryDirectory() as folder:
        document, types = Path(folder, "openapi.json"), Path(folder, "types.ts")
        document.write_text(json.dumps(schema()), encoding="utf-8")
        hatch_build.run_npm(
            ROOT, "exec", "--offline", "--", "openapi-typescript", str(document), "--output", str(types)
        )
        return types.read_text(encoding="utf-8")
