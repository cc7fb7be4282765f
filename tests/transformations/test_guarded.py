"""Every SQL text that a transformation takes from a user goes through the guard of servers before Spark sees it."""

from __future__ import annotations

import pytest

import whence
from whence.engine.engine import Engine
from whence.model.errors import UserError

BAD = "java_method('java.lang.System', 'exit')"
CALLS: list[tuple[str, dict[str, object]]] = [
    ("filter", {"condition": f"{BAD} = 'x'"}),
    ("drop_rows", {"condition": f"{BAD} = 'x'"}),
    ("derive", {"columns": {"y": BAD}}),
    ("transform", {"columns": ["w"], "expression": BAD}),
    ("transform", {"columns": ["w"], "expression": "{}", "returns": f"string) || {BAD}, (1"}),
    ("binarize", {"columns": {"x": f"{BAD} = 'x'"}}),
    ("group_by", {"columns": ["w"], "values": {"y": f"max({BAD})"}}),
    ("generate", {"by": ["w"], "values": {"x": f"max({BAD})"}}),
    ("join", {"other": "t", "condition": f"l.w = {BAD}"}),
    ("comment", {"text": "odd", "where": f"{BAD} = 'x'"}),
    ("parse_numbers", {"column": "w", "type": f"decimal(1,0)) || {BAD}, (1"}),
]


@pytest.mark.parametrize(("kind", "parameters"), CALLS, ids=[kind for kind, _ in CALLS])
def test_what_a_server_must_not_run_is_refused(
    ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch, kind: str, parameters: dict[str, object]
) -> None:
    def refuse(_: Engine, text: str) -> str:
        if "java_method" in text:
            raise UserError("Not on a server.")
        return text

    given = ws.create("t", [("1", 1)], schema="w string, x int")
    monkeypatch.setattr(Engine, "check_expression", refuse)
    with pytest.raises(UserError, match="Not on a server"):
        ws.lens(kind, given, name="never", **parameters)
