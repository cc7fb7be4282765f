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
Unconfined = Annotated[bool, typer.Option("--unconfined", help="Let Spark reach all files that you can reach.")]
Master = Annotated[str, typer.Option(help="Where Spark runs: local[*], or the address of a cluster.")]
Storage = Annotated[
    Path | None, typer.Option(help="A folder that this machine and all executors of a cluster see under one path.")
]
SparkSettings = Annotated[
    list[str] | None, typer.Option("--setting", help="A setting of Spark, as NAME=VALUE; may be given several times.")
]
OpenLineage = Annotated[
    str | None,
    typer.Option("--openlineage", help="Who hears of each run: an address, the path of a file, console or client."),
]
