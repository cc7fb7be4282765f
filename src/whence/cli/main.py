"""The commands of `whence`; each does what the library call of the same name does, and prints it."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Callable
from contextlib import closing
from functools import wraps
from pathlib import Path
from typing import Annotated, ParamSpec

import typer

from whence.cli.attach import end_browser_sessions, links, make_link, revoke_link, running
from whence.cli.bench import run_benchmark
from whence.cli.checkup import SERVER_PORT, checkup, report_lines
from whence.cli.disk import garbage_lines, usage_lines
from whence.cli.explain import direction_from, explanation_lines, rows_from
from whence.cli.notebooks import find_notebook, parameters_from, run_notebook
from whence.cli.printing import caveat_lines, table_lines, trace_lines
from whence.cli.safety import app as safety_app
from whence.cli.transform import transform_dataset, transformation_lines
from whence.client.running import find_server
from whence.model.errors import UserError, WhenceError
from whence.server.run import STOP, listen
from whence.server.run import serve as serve_workspace
from whence.store.archive import import_archive, is_archive
from whence.store.store import Store
from whence.workspace.tour.tour import has_tour, make_tour
from whence.workspace.workspace import open as open_workspace

app = typer.Typer(
    name="whence",
    help="Data that knows where every cell came from and how far to trust it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(safety_app)

WorkspacePath = Annotated[Path, typer.Argument(help="The workspace folder; made if it is missing.")]
ServedPath = Annotated[Path, typer.Argument(help="The workspace folder.")]
NotebookName = Annotated[str, typer.Argument(help="The notebook's name.")]
Port = Annotated[int, typer.Option(help="The port to listen on; 0 takes any free one.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the address only.")]
Confined = Annotated[bool, typer.Option("--confined", help="Let Spark reach no files but the workspace's (Linux).")]

INTERRUPTED = 130
"""What a program ends with that Ctrl-C has ended, by the custom of shells."""
Given = ParamSpec("Given")


def _sentence_on_error(command: Callable[Given, None]) -> Callable[Given, None]:
    """An error of ours is one sentence on the terminal and a failed exit, never a stack trace."""

    @wraps(command)
    def run(*args: Given.args, **kwargs: Given.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except WhenceError as error:
            print(f"whence: {error}", file=sys.stderr)
            raise typer.Exit(1) from error
        except KeyboardInterrupt as interrupt:
            print("Stopped.", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from interrupt

    return run


@app.command()
@_sentence_on_error
def demo(path: WorkspacePath = Path("demo.whence"), port: Port = SERVER_PORT, no_browser: NoBrowser = False) -> None:
    """Open the tour on sample data in the browser."""
    _check_not_served(path)
    with closing(listen(port)) as listener, open_workspace(path, profile="server") as workspace:
        if not has_tour(workspace):
            print(f"Making the tour in {path} (Spark starts; the first time takes a little). {STOP}", flush=True)
            make_tour(workspace)
        serve_workspace(workspace, open_browser=not no_browser, listener=listener)


@app.command()
@_sentence_on_error
def serve(
    path: WorkspacePath, port: Port = SERVER_PORT, no_browser: NoBrowser = False, confined: Confined = False
) -> None:
    """Serve a workspace to this machine's browser."""
    _check_not_served(path)
    with (
        closing(listen(port)) as listener,
        open_workspace(path, profile="confined" if confined else "server") as workspace,
    ):
        serve_workspace(workspace, open_browser=not no_browser, listener=listener)


def _check_not_served(path: Path) -> None:
    if (server := find_server(path)) is not None:
        raise UserError(f"{path} is served already, by process {server.pid}.", f"See its page: whence open {path}")


@app.command("open")
@_sentence_on_error
def open_page(path: ServedPath, no_browser: NoBrowser = False) -> None:
    """Open the page of the server that has a workspace open, and print its link."""
    link = running(path).link
    print(link)
    if not no_browser:
        webbrowser.open(link)


@app.command("sign-out")
@_sentence_on_error
def sign_out(path: ServedPath) -> None:
    """Sign out every browser that was signed in to a server of the workspace; the printed link signs in again."""
    end_browser_sessions(path)
    print("Every browser is signed out.")


@app.command()
@_sentence_on_error
def share(
    path: ServedPath,
    notebook: NotebookName,
    version: Annotated[int | None, typer.Option(help="The version to show; default: the newest.")] = None,
    days: Annotated[float, typer.Option(help="For how many days; 0 for no end.")] = 30,
) -> None:
    """Make a link through which others on this machine read one version of a notebook, and nothing else."""
    made, is_served = make_link(path, notebook, version, days or None)
    print(made.link)
    until = f"until {made.expires[:16]}" if made.expires else "without end"
    print(f"Shows version {made.version}, {until}; end it with: whence unshare {path} {notebook!r} {made.id}")
    if not is_served:
        print(f"It opens while the workspace is served: whence serve {path}")


@app.command()
@_sentence_on_error
def shares(path: ServedPath, notebook: NotebookName) -> None:
    """List the links to a notebook that still open."""
    for each in links(path, notebook):
        print(f"{each.id}: version {each.version}, made {each.created[:16]}, ends {(each.expires or 'never')[:16]}")


@app.command()
@_sentence_on_error
def unshare(
    path: ServedPath, notebook: NotebookName, link: Annotated[str, typer.Argument(help="The id of the link.")]
) -> None:
    """Let a link open nothing from now on."""
    revoke_link(path, notebook, link)
    print(f"Revoked: {link}")


@app.command()
@_sentence_on_error
def load(
    path: WorkspacePath,
    file: Annotated[str, typer.Argument(help="The file, folder, pattern or address to take in.")],
    name: Annotated[str | None, typer.Option(help="What to call the dataset; default: the file's name.")] = None,
) -> None:
    """Load a file and say what did not fit."""
    with open_workspace(path) as workspace:
        dataset = workspace.load(file, name=name)
        print(f"{dataset.record.label}: {dataset.count} rows, {len(dataset.columns)} columns")
        print(*caveat_lines(dataset.caveats.list()), sep="\n")


@app.command()
@_sentence_on_error
def sql(
    path: WorkspacePath,
    query: Annotated[str, typer.Argument(help="The query, over the workspace's datasets.")],
    name: Annotated[str, typer.Option(help="What to call the result.")] = "result",
    rows: Annotated[int, typer.Option(help="How many rows to print.")] = 20,
) -> None:
    """Run a query, keep its result, and print its first rows; doubtful values carry a question mark."""
    with open_workspace(path) as workspace:
        print(*table_lines(workspace.sql(query, name=name), rows), sep="\n")


@app.command()
@_sentence_on_error
def transform(
    path: WorkspacePath,
    transformation: Annotated[str, typer.Argument(help="What to do; `whence transformations` lists them.")],
    source: Annotated[str, typer.Argument(help="The dataset to transform.")],
    values: Annotated[list[str] | None, typer.Argument(help="Its parameters, each as name=value.")] = None,
    to: Annotated[str, typer.Option(help="What to call the result.")] = "result",
    rows: Annotated[int, typer.Option(help="How many rows to print.")] = 20,
) -> None:
    """Put a transformation on a dataset, keep the result, and print its first rows and what was guessed."""
    with open_workspace(path) as workspace:
        made = transform_dataset(workspace, transformation, source, to, values or [])
        print(*table_lines(made, rows), sep="\n")
        print(*([] if made.lens_report is None else [made.lens_report.sentence]), sep="\n")


@app.command()
@_sentence_on_error
def transformations(
    name: Annotated[str | None, typer.Argument(help="One of them, to see what it takes.")] = None,
) -> None:
    """List every transformation, or say what one of them takes."""
    print(*transformation_lines(name), sep="\n")


@app.command()
@_sentence_on_error
def run(
    notebook: Annotated[str, typer.Argument(help="A notebook as WORKSPACE/NAME, or a file that holds one as text.")],
    param: Annotated[list[str] | None, typer.Option(help="A parameter's value, as name=value; may come often.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail if anything is in doubt at the end, too.")] = False,
    workspace: Annotated[Path | None, typer.Option(help="Where to run a file; default: its name, .whence.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds after which a cell is stopped.")] = None,
) -> None:
    """Run all cells of a notebook that are not ready, and fail if one fails."""
    place, take = find_notebook(notebook, workspace)
    with open_workspace(place, profile="server") as opened:
        taken = take(opened)
        taken.time_limit = time_limit
        is_well = run_notebook(taken, parameters_from(param or []), strict=strict)
    if not is_well:
        raise typer.Exit(1)


@app.command()
@_sentence_on_error
def export(
    path: WorkspacePath,
    file: Annotated[Path, typer.Argument(help="The file to write; its ending says the format.")],
    notebook: Annotated[str | None, typer.Option(help="A notebook: .ipynb, .py (plain PySpark), or text.")] = None,
    dataset: Annotated[str | None, typer.Option(help="A dataset: .csv, .json, .parquet, .xlsx, .sqlite.")] = None,
) -> None:
    """Write a notebook or a dataset to a file; without either the whole workspace, with its history, to an archive."""
    with open_workspace(path) as workspace:
        if notebook is not None:
            workspace.notebook(notebook).export(file)
        else:
            workspace.export(file, dataset)
    print(f"Written: {file}")


@app.command("import")
@_sentence_on_error
def take_in(
    file: Annotated[Path, typer.Argument(help="An archive of a workspace, or a notebook: .ipynb or text.")],
    path: WorkspacePath,
    name: Annotated[str | None, typer.Option(help="What to call the notebook.")] = None,
) -> None:
    """Take in a workspace from an archive, or a notebook from a file; nothing runs."""
    if is_archive(file):
        import_archive(file, path)
        print(f"Made: {path}")
        return
    with open_workspace(path) as workspace:
        taken = workspace.import_notebook(file, name)
        print(f"{taken.name}: {len(taken.cells)} cells, version {taken.version}")


@app.command()
@_sentence_on_error
def trace(
    path: WorkspacePath,
    dataset: Annotated[str, typer.Argument(help="The dataset, as name or name@version.")],
    row: Annotated[int, typer.Argument(help="The row, counted from 0.")],
    column: Annotated[str | None, typer.Argument(help="The column; default: every column of the row.")] = None,
    most: Annotated[int, typer.Option(help="How many cells of a column to show at each step.")] = 3,
) -> None:
    """Show where a cell or a row came from: a tree of cells with their values, down to the lines of the file."""
    with open_workspace(path) as workspace:
        print(*trace_lines(workspace[dataset], row, column, most), sep="\n")


@app.command()
@_sentence_on_error
def caveats(
    path: WorkspacePath,
    dataset: Annotated[str, typer.Argument(help="The dataset, as name or name@version.")],
    row: Annotated[int | None, typer.Option(help="Only this row.")] = None,
    column: Annotated[str | None, typer.Option(help="Only this column.")] = None,
    report: Annotated[Path | None, typer.Option(help="Write a report: a file that ends in .html or .md.")] = None,
) -> None:
    """List what is in doubt, and why; or write it down for a colleague."""
    with open_workspace(path) as workspace:
        if report is not None:
            workspace[dataset].caveats.report(report)
            print(f"Written: {report}")
            return
        print(*caveat_lines(workspace[dataset].caveats.list(row=row, column=column)), sep="\n")


@app.command()
@_sentence_on_error
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
    with open_workspace(path) as workspace:
        rows = rows_from(outliers)
        kept = "others" if fine == "others" else rows_from(fine)
        said = direction_from(direction, rows)
        found = workspace[dataset].explain(column, rows, holdouts=kept, direction=said, c=c, top=top)
        print(found.to_json() if as_json else "\n".join(explanation_lines(found)))


@app.command()
@_sentence_on_error
def du(path: WorkspacePath) -> None:
    """Show how much disk each dataset version takes, and everything else."""
    if not path.exists():
        raise UserError(f"There is no workspace at {path}.")
    store = Store.open(path)
    try:
        print(*usage_lines(store.usage()), sep="\n")
    finally:
        store.close()


@app.command()
@_sentence_on_error
def gc(
    path: WorkspacePath,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
) -> None:
    """Move what nothing uses to the trash, and delete what has been there for a week."""
    if not path.exists():
        raise UserError(f"There is no workspace at {path}.")
    store = Store.open(path)
    try:
        print(*garbage_lines(store.collect_garbage(dry_run=dry_run), path, dry_run=dry_run), sep="\n")
    finally:
        store.close()


@app.command()
@_sentence_on_error
def drop(
    path: WorkspacePath,
    notebook: Annotated[str, typer.Argument(help="The notebook.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a notebook with its history; datasets that nothing uses then go with `whence gc`."""
    if not yes:
        typer.confirm(f"Delete the notebook {notebook} of {path} with its history?", abort=True)
    with open_workspace(path) as workspace:
        workspace.drop_notebook(notebook)
        print(f"Deleted: {notebook}")


@app.command()
@_sentence_on_error
def forget(
    path: WorkspacePath,
    dataset: Annotated[str, typer.Argument(help="The dataset, as name (all versions) or name@version.")],
    also_dependants: Annotated[
        bool, typer.Option("--also-dependants", help="Forget what was made from it, too.")
    ] = False,
    keep_dependants: Annotated[bool, typer.Option("--keep-dependants", help="Keep what was made from it.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove a dataset for good: rows, caveats, lineage, the copy of its source file, its name."""
    if not yes:
        typer.confirm(f"Remove {dataset} from {path} for good?", abort=True)
    with open_workspace(path) as workspace:
        went = workspace.forget(dataset, also_dependants=also_dependants, keep_dependants=keep_dependants)
        print(f"Forgotten: {', '.join(went)}")


@app.command()
@_sentence_on_error
def bench(
    name: Annotated[str, typer.Argument(help="The benchmark: a file of bench/.")],
    repeats: Annotated[int, typer.Option(help="How often each contender runs.")] = 7,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Run a benchmark with its peers in the same run and print ratios."""
    print(run_benchmark(name, repeats, as_json))


@app.command()
@_sentence_on_error
def doctor(
    path: Annotated[Path | None, typer.Argument(help="A workspace to check as well.")] = None,
    reports: Annotated[bool, typer.Option(help="Only list the reports of internal errors in the workspace.")] = False,
) -> None:
    """Check Python, Java, Spark, memory, disk, ports and, if given, every promise of a workspace; say what to do."""
    if reports:
        print(*report_lines(path), sep="\n")
        return
    findings = checkup(path)
    print(*(finding.line for finding in findings), sep="\n")
    if any(not finding.is_well for finding in findings):
        raise typer.Exit(1)
