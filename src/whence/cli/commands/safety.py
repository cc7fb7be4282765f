"""`whence safety`: the kernel for Jupyter, and a check of notebook files for continuous integration."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whence.model.errors import UserError
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.staleness.files as notebook_files
else:
    notebook_files = LazyModule("whence.staleness.files")

app = typer.Typer(name="safety", help="Stale cells of any-order Python notebooks.", no_args_is_help=True)


@app.command()
def check(
    notebooks: Annotated[list[Path], typer.Argument(help="The .ipynb files to check.")],
    static: Annotated[bool, typer.Option("--static", help="Only what can be seen without running them.")] = False,
) -> None:
    """Say whether notebooks run from the top as they stand; fails if one does not."""
    findings = {path: notebook_files.check_notebook(path, run=not static).findings for path in notebooks}
    for path, found in findings.items():
        print(f"{path}: {'; '.join(found) if found else 'ok'}")
    if any(findings.values()):
        raise typer.Exit(1)


@app.command()
def install(
    user: Annotated[bool, typer.Option("--user", help="For this user instead of this environment.")] = False,
) -> None:
    """Install the kernel "Python 3 (whence)" and the JupyterLab extension that shows its marks."""
    try:
        # Jupyter is an optional extra, so this import may fail.
        installer = import_module("whence.staleness.jupyter.install")
    except ModuleNotFoundError as missing:
        error = UserError(
            f"The kernel needs {missing.name}, which is not installed.", "pip install 'whence-data[jupyter]'"
        )
        print(f"whence: {error}", file=sys.stderr)
        raise typer.Exit(1) from missing
    kernel = installer.install_kernel(user=user)
    extension = installer.install_extension(kernel)
    print(f"Installed the kernel in {kernel}.")
    print(f"Installed the extension in {extension}." if extension else "The extension is not built: run ./dev web.")
