"""Commands for the links through which others read one version of a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from whence.cli.commands.arguments import NotebookName, ServedPath
from whence.cli.terminal import sentence_on_error
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.cli.attach as attach
else:
    attach = LazyModule("whence.cli.attach")

app = typer.Typer()


@app.command()
@sentence_on_error
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
@sentence_on_error
def shares(path: ServedPath, notebook: NotebookName) -> None:
    """List the links to a notebook that still open."""
    for each in attach.links(path, notebook):
        print(f"{each.id}: version {each.version}, made {each.created[:16]}, ends {(each.expires or 'never')[:16]}")


@app.command()
@sentence_on_error
def unshare(
    path: ServedPath, notebook: NotebookName, link: Annotated[str, typer.Argument(help="The id of the link.")]
) -> None:
    """Let a link open nothing from now on."""
    attach.revoke_link(path, notebook, link)
    print(f"Revoked: {link}")
