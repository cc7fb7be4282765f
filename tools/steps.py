"""The checks behind ./dev test, in order, and how one of them is run and reported."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass

from tools.environment import BIN, PYTHON, ROOT

NO_TESTS_COLLECTED = 5
MOST_WORKERS = 4
"""Each has a Java process, which may take gigabytes."""


@dataclass(frozen=True)
class Step:
    """One check: a name, the command, and what to do when it fails."""

    name: str
    command: tuple[str, ...]
    hint: str = ""


def run(steps: Iterable[Step]) -> int:
    """Run the steps in order and stop at the first that fails."""
    begin = time.monotonic()
    for step in steps:
        print(f"== {step.name}", flush=True)
        start = time.monotonic()
        code = subprocess.run(step.command, cwd=ROOT, check=False).returncode
        if code:
            print(f"\nFAILED: {step.name} (exit code {code}): {shlex.join(step.command)}\n{step.hint}".rstrip())
            return code
        print(f"   ok, {time.monotonic() - start:.1f} s", flush=True)
    print(f"== all passed, {time.monotonic() - begin:.0f} s")
    return 0


def everything(pytest_arguments: list[str]) -> list[Step]:
    """What a change must pass."""
    return [
        *static_checks(),
        Step("generated files", _python("tools.generated", "check"), "Run ./dev generate and look at the difference."),
        Step("web page: lock, types, lint, tests, build", _python("tools.web", "check")),
        Step("clean install: wheel, empty environment, no Java, no Node", _python("tools.clean_install")),
        Step("browser", _python("tools.browser")),
        Step("archive of Java classes", _python("whence.workspace.record_archive")),
        Step("tests", _python("pytest", *pytest_arguments) if pytest_arguments else _whole_suite()),
        Step("docs", _tool("mkdocs", "build", "--strict", "--quiet")),
    ]


def quick() -> list[Step]:
    """What can be known within a minute or two: everything that needs neither Spark nor a browser."""
    chosen = ("-m", "not long and not spark and not slow", *_side_by_side())
    hint = "A test that starts Spark has to use the fixture ws or carry the mark spark."
    return [*static_checks(), Step("tests without Spark", _python("pytest", *chosen), hint)]


def static_checks() -> list[Step]:
    """What can be known without running the program."""
    return [
        Step("format (ruff)", _tool("ruff", "format", "--check", "--quiet", "."), "Run ./dev lint --fix."),
        Step("lint (ruff)", _tool("ruff", "check", "--quiet", "."), "Run ./dev lint --fix for what can be repaired."),
        Step("types (mypy)", _tool("mypy", "--no-error-summary")),
        Step("layers (import-linter)", _tool("lint-imports", "--no-logo"), "The layers are drawn in CONTRIBUTING.md."),
        Step("dependencies (deptry)", _tool("deptry", ".")),
    ]


def long_tests(part: str, pytest_arguments: list[str]) -> list[Step]:
    """The tests marked long whose folder, file or name holds the word; all of them for an empty word."""
    chosen = ["-k", part] if part else []
    hint = f"Exit code {NO_TESTS_COLLECTED} means that no test marked long matches {part!r}."
    command = _python("pytest", "tests", "-m", "long", "--timeout=3600", *chosen, *pytest_arguments)
    return [Step("browser", _python("tools.browser")), Step(f"long tests {part}".rstrip(), command, hint)]


def _whole_suite() -> tuple[str, ...]:
    return _python("tools.suite", *_side_by_side())


def _side_by_side() -> list[str]:
    """The whole suite runs in as many processes as there are cores, each with a Spark of its own; files stay whole."""
    workers = min(MOST_WORKERS, os.cpu_count() or 1)
    return ["--numprocesses", str(workers), "--dist", "loadfile", "--no-loadscope-reorder", "--durations=20"]


def _tool(name: str, *arguments: str) -> tuple[str, ...]:
    return (str(BIN / name), *arguments)


def _python(module: str, *arguments: str) -> tuple[str, ...]:
    return (str(PYTHON), "-m", module, *arguments)
