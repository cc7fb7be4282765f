"""Writes the reference of the Python API from the docstrings of what `whence` exports."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

import whence
from tools.docstrings import first_sentence, markdown
from tools.public_api import getter_of, members, public_things, signature
from whence.safety import Session
from whence.workspace.capture import CaptureControl

HEAD = """\
# Python API

Everything that `import whence` gives, and what its attributes lead to, made from the docstrings. The examples run as
tests; in them `ws` is an open workspace. The pages under *Topics* show how they go together. `ws.capture` is a
`CaptureControl`, and `Session` comes from `whence.safety`.

| Name | What it is |
|---|---|
"""

# The handles a user meets first come first. Names that are not here follow in alphabetical order.
FIRST = ("open", "Workspace", "Dataset", "DatasetLineage", "DatasetCaveats", "Rows", "Notebook", "Cell", "Sheet",
         "Pipeline", "Provenance", "chart", "Chart", "link", "Link", "explain", "Explanations", "Explanation",
         "caveat", "caveat_if", "has_caveat", "bound_low", "bound_high")  # fmt: skip
# Classes that attributes lead to and that users call; the others are parts of the engine.
ATTACHED = ("DatasetCaveats", "DatasetLineage", "NotebookSession", "Predicate", "WorkspaceCaveats", "WorkspaceGraph")
# What a type of an attribute does not lead to: `ws.capture`, and the session of `whence.safety`.
ALSO: dict[str, type] = {"CaptureControl": CaptureControl, "Session": Session}
# Attributes through which the server and other layers reach the parts of a handle.
INTERNAL = ("browser_sessions", "context", "pending_sheets", "trace", "compiled", "picture", "view")
WIDTH = 110


def write_page() -> str:
    """Return the text of docs/python-api.md."""
    things = _shown_things()
    rows = "".join(f"| [`{name}`](#{_anchor(name)}) | {first_sentence(thing)} |\n" for name, thing in things.items())
    return HEAD + rows + "".join(block for name, thing in things.items() for block in _blocks(name, thing))


def _shown_things() -> dict[str, object]:
    """Return what the page documents, by name, in its order."""
    found = public_things() | ALSO
    callables = [name for name, each in found.items() if inspect.isclass(each) or inspect.isfunction(each)]
    rest = [name for name in callables if name in {*whence.__all__, *ATTACHED, *ALSO} - {*FIRST}]
    return {name: found[name] for name in [*FIRST, *sorted(rest)]}


def _blocks(name: str, thing: object) -> Iterator[str]:
    if not inspect.isclass(thing):
        yield f"\n## {name} {{#{_anchor(name)}}}\n\n{_call(f'whence.{name}', thing)}\n\n{markdown(thing)}\n"
        return
    yield f"\n## {name} {{#{_anchor(name)}}}\n\n{markdown(thing)}\n"
    found = {each: value for each, value in sorted(members(thing).items()) if _is_shown(each, value)}
    fields = [f"`{each}`" for each, value in found.items() if not _is_documented(value)]
    if fields:
        yield f"\nFields: {', '.join(fields)}.\n"
    for each, value in found.items():
        if _is_documented(value):
            yield _member(name, each, value)


def _is_shown(name: str, value: object) -> bool:
    return not name.startswith("_") and not (name in INTERNAL and getter_of(value))


def _is_documented(value: object) -> bool:
    target = value.__func__ if isinstance(value, staticmethod | classmethod) else value
    return inspect.isfunction(target) or getter_of(value) is not None


def _member(owner: str, name: str, value: object) -> str:
    target = value.__func__ if isinstance(value, staticmethod | classmethod) else value
    head = f"\n### {owner}.{name} {{#{_anchor(owner)}.{name}}}\n"
    text = markdown(getter_of(value) or target)
    return f"{head}\n{_call(name, value)}\n" + (f"\n{text}\n" if text else "")


def _call(name: str, value: object) -> str:
    """Return a signature as a block of code, one argument a line where it is long."""
    target = value.__func__ if isinstance(value, staticmethod | classmethod) else value
    arguments = str(_plain_signature(target)) if inspect.isfunction(target) else signature(value)
    line = f"{name}{arguments}"
    return f"```text\n{line if len(line) <= WIDTH else _broken(name, arguments)}\n```"


def _plain_signature(function: Callable[..., object]) -> inspect.Signature:
    """Return the signature without `self`, its types as they stand in the source."""
    found = inspect.signature(function)
    shown = [each.replace(annotation=_as_written(each.annotation)) for each in found.parameters.values()]
    if shown and shown[0].name in ("self", "cls"):
        del shown[0]
    return found.replace(parameters=shown, return_annotation=_as_written(found.return_annotation))


class _Written(str):
    """A type that is shown without the quotes of a text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _as_written(annotation: object) -> object:
    return _Written(annotation) if isinstance(annotation, str) else annotation


def _broken(name: str, arguments: str) -> str:
    """Return a long signature with an argument on each line.

    >>> print(_broken("f", "(a: dict[str, int] = 1, *, b: int) -> None"))
    f(
        a: dict[str, int] = 1,
        *,
        b: int,
    ) -> None
    """
    inside, end = _split_call(arguments)
    return f"{name}(\n" + "".join(f"    {each},\n" for each in inside) + f"){end}"


def _split_call(arguments: str) -> tuple[list[str], str]:
    """Return the arguments one by one, and what follows the closing bracket."""
    parts, depth = [""], 0
    for place, letter in enumerate(arguments):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            return [part.strip() for part in parts], arguments[place + 1 :]
        if letter == "," and depth == 1:
            parts.append("")
        elif not (letter == "(" and depth == 1):
            parts[-1] += letter
    return parts, ""


def _anchor(name: str) -> str:
    return f"whence.{name}"
