"""Writes the reference of the HTTP API from the server's OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.client_types import annotation
from whence.server.openapi import schema

HEAD = """\
# HTTP API

Every route of a [server](server.md), made from its OpenAPI document, which a running server gives at `/openapi.json`.
Each request but `GET /health` needs the token of the printed link (`Authorization: Bearer ...`) or a browser's session;
every error is an [`ErrorBody`](#ErrorBody). [`whence.client`](server.md) has a typed method for each operation, by the
name in brackets.

| Route | What it does |
|---|---|
"""

Operation = Mapping[str, Any]


def write_page() -> str:
    """Return the text of docs/http-api.md."""
    document: Any = schema()
    routes = [
        (f"{method.upper()} {path}", operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]
    rows = "".join(f"| [`{route}`](#{each['operationId']}) | {_first(each)} |\n" for route, each in routes)
    shapes = document["components"]["schemas"]
    return (
        HEAD
        + rows
        + "".join(_route(route, each) for route, each in routes)
        + "\n## Shapes\n\nWhat is sent and answered, as JSON.\n"
        + "".join(_shape(name, shapes[name]) for name in sorted(shapes))
    )


def _route(route: str, operation: Operation) -> str:
    rows = "".join(map(_parameter, operation.get("parameters", ())))
    table = f"\n| Takes | In | Type | Default |\n|---|---|---|---|\n{rows}" if rows else ""
    title = f"\n## {route} {{#{operation['operationId']}}}\n\n(`{operation['operationId']}`) {_text(operation)}\n"
    return title + table + _bodies(operation)


def _bodies(operation: Operation) -> str:
    """Return the lines that name the shapes of the request and of the answer."""
    sent = operation.get("requestBody", {}).get("content", {})
    answers = [each for code, each in operation["responses"].items() if code.startswith("2")]
    given = answers[0].get("content", {}) if answers else {}
    lines = [f"Sends {_type(each['schema'])}." for each in sent.values() if each.get("schema")]
    lines += [f"Answers {_type(each['schema'])} as `{form}`." for form, each in given.items() if each.get("schema")]
    return f"\n{' '.join(lines)}\n" if lines else ""


def _parameter(parameter: Mapping[str, Any]) -> str:
    shape = parameter["schema"]
    default = "needed" if parameter["required"] else f"`{shape['default']}`" if "default" in shape else ""
    return f"| `{parameter['name']}` | {parameter['in']} | {_type(shape)} | {default} |\n"


def _shape(name: str, shape: Mapping[str, Any]) -> str:
    needed = set(shape.get("required", ()))
    rows = "".join(
        f"| `{field}` | {_type(each)} | {'' if field in needed else 'may be left out'} |\n"
        for field, each in shape.get("properties", {}).items()
    )
    table = f"\n| Field | Type | |\n|---|---|---|\n{rows}" if rows else f"\nOne of {_type(shape)}.\n"
    text = _text(shape)
    return f"\n### {name} {{#{name}}}\n" + (f"\n{text}\n" if text else "") + table


def _type(shape: Mapping[str, Any]) -> str:
    written = annotation(shape).replace("|", "\\|")
    names = sorted({str(ref).rpartition("/")[2] for ref in _references(shape)})
    links = f" ({', '.join(f'[{name}](#{name})' for name in names)})" if names else ""
    return f"`{written}`{links}"


def _references(shape: object) -> list[object]:
    """Return every `$ref` inside a schema."""
    if isinstance(shape, Mapping):
        own = [shape["$ref"]] if "$ref" in shape else []
        return own + [ref for key, each in shape.items() if key != "$ref" for ref in _references(each)]
    return [ref for each in shape for ref in _references(each)] if isinstance(shape, list) else []


def _first(operation: Operation) -> str:
    return " ".join(str(operation.get("description", "")).split("\n\n")[0].split())


def _text(described: Mapping[str, Any]) -> str:
    return "\n\n".join(" ".join(each.split()) for each in str(described.get("description", "")).split("\n\n")).strip()
