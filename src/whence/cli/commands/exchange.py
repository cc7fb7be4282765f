"""Commands that export datasets, notebooks and workspaces to files, and import them again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import whence
from whence.cli.commands.arguments import WorkspacePath
from whence.cli.terminal import sentence_on_error
from whence.model.errors import UserError
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.store.archive as archives
else:
    archives = LazyModule("whence.store.archive")

_MOST_SHOWN = 20
"""Values that do not hold are named up to this number."""

app = typer.Typer()


@app.command()
@sentence_on_error
def export(
    path: WorkspacePath,
    file: Annotated[Path, typer.Argument(help="The file to write; its ending says the format.")],
    notebook: Annotated[
        str | None, typer.Option(help="A notebook: .html (a report), .ipynb, .py (plain PySpark), or text.")
    ] = None,
    dataset: Annotated[str | None, typer.Option(help="A dataset: .csv, .json, .parquet, .xlsx, .sqlite.")] = None,
    redact: Annotated[list[str] | None, typer.Option(help="A column that a report hides; may be repeated.")] = None,
) -> None:
    """Write a notebook or a dataset to a file; without either the whole workspace, with its history, to an archive.

    A file that ends in .html is a report for someone without whence. Its notebook need not be named if there is one.
    """
    with whence.open(path) as workspace:
        if dataset is None and file.suffix.lower() in (".html", ".htm"):
            _notebook_to_report(workspace, notebook).report(file, redact=redact or ())
        elif notebook is not None:
            workspace.notebook(notebook).export(file)
        else:
            workspace.export(file, dataset)
    print(f"Written: {file}")


def _notebook_to_report(workspace: whence.Workspace, name: str | None) -> whence.Notebook:
    names = workspace.notebooks()
    if name is None and len(names) != 1:
        hint = f"Name one with --notebook: {', '.join(names)}." if names else "Make one first."
        raise UserError(f"{workspace.path.name} has {len(names)} notebooks, and a report is of one.", hint)
    return workspace.notebook(name or names[0])


@app.command()
@sentence_on_error
def verify(
    report: Annotated[Path, typer.Argument(help="A report that whence export wrote.")], path: WorkspacePath
) -> None:
    """Say which values of a report still hold in a workspace. The exit status is 1 if one does not."""
    with whence.open(path) as workspace:
        check = workspace.verify_report(report)
    print(check)
    for each in check.failures[:_MOST_SHOWN]:
        print(each)
    if not check.holds:
        raise typer.Exit(1)


@app.command("import")
@sentence_on_error
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
