"""Commands that export datasets, notebooks and workspaces to files, and import them again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import whence
from whence.cli.commands.arguments import WorkspacePath
from whence.cli.terminal import sentence_on_error
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.store.archive as archives
else:
    archives = LazyModule("whence.store.archive")

app = typer.Typer()


@app.command()
@sentence_on_error
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
