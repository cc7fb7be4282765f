"""The commands of `whence`; each does what the library call of the same name does, and prints it."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Callable
from contextlib import closing
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ParamSpec

import typer

import whence
from whence.cli.safety import app as safety_app
from whence.cli.server_port import SERVER_PORT
from whence.cli.stop_request import StopRequest
from whence.model.errors import UserError, WhenceError
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.cli.attach as attach
    import whence.cli.bench as benchmarks
    import whence.cli.checkup as checkups
    import whence.cli.disk as disk_usage
    import whence.cli.explain as explaining
    import whence.cli.notebooks as notebook_runs
    import whence.cli.printing as printing
    import whence.cli.transform as transforming
    import whence.client.running as running_servers
    import whence.server.run as server
    import whence.store.archive as archives
    import whence.store.store as stores
    import whence.workspace.tour.tour as tours
    import whence.workspace.warm_up as warming
    from whence.engine.profile import Profile
else:
    # A command loads what it needs: all of it takes seconds, and most commands need little of it.
    attach = LazyModule("whence.cli.attach")
    benchmarks = LazyModule("whence.cli.bench")
    checkups = LazyModule("whence.cli.checkup")
    disk_usage = LazyModule("whence.cli.disk")
    explaining = LazyModule("whence.cli.explain")
    notebook_runs = LazyModule("whence.cli.notebooks")
    printing = LazyModule("whence.cli.printing")
    transforming = LazyModule("whence.cli.transform")
    running_servers = LazyModule("whence.client.running")
    server = LazyModule("whence.server.run")
    archives = LazyModule("whence.store.archive")
    stores = LazyModule("whence.store.store")
    tours = LazyModule("whence.workspace.tour.tour")
    warming = LazyModule("whence.workspace.warm_up")

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
            _say_stopped()
            raise typer.Exit(INTERRUPTED) from interrupt

    return run


@app.command()
@_sentence_on_error
def demo(path: WorkspacePath = Path("demo.whence"), port: Port = SERVER_PORT, no_browser: NoBrowser = False) -> None:
    """Open the tour on sample data in the browser."""
    _check_not_served(path)
    with closing(server.listen(port)) as listener, whence.open(path, profile="server") as workspace:
        if not tours.has_tour(workspace):
            print(f"Making the tour in {path} (Spark starts; the first time takes a little). {server.STOP}", flush=True)
            with StopRequest() as stop:
                tours.make_tour(workspace, stop.check)
        warming.start_warm_up(workspace, "server")
        server.serve(workspace, open_browser=not no_browser, listener=listener)
    _say_stopped()


@app.command()
@_sentence_on_error
def serve(
    path: WorkspacePath, port: Port = SERVER_PORT, no_browser: NoBrowser = False, confined: Confined = False
) -> None:
    """Serve a workspace to this machine's browser."""
    _check_not_served(path)
    profile: Profile = "confined" if confined else "server"
    with closing(server.listen(port)) as listener, whence.open(path, profile=profile) as workspace:
        warming.start_warm_up(workspace, profile)
        server.serve(workspace, open_browser=not no_browser, listener=listener)
    _say_stopped()


def _say_stopped() -> None:
    """Terminals show ^C where the cursor was, so the word begins a line of its own there."""
    print("\nStopped." if sys.stderr.isatty() else "Stopped.", file=sys.stderr)


def _check_not_served(path: Path) -> None:
    if (other := running_servers.find_server(path)) is not None:
        raise UserError(f"{path} is served already, by process {other.pid}.", f"See its page: whence open {path}")


@app.command("open")
@_sentence_on_error
def open_page(path: ServedPath, no_browser: NoBrowser = False) -> None:
    """Open the page of the server that has a workspace open, and print its link."""
    link = attach.running(path).link
    print(link)
    if not no_browser:
        webbrowser.open(link)


@app.command("sign-out")
@_sentence_on_error
def sign_out(path: ServedPath) -> None:
    """Sign out every browser that was signed in to a server of the workspace; the printed link signs in again."""
    attach.end_browser_sessions(path)
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
    made, is_served = attach.make_link(path, notebook, version, days or None)
    print(made.link)
    until = f"until {made.expires[:16]}" if made.expires else "without end"
    print(f"Shows version {made.version}, {until}; end it with: whence unshare {path} {notebook!r} {made.id}")
    if not is_served:
        print(f"It opens while the workspace is served: whence serve {path}")


@app.command()
@_sentence_on_error
def shares(path: ServedPath, notebook: NotebookName) -> None:
    """List the links to a notebook that still open."""
    for each in attach.links(path, notebook):
        print(f"{each.id}: version {each.version}, made {each.created[:16]}, ends {(each.expires or 'never')[:16]}")


@app.command()
@_sentence_on_error
def unshare(
    path: ServedPath, notebook: NotebookName, link: Annotated[str, typer.Argument(help="The id of the link.")]
) -> None:
    """Let a link open nothing from now on."""
    attach.revoke_link(path, notebook, link)
    print(f"Revoked: {link}")


@app.command()
@_sentence_on_error
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
@_sentence_on_error
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
    with whence.open(path) as workspace:
        made = transforming.transform_dataset(workspace, transformation, source, to, values or [])
        print(*printing.table_lines(made, rows), sep="\n")
        print(*([] if made.lens_report is None else [made.lens_report.sentence]), sep="\n")


@app.command()
@_sentence_on_error
def transformations(
    name: Annotated[str | None, typer.Argument(help="One of them, to see what it takes.")] = None,
) -> None:
    """List every transformation, or say what one of them takes."""
    print(*transforming.transformation_lines(name), sep="\n")


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
    place, take = notebook_runs.find_notebook(notebook, workspace)
    with whence.open(place, profile="server") as opened:
        taken = take(opened)
        taken.time_limit = time_limit
        is_well = notebook_runs.run_notebook(taken, notebook_runs.parameters_from(param or []), strict=strict)
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
    with whence.open(path) as workspace:
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
    if archives.is_archive(file):
        archives.import_archive(file, path)
        print(f"Made: {path}")
        return
    with whence.open(path) as workspace:
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
    with whence.open(path) as workspace:
        print(*printing.trace_lines(workspace[dataset], row, column, most), sep="\n")


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
    with whence.open(path) as workspace:
        if report is not None:
            workspace[dataset].caveats.report(report)
            print(f"Written: {report}")
            return
        print(*printing.caveat_lines(workspace[dataset].caveats.list(row=row, column=column)), sep="\n")


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
    with whence.open(path) as workspace:
        rows = explaining.rows_from(outliers)
        kept = "others" if fine == "others" else explaining.rows_from(fine)
        said = explaining.direction_from(direction, rows)
        found = workspace[dataset].explain(column, rows, holdouts=kept, direction=said, c=c, top=top)
        print(found.to_json() if as_json else "\n".join(explaining.explanation_lines(found)))


@app.command()
@_sentence_on_error
def du(path: WorkspacePath) -> None:
    """Show how much disk each dataset version takes, and everything else."""
    if not path.exists():
        raise UserError(f"There is no workspace at {path}.")
    store = stores.Store.open(path)
    try:
        print(*disk_usage.usage_lines(store.usage()), sep="\n")
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
    store = stores.Store.open(path)
    try:
        print(*disk_usage.garbage_lines(store.collect_garbage(dry_run=dry_run), path, dry_run=dry_run), sep="\n")
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
    with whence.open(path) as workspace:
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
    with whence.open(path) as workspace:
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
    print(benchmarks.run_benchmark(name, repeats, as_json))


@app.command()
@_sentence_on_error
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
