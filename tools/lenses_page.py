"""Writes the page that lists every lens with its parameters, from the lenses themselves."""

from __future__ import annotations

from whence.cleaning.describe import LensDescription, describe_lenses
from whence.cleaning.parameter import Parameter

HEAD = """\
# Lenses

Every lens, what it does, what it guesses (each guess is a caveat), and what it takes. They are called as
`ws.lens(name, dataset, name="result", ...)`; `ws.lenses()` says the same. How they are used: [Cleaning](cleaning.md).

| Lens | What it does | What gets a caveat |
|---|---|---|
"""


def write_page() -> str:
    """The text of docs/lenses.md."""
    lenses = describe_lenses()
    return HEAD + "".join(map(_row, lenses)) + "".join(map(_section, lenses))


def _row(lens: LensDescription) -> str:
    return f"| [`{lens.name}`](#{lens.name}) | {lens.does} | {lens.guesses} |\n"


def _section(lens: LensDescription) -> str:
    rows = "".join(map(_parameter, lens.parameters))
    return f"\n## {lens.name}\n\n{lens.title}. {lens.does}\n\n| Parameter | Meaning | Default |\n|---|---|---|\n{rows}"


def _parameter(parameter: Parameter) -> str:
    choices = f": {', '.join(f'`{choice}`' for choice in parameter.choices)}" if parameter.choices else ""
    default = "needed" if parameter.is_required else "" if parameter.default is None else f"`{parameter.default}`"
    return f"| `{parameter.name}` | {parameter.label}{choices} | {default} |\n"
