"""The command `whence` with its groups of commands. A command does what the library call of the same name does."""

from __future__ import annotations

import typer

from whence.cli.commands import agents, checks, exchange, housekeeping, making, questions, safety, serving, sharing

app = typer.Typer(
    name="whence",
    help="Data that knows where every cell came from and how far to trust it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

# `whence --help` lists the commands in this order.
for group in (serving, agents, sharing, making, exchange, questions, housekeeping, checks, safety):
    app.add_typer(group.app)
