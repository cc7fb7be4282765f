"""Ends a command in a terminal: one sentence for an error, one word after Ctrl-C, and the exit codes of shells."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

import typer

from whence.model.errors import UserError, WhenceError

BAD_INPUT = 2
"""The exit code of a command that was called in a wrong way, as for options that it does not know."""
INTERRUPTED = 130
"""The exit code of a program that Ctrl-C ended, by the convention of shells (128 + SIGINT)."""
Arguments = ParamSpec("Arguments")


def sentence_on_error(command: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """Return the command so that it prints an error of whence as one sentence and fails, without a stack trace."""

    @wraps(command)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except WhenceError as error:
            print(f"whence: {error}", file=sys.stderr)
            raise typer.Exit(1) from error
        except KeyboardInterrupt as interrupt:
            say_stopped()
            raise typer.Exit(INTERRUPTED) from interrupt

    return run


@contextmanager
def exit_on_bad_input() -> Iterator[None]:
    """End with the exit code for bad input where a user can correct an error, so that 1 keeps its own meaning."""
    try:
        yield
    except UserError as error:
        print(f"whence: {error}", file=sys.stderr)
        raise typer.Exit(BAD_INPUT) from error


def say_stopped() -> None:
    """Print that the command has stopped."""
    # Terminals show ^C where the cursor was, so the word begins a line of its own there.
    print("\nStopped." if sys.stderr.isatty() else "Stopped.", file=sys.stderr)
