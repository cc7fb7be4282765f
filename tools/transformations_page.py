"""Writes docs/transformations.md from the transformations themselves."""

from __future__ import annotations

import inspect

from whence.model.parameter import Parameter
from whence.transformations.transformation import Transformation
from whence.transformations.vocabulary.registry import TRANSFORMATIONS
from whence.workspace.pipeline import Pipeline

HEAD = """\
# Transformations

A transformation makes a dataset from a dataset. This page says of each what it does, what it guesses (each guess is a
caveat), and which cells a cell it writes comes from. You can call each in five ways:

- as a [lens](cleaning.md): `ws.lens("trim", dataset, name="result", ...)`;
- as a step of a [pipeline](pipelines.md): `p.step("trim", ...)`, or a method of its name where the pipeline has one;
- as a [cell](notebook.md) of its name;
- on the command line: `whence transform WORKSPACE trim DATASET --to RESULT`;
- on the [page](web-app.md), from the menu of cells.

`ws.lenses()` and `whence transformations` say the same as this page.

The pattern is that of section 3.2 in Chapman, Missier, Simonelli and Torlone (PVLDB 14(4), 2021), where there is one.

| Transformation | Group | What gets a caveat | Where its cells come from | Pattern |
|---|---|---|---|---|
"""


def write_page() -> str:
    """Return the text of docs/transformations.md."""
    known = list(TRANSFORMATIONS.values())
    return HEAD + "".join(map(_row, known)) + "".join(map(_section, known))


def _row(known: Transformation) -> str:
    facts = (f"[`{known.name}`](#{known.name})", known.group, known.guesses, known.provenance, known.pattern)
    return f"| {' | '.join(facts)} |\n"


def _section(known: Transformation) -> str:
    rows = "".join(map(_parameter, known.parameters))
    return (
        f"\n## {known.name}\n\n{known.title}. {known.description}\n\n```text\n{_calls(known)}\n```\n"
        f"\n| Parameter | Meaning | Default |\n|---|---|---|\n{rows}"
    )


def _calls(known: Transformation) -> str:
    """Return an example as a lens, and the pipeline's method of that name if there is one."""
    values = "".join(f", {name}={value!r}" for name, value in known.example.items())
    lines = [] if known.needs_python else [f'ws.lens("{known.name}", "data", name="result"{values})']
    method = getattr(Pipeline, known.name, None)
    if method is not None:
        arguments = [_argument(each) for each in inspect.signature(method).parameters.values() if each.name != "self"]
        lines.append(f"p.{known.name}({', '.join(arguments)})")
    return "\n".join(lines)


def _argument(argument: inspect.Parameter) -> str:
    return argument.name if argument.default is inspect.Parameter.empty else f"{argument.name}={argument.default!r}"


def _parameter(parameter: Parameter) -> str:
    choices = f": {', '.join(f'`{choice}`' for choice in parameter.choices)}" if parameter.choices else ""
    default = "needed" if parameter.is_required else "" if parameter.default is None else f"`{parameter.default}`"
    return f"| `{parameter.name}` | {parameter.label}{choices} | {default} |\n"
