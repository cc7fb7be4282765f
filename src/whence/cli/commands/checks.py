"""Commands that measure whence and check its surroundings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whence.cli.terminal import sentence_on_error
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.cli.bench as benchmarks
    import whence.cli.checkup as checkups
else:
    benchmarks = LazyModule("whence.cli.bench")
    checkups = LazyModule("whence.cli.checkup")

app = typer.Typer()


@app.command()
@sentence_on_error
def bench(
    name: Annotated[str, typer.Argument(help="The benchmark: a file of bench/.")],
    repeats: Annotated[int, typer.Option(help="How often each contender runs.")] = 7,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Run a benchmark with its peers in the same run and print ratios."""
    print(benchmarks.run_benchmark(name, repeats, as_json))


@app.command()
@sentence_on_error
def doctor(
    path: Annotated[Path | None, typer.Argument(help="A workspace to check as well.")] = None,
    reports: Annotated[bool, typer.Option(help="Only list the reports of internal errors in the workspace.")] = False,
) -> None:
    """Check Python, Java, Spark, memory, disk, ports and, if given, every promise of a workspace; say what to do."""
    if reports:
        print(*checkups.report_lines(path), sep="\n")
        return
    findings = checkups.checkup(path)
    print(*(finding.line for finding in findings), sep="\n")
    if any(not finding.is_well for finding in findings):
        raise typer.Exit(1)
