"""Writes the reference of the command line from the commands themselves: what `whence COMMAND --help` says."""

from __future__ import annotations

from collections.abc import Iterator

import typer.main
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from whence.cli.main import app

HEAD = """\
# Command line

What `whence --help` and `whence COMMAND --help` say. `python -m whence` is the same program. A command that fails
prints one sentence that says what is wrong and what to do, and ends with another exit code than 0.

| Command | What it does |
|---|---|
"""

Taken = TyperArgument | TyperOption


def write_page() -> str:
    """Return the text of docs/cli.md."""
    commands = list(_commands(typer.main.get_group(app), "whence"))
    rows = "".join(f"| [`{name}`](#{_anchor(name)}) | {_text(command)} |\n" for name, command in commands)
    return HEAD + rows + "".join(_section(name, command) for name, command in commands)


def _commands(group: TyperGroup, prefix: str) -> Iterator[tuple[str, TyperCommand]]:
    """Yield every command with its full name; those of a group follow each other."""
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from _commands(command, f"{prefix} {name}")
        elif isinstance(command, TyperCommand):
            yield f"{prefix} {name}", command


def _section(name: str, command: TyperCommand) -> str:
    shown = [each for each in command.params if isinstance(each, TyperArgument | TyperOption) and not each.hidden]
    rows = "".join(map(_parameter, shown))
    table = f"\n| Takes | Meaning | Default |\n|---|---|---|\n{rows}" if rows else ""
    usage = " ".join([name, *map(_usage, shown)])
    return f"\n## {name} {{#{_anchor(name)}}}\n\n```text\n{usage}\n```\n\n{_text(command)}\n{table}"


def _usage(parameter: Taken) -> str:
    name = _name(parameter)
    if isinstance(parameter, TyperArgument):
        word = f"{name}..." if parameter.nargs == -1 else name
        return word if parameter.required else f"[{word}]"
    return f"[{name}]" if parameter.is_flag else f"[{name} {str(parameter.name).upper()}]"


def _parameter(parameter: Taken) -> str:
    needed = isinstance(parameter, TyperArgument) and parameter.required
    is_empty = parameter.default in (None, False, "")
    default = "needed" if needed else "" if is_empty else f"`{parameter.default}`"
    return f"| `{_name(parameter)}` | {parameter.help or ''} | {default} |\n"


def _name(parameter: Taken) -> str:
    return str(parameter.name).upper() if isinstance(parameter, TyperArgument) else ", ".join(parameter.opts)


def _text(command: TyperCommand) -> str:
    return " ".join((command.help or "").split())


def _anchor(name: str) -> str:
    return name.replace(" ", "-")
