"""Makes the Python client from the OpenAPI document: a method for each operation, over the shapes of `whence.wire`.

Written here because the generators there are make a package of a file per shape and call, with libraries of its own to
bring along; this makes one module that needs nothing whence does not need anyway.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from tools.client_types import annotation, argument
from tools.environment import ROOT
from whence import wire
from whence.server.openapi import schema

Operation = Mapping[str, Any]

_CALLS = '''"""A method for each operation of a server; made by tools/python_client.py from its contract, not edited."""

from __future__ import annotations

from typing import Literal

from whence.client.connection import Connection, path_part, without_none
{shapes}


class Calls(Connection):
    """Every operation, by the name it has in the contract."""
'''


def write_calls() -> str:
    """The text of src/whence/client/calls.py."""
    document = _document()
    calls = "".join(
        _call(method.upper(), path, operation, document)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    )
    used = [name for name in sorted(document["components"]["schemas"]) if re.search(rf"\b{name}\b", calls)]
    return _formatted(_CALLS.format(shapes="\n".join(_imports(used))) + calls)


def _imports(shapes: Sequence[str]) -> Iterator[str]:
    """The lines that import these shapes from the modules of `whence.wire`, which the server answers with."""
    for module in sorted(each.name for each in iter_modules(wire.__path__)):
        defined = vars(import_module(f"whence.wire.{module}"))
        here = [name for name in shapes if getattr(defined.get(name), "__module__", "").endswith(f".{module}")]
        if here:
            yield f"from whence.wire.{module} import {', '.join(here)}"


def _document() -> dict[str, Any]:
    return dict(schema())


def _call(method: str, path: str, operation: Operation, document: Operation) -> str:
    parts = {each["name"]: _path_name(path, each["name"]) for each in _of(operation, "path")}
    query = _of(operation, "query")
    body = _body(operation, document)
    named = [f"{each['name']}: {argument(each['schema'], is_required=each['required'])}" for each in query]
    named += [f"{name}: {kind}" for name, kind, _ in body.fields]
    # What must be given comes first, as in any signature.
    named.sort(key=lambda each: "=" in each)
    kinds = {each["name"]: annotation(each["schema"]) for each in _of(operation, "path")}
    arguments = ["self", *(f"{parts[name]}: {kinds[name]}" for name in parts), *(body.content or ())]
    if len(arguments) > 1:
        arguments.append("/")
    arguments += ["*", *named] if named else []
    answer = _answer(operation)
    place = re.sub(r"{(\w+)}", lambda found: f"{{path_part({parts[found[1]]})}}", path)
    passed = [f'"{method}"', f'{"f" if parts else ""}"{place}"']
    if query:
        passed.append(f"query={{{', '.join(_pair(each['name']) for each in query)}}}")
    if body.content:
        passed.append("body=content")
    elif body.fields:
        passed.append(f"body={body.written}")
    elif method == "POST":
        passed.append("body={}")
    return "\n".join(
        [
            f"\n    def {operation['operationId']}({', '.join(arguments)}) -> {answer}:",
            _docstring(operation["description"], 8),
            f"        found: {answer} = self.call({', '.join(passed)}, answer={answer})",
            "        return found\n",
        ]
    )


class _Body:
    """What a request carries: fields of JSON as arguments, or the bytes of a file."""

    def __init__(self, shape: Operation | None, *, is_file: bool) -> None:
        self.content = ["content: bytes"] if is_file else None
        required = set((shape or {}).get("required", ()))
        self.fields = [
            (name, argument(inner, is_required=name in required), name in required or "default" in inner)
            for name, inner in (shape or {}).get("properties", {}).items()
        ]

    @property
    def written(self) -> str:
        """As an expression: what has a default of its own is always sent, what was left out never."""
        sure = ", ".join(_pair(name) for name, _, is_sent in self.fields if is_sent)
        open_ = ", ".join(_pair(name) for name, _, is_sent in self.fields if not is_sent)
        if not open_:
            return f"{{{sure}}}"
        return f"{{{sure}}} | without_none({{{open_}}})" if sure else f"without_none({{{open_}}})"


def _body(operation: Operation, document: Operation) -> _Body:
    content = operation.get("requestBody", {}).get("content", {})
    reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
    shape = document["components"]["schemas"].get(reference.rpartition("/")[2])
    return _Body(shape, is_file="application/octet-stream" in content)


def _answer(operation: Operation) -> str:
    (content,) = operation["responses"]["200"]["content"].items()
    kind, described = content
    if kind == "application/octet-stream":
        return "bytes"
    return annotation(described["schema"]) if kind == "application/json" else "str"


def _of(operation: Operation, place: str) -> list[Operation]:
    return [each for each in operation.get("parameters", ()) if each["in"] == place]


def _path_name(path: str, name: str) -> str:
    """`{name}` behind `/notebooks/` is a notebook's."""
    if name != "name":
        return name
    before: str = path.split("{name}")[0].rstrip("/").rpartition("/")[2]
    return before.removesuffix("s")


def _pair(name: str) -> str:
    return f'"{name}": {name}'


def _docstring(text: str, indent: int) -> str:
    space = " " * indent
    paragraphs = [textwrap.fill(each.replace("\n", " "), 114 - indent) for each in text.strip().split("\n\n")]
    body = textwrap.indent("\n\n".join(paragraphs), space).strip()
    return f'{space}"""{body}"""' if "\n" not in body else f'{space}"""{body}\n{space}"""'


def _formatted(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(ROOT / "src/whence/client/made.py"), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout
