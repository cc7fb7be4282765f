"""The tables of TPC-H from its generator, and the texts of its queries."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent / "tpch"


def generate_tables(folder: Path, scale: str, tables: Iterable[str]) -> None:
    """Write tables of a scale factor as Parquet files into a folder."""
    # The generator is installed beside this Python.
    generator = shutil.which("tpchgen-cli", path=str(Path(sys.executable).parent)) or "tpchgen-cli"
    command = [generator, "parquet", "-s", scale, f"--tables={','.join(tables)}", f"--output-dir={folder}"]
    subprocess.run(command, check=True, capture_output=True)


def query_text(query: str) -> str:
    """Return the text of a query, such as `q01`, without its semicolon."""
    return (FOLDER / "queries" / f"{query}.sql").read_text().strip().rstrip(";")
