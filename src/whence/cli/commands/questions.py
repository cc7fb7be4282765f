"""Commands that answer questions about a dataset: where it came from, what is in doubt, what looks odd."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import whence
from whence.cli.commands.arguments import WorkspacePath
from whence.cli.terminal import sentence_on_error
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.cli.explain as explaining
    import whence.cli.printing as printing
else:
    explaining = LazyModule("whence.cli.explain")
    printing = LazyModule("whence.cli.printing")

app = typer.Typer()


@app.command()
@sentence_on_error
def trace(
    path: WorkspacePath,
    dataset: Annotated[str, typer.Argument(help="The dataset, as name or name@version.")],
    row: Annotated[int, typer.Argument(help="The row, counted from 0.")],
    column: Annotated[str | None, typer.Argument(help="The column; default: every column of the row.")] = None,
    most: Annotated[int, typer.Option(help="How many cells of a column to show at each step.")] = 3,
) -> None:
    """Show where a cell or a row came from: a tree of cells with their values, down to the lines of the file."""
    with whence.open(path) as workspace:
        print(*printing.trace_lines(workspace[dataset], row, column, most), sep="\n")


@app.command()
@sentence_on_error
def caveats(
    path: WorkspacePath,
    dataset: Annotated[str, typer.Argument(help="The dataset, as name or name@version.")],
    row: Annotated[int | None, typer.Option(help="Only this row.")] = None,
    column: Annotated[str | None, typer.Option(help="Only this column.")] = None,
    bounds: Annotated[bool, typer.Option("--bounds", help="Say between which values doubtful cells lie.")] = False,
    report: Annotated[Path | None, typer.Option(help="Write a report: a file that ends in .html or .md.")] = None,
) -> None:
    """List what is in doubt, and why; or write it down for a colleague."""
    with whence.open(path) as workspace:
        if report is not None:
            workspace[dataset].caveats.report(report)
            print(f"Written: {report}")
            return
        print(*printing.caveat_lines(workspace[dataset].caveats.list(row=row, column=column)), sep="\n")
        if bounds:
            print(*printing.bound_lines(workspace[dataset], row, column), sep="\n")


@app.command()
@sentence_on_error
def explain(
    path: WorkspacePath,
    dataset: Annotated[str, typer.Argument(help="The aggregate's dataset, as name or name@version.")],
    column: Annotated[str, typer.Argument(help="The aggregate's column.")],
    outliers: Annotated[str, typer.Option(help="Rows that look odd, such as 3,5-7.")],
    fine: Annotated[str, typer.Option(help="Rows that are fine, or: others.")] = "",
    direction: Annotated[str, typer.Option(help="high, low, wrong, or the expected value.")] = "high",
    c: Annotated[float | None, typer.Option("-c", help="0: total effect, 1: effect per row; default: all.")] = None,
    top: Annotated[int, typer.Option(help="How many answers.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say why values of an aggregate look odd."""
    with whence.open(path) as workspace:
        rows = explaining.rows_from(outliers)
        kept = "others" if fine == "others" else explaining.rows_from(fine)
        said = explaining.direction_from(direction, rows)
        found = workspace[dataset].explain(column, rows, holdouts=kept, direction=said, c=c, top=top)
        print(found.to_json() if as_json else "\n".join(explaining.explanation_lines(found)))
