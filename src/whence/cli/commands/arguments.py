"""Arguments and options that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

WorkspacePath = Annotated[Path, typer.Argument(help="The workspace folder; made if it is missing.")]
ServedPath = Annotated[Path, typer.Argument(help="The workspace folder.")]
NotebookName = Annotated[str, typer.Argument(help="The notebook's name.")]
Port = Annotated[int, typer.Option(help="The port to listen on; 0 takes any free one.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the address only.")]
Confined = Annotated[bool, typer.Option("--confined", help="Let Spark reach no files but the workspace's (Linux).")]
