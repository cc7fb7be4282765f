"""Commands that make datasets: from a file, a query, a transformation or the cells of a notebook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import whence
from whence.cli.commands.arguments import WorkspacePath
from whence.cli.terminal import sentence_on_error
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.cli.notebooks as notebook_runs
    import whence.cli.printing as printing
    import whence.cli.transform as transforming
else:
    notebook_runs = LazyModule("whence.cli.notebooks")
    printing = LazyModule("whence.cli.printing")
    transforming = LazyModule("whence.cli.transform")

app = typer.Typer()


@app.command()
@sentence_on_error
def load(
    path: WorkspacePath,
    file: Annotated[str, typer.Argument(help="The file, folder, pattern or address to take in.")],
    name: Annotated[str | None, typer.Option(help="What to call the dataset; default: the file's name.")] = None,
) -> None:
    """Load a file and say what did not fit."""
    with whence.open(path) as workspace:
        dataset = workspace.load(file, name=name)
        print(f"{dataset.record.label}: {dataset.count} rows, {len(dataset.columns)} columns")
        print(*printing.caveat_lines(dataset.caveats.list()), sep="\n")


@app.command()
@sentence_on_error
def sql(
    path: WorkspacePath,
    query: Annotated[str, typer.Argument(help="The query, over the workspace's datasets.")],
    name: Annotated[str, typer.Option(help="What to call the result.")] = "result",
    rows: Annotated[int, typer.Option(help="How many rows to print.")] = 20,
) -> None:
    """Run a query, keep its result, and print its first rows; doubtful values carry a question mark."""
    with whence.open(path) as workspace:
        print(*printing.table_lines(workspace.sql(query, name=name), rows), sep="\n")


@app.command()
@sentence_on_error
def transform(
    path: WorkspacePath,
    transformation: Annotated[str, typer.Argument(help="What to do; `whence transformations` lists them.")],
    source: Annotated[str, typer.Argument(help="The dataset to transform.")],
    values: Annotated[list[str] | None, typer.Argument(help="Its parameters, each as name=value.")] = None,
    to: Annotated[str, typer.Option(help="What to call the result.")] = "result",
    rows: Annotated[int, typer.Option(help="How many rows to print.")] = 20,
) -> None:
    """Put a transformation on a dataset, keep the result, and print its first rows and what was guessed."""
    with whence.open(path) as workspace:
        made = transforming.transform_dataset(workspace, transformation, source, to, values or [])
        print(*printing.table_lines(made, rows), sep="\n")
        print(*([] if made.lens_report is None else [made.lens_report.sentence]), sep="\n")


@app.command()
@sentence_on_error
def transformations(
    name: Annotated[str | None, typer.Argument(help="One of them, to see what it takes.")] = None,
) -> None:
    """List every transformation, or say what one of them takes."""
    print(*transforming.transformation_lines(name), sep="\n")


@app.command()
@sentence_on_error
def run(
    notebook: Annotated[str, typer.Argument(help="A notebook as WORKSPACE/NAME, or a file that holds one as text.")],
    param: Annotated[list[str] | None, typer.Option(help="A parameter's value, as name=value; may come often.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail if anything is in doubt at the end, too.")] = False,
    workspace: Annotated[Path | None, typer.Option(help="Where to run a file; default: its name, .whence.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds after which a cell is stopped.")] = None,
) -> None:
    """Run all cells of a notebook that are not ready, and fail if one fails."""
    place, take = notebook_runs.find_notebook(notebook, workspace)
    # As on a server: the SQL guard checks queries of cells, and Python cells may use PySpark.
    with whence.open(place, profile="server") as opened:
        taken = take(opened)
        taken.time_limit = time_limit
        is_well = notebook_runs.run_notebook(taken, notebook_runs.parameters_from(param or []), strict=strict)
    if not is_well:
        raise typer.Exit(1)
