"""The commands of ./dev; needs nothing but Python, because it makes the environment the others need."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Sequence

from tools import environment, records, steps
from tools.environment import BIN, PYTHON, ROOT

INTERRUPTED = 130
"""What shells return for a program that Ctrl-C ended."""

Command = Callable[[argparse.Namespace, list[str]], int]


def main(arguments: Sequence[str]) -> int:
    """Run one command; what it does not know itself is passed on to the program behind it."""
    options, rest = _parser().parse_known_args(arguments)
    os.environ["NO_MKDOCS_2_WARNING"] = "1"  # advertising of the documentation theme
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each of a hundred processes would compile 3,000 modules anew
    command: Command = options.command
    try:
        environment.ensure("running" if command is demo else "development")
        return command(options, rest)
    except KeyboardInterrupt:
        return INTERRUPTED


def demo(_: argparse.Namespace, rest: list[str]) -> int:
    """Install what running needs and open the demo in the browser."""
    return _run(PYTHON, "-m", "tools.web", "build") or _run(BIN / "whence", "demo", *_confinement(), *rest)


def _confinement() -> tuple[str, ...]:
    """Return the option that lets the demo start where the system cannot confine cells: its cells are our own."""
    check = "import sys; from whence.engine.confine.landlock import landlock_abi; sys.exit(not landlock_abi())"
    if subprocess.run([PYTHON, "-c", check], check=False).returncode == 0:
        return ()
    sys.stderr.write("whence: this system has no Landlock to confine cells with, so the demo starts unconfined.\n")
    return ("--unconfined",)


def test(options: argparse.Namespace, rest: list[str]) -> int:
    """Run every check, with --quick those without Spark and browser, with --long the slow tests of one part."""
    if options.quick:
        return steps.run(steps.quick())
    if options.long is None:
        return steps.run(steps.everything(rest))
    os.environ["WHENCE_LONG"] = "1"
    return steps.run(steps.long_tests(options.long, rest))


def lint(options: argparse.Namespace, _: list[str]) -> int:
    """Check style, types, imports and dependencies; with --fix, repair what can be repaired first."""
    if options.fix:
        _run(BIN / "ruff", "format", ".")
        _run(BIN / "ruff", "check", "--fix", ".")
    return steps.run(steps.static_checks())


def bench(_: argparse.Namespace, rest: list[str]) -> int:
    """Run a benchmark of bench/ with its peers in the same run."""
    return _run(BIN / "whence", "bench", *rest)


def docs(options: argparse.Namespace, rest: list[str]) -> int:
    """Build the documentation, or with --serve show it while it is written."""
    return _run(BIN / "mkdocs", "serve" if options.serve else "build", *([] if options.serve else ["--strict"]), *rest)


def web(options: argparse.Namespace, rest: list[str]) -> int:
    """Build the page, or with --serve run the development server."""
    return _run(PYTHON, "-m", "tools.web", "serve" if options.serve else "build", *rest)


def generate(options: argparse.Namespace, rest: list[str]) -> int:
    """Write every generated file anew, or with --records the answers that tests of one part pin."""
    if options.records is not None:
        return records.write(options.records, *rest)
    return _run(PYTHON, "-m", "tools.generated", "write", *rest)


def lock(_: argparse.Namespace, __: list[str]) -> int:
    """Pin the newest versions that pyproject.toml allows in requirements/constraints.txt."""
    return _run(PYTHON, "-m", "tools.lock")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dev", description="Work on whence.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (demo, test, lint, bench, docs, web, generate, lock):
        sub = commands.add_parser(command.__name__, help=command.__doc__, description=command.__doc__)
        sub.set_defaults(command=command)
        if command is test:
            sub.add_argument("--quick", action="store_true", help="only what needs neither Spark nor a browser")
            sub.add_argument("--long", nargs="?", const="", metavar="PART", help="a folder or word, such as lineage")
        if command is lint:
            sub.add_argument("--fix", action="store_true")
        if command is generate:
            sub.add_argument("--records", metavar="PART", help=f"one of {', '.join(records.RECORDS)}")
        if command in (docs, web):
            sub.add_argument("--serve", action="store_true")
    return parser


def _run(*command: object) -> int:
    return subprocess.run([str(part) for part in command], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
