"""Commands that make datasets: from a file, a query, a transformation, checks or the cells of a notebook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import whence
from whence.cli.commands.arguments import OpenLineage, Unconfined, WorkspacePath
from whence.cli.spark_profile import spark_profile
from whence.cli.terminal import exit_on_bad_input, sentence_on_error
from whence.model.errors import UserError
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.cli.expect as expecting
    import whence.cli.notebooks as notebook_runs
    import whence.cli.printing as printing
    import whence.cli.programs as programs
    import whence.cli.transform as transforming
else:
    expecting = LazyModule("whence.cli.expect")
    notebook_runs = LazyModule("whence.cli.notebooks")
    printing = LazyModule("whence.cli.printing")
    programs = LazyModule("whence.cli.programs")
    transforming = LazyModule("whence.cli.transform")

app = typer.Typer()


@app.command()
@sentence_on_error
def load(
    path: WorkspacePath,
    file: Annotated[str, typer.Argument(help="The file, folder, pattern or address to take in.")],
    name: Annotated[str | None, typer.Option(help="What to call the dataset; default: the file's name.")] = None,
    key: Annotated[str | None, typer.Option(help="A column that tells rows apart.")] = None,
    version: Annotated[
        str | None,
        typer.Option(help="The version of a Delta table; the snapshot, branch or tag of an Iceberg table."),
    ] = None,
    timestamp: Annotated[
        str | None, typer.Option(help="The time at which the version of such a table was current.")
    ] = None,
) -> None:
    """Load a file and say what did not fit."""
    with whence.open(path) as workspace:
        dataset = workspace.load(file, name=name, key=key, version=version, timestamp=timestamp)
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
    """Run a query, keep its result, and print its first rows and notes; doubtful values carry a question mark."""
    with whence.open(path) as workspace:
        made = workspace.sql(query, name=name)
        print(*printing.table_lines(made, rows), *printing.note_lines(made), sep="\n")


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
def expect(
    path: WorkspacePath,
    dataset: Annotated[str, typer.Argument(help="The dataset, as name or name@version.")],
    checks: Annotated[Path | None, typer.Option(help="A TOML file with a [[check]] table for each check.")] = None,
    pandera: Annotated[
        list[str] | None, typer.Option(help="A schema of pandera, as module:NAME from this folder; may come often.")
    ] = None,
    row: Annotated[list[str] | None, typer.Option(help="A condition in SQL for every row; may come often.")] = None,
    key: Annotated[list[str] | None, typer.Option(help="Columns of a key, such as shop,day; may come often.")] = None,
    not_null: Annotated[list[str] | None, typer.Option(help="A column without NULL; may come often.")] = None,
    dependency: Annotated[list[str] | None, typer.Option(help='Such as "zip -> city"; may come often.')] = None,
    error: Annotated[bool, typer.Option("--error", help="Make the checks of options errors, not warnings.")] = False,
    name: Annotated[str | None, typer.Option(help="What to call the result; default: the dataset's name.")] = None,
    suggest: Annotated[bool, typer.Option("--suggest", help="Only print checks that hold now, as a file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check a dataset and mark every row that fails. The exit code is 1 if an error fails, and 2 for bad input."""
    with exit_on_bad_input(), whence.open(path) as workspace:
        if suggest:
            print(expecting.suggested_text(workspace, dataset))
            return
        options = {"row": row or [], "key": key or [], "not_null": not_null or [], "dependency": dependency or []}
        chosen = expecting.gather_checks(checks, options, are_errors=error)
        chosen += expecting.checks_of_schemas(workspace, dataset, pandera or [], are_errors=error)
        report = workspace.expect(dataset, chosen, name, stop=False)
        print(json.dumps(report.to_json(), ensure_ascii=False) if as_json else report)
    if report.errors:
        raise typer.Exit(1)


@app.command()
@sentence_on_error
def run(
    notebook: Annotated[str, typer.Argument(help="A notebook as WORKSPACE/NAME, or a file with one, or a program.py.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="What a program takes, after --.")] = None,
    param: Annotated[list[str] | None, typer.Option(help="A parameter's value, as name=value; may come often.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail if anything is in doubt at the end, too.")] = False,
    workspace: Annotated[Path | None, typer.Option(help="Where to run a file; default: its name, .whence.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds after which a cell is stopped.")] = None,
    openlineage: OpenLineage = None,
    counts: Annotated[bool, typer.Option("--counts", help="Keep what a program counts, too.")] = False,
    unconfined: Unconfined = False,
) -> None:
    """Run the cells of a notebook that are not ready, and fail if one fails; or run a program and keep its outputs.

    A file that ends in .py is a program, unless its first line says that it is a notebook of whence.
    """
    if programs.is_program(notebook):
        if param or strict or openlineage or time_limit is not None:
            raise UserError(
                "--param, --strict, --time-limit and --openlineage are for notebooks.", "Give arguments after --."
            )
        raise typer.Exit(programs.run_program(notebook, arguments or [], workspace, counts=counts))
    if arguments or counts:
        raise UserError(f"{notebook} is no program, so it takes no arguments.", "Set its parameters with --param.")
    place, take = notebook_runs.find_notebook(notebook, workspace)
    # As on a server: the SQL guard checks queries of cells, and Python cells may use PySpark.
    with whence.open(place, profile=spark_profile(unconfined=unconfined), openlineage=openlineage) as opened:
        taken = take(opened)
        taken.time_limit = time_limit
        is_well = notebook_runs.run_notebook(taken, notebook_runs.parameters_from(param or []), strict=strict)
    if not is_well:
        raise typer.Exit(1)
