"""Commands that show the disk usage of a workspace, and delete what is not needed."""

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
    import whence.cli.disk as disk_usage
    import whence.store.store as stores
else:
    disk_usage = LazyModule("whence.cli.disk")
    stores = LazyModule("whence.store.store")

app = typer.Typer()


@app.command()
@sentence_on_error
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
@sentence_on_error
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
@sentence_on_error
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
@sentence_on_error
def forget(
    path: WorkspacePath,
    dataset: Annotated[str, typer.Argument(help="The dataset, as name (all versions) or name@version.")],
    also_dependants: Annotated[
        bool, typer.Option("--also-dependants", help="Forget what was made from it, too.")
    ] = False,
    keep_dependants: Annotated[bool, typer.Option("--keep-dependants", help="Keep what was made from it.")] = False,
    where: Annotated[
        str | None, typer.Option("--where", help="A SQL condition: only these rows go, from all versions.")
    ] = None,
    delete_unrepeatable: Annotated[
        bool,
        typer.Option("--delete-unrepeatable", help="With --where: delete results whose steps fail without the rows."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove a dataset for good: rows, caveats, lineage, the copy of its source file, its name.

    With `--where` only some rows go, and what was made from them is made again without them.
    """
    if where is not None:
        if also_dependants or keep_dependants:
            raise UserError("--where goes with neither --also-dependants nor --keep-dependants.", "Leave them out.")
        _forget_rows(path, dataset, where, is_sure=yes, delete_unrepeatable=delete_unrepeatable)
        return
    if delete_unrepeatable:
        raise UserError("--delete-unrepeatable needs --where.", "Whole datasets go with --also-dependants.")
    if not yes:
        typer.confirm(f"Remove {dataset} from {path} for good?", abort=True)
    with whence.open(path) as workspace:
        went = workspace.forget(dataset, also_dependants=also_dependants, keep_dependants=keep_dependants)
        print(f"Forgotten: {', '.join(went)}")


def _forget_rows(path: Path, dataset: str, where: str, *, is_sure: bool, delete_unrepeatable: bool) -> None:
    """Show what forgetting these rows reaches, ask, forget them, and show the certificate."""
    with whence.open(path) as workspace:
        print(workspace.plan_forgetting(dataset, where))
        if not is_sure:
            typer.confirm(f"Forget these rows of {dataset} in {path} for good?", abort=True)
        certificate = workspace.forget(dataset, where=where, delete_unrepeatable=delete_unrepeatable)
        print(f"\nForgotten.\n{certificate}")
        print(f"certificate: {path / 'certificates' / certificate.id}.html")
        print(f"key of its hashes, shown only now: {certificate.key}")
