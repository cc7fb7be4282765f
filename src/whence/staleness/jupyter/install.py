"""Installs the kernel, and the JupyterLab extension that paints the highlights."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager

NAME = "whence"
DISPLAY_NAME = "Python 3 (whence)"
EXTENSION = Path(__file__).with_name("labextension")


def install_kernel(prefix: str | None = None, user: bool = False) -> Path:
    """Install the kernel spec under a prefix (by default this environment) or for the user; return its folder."""
    spec = {
        "argv": [sys.executable, "-m", "whence.staleness.jupyter.kernel", "-f", "{connection_file}"],
        "display_name": DISPLAY_NAME,
        "language": "python",
        "metadata": {"debugger": True},
    }
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "kernel.json").write_text(json.dumps(spec, indent=2), encoding="utf-8")
        where = None if user else prefix or sys.prefix
        return Path(KernelSpecManager().install_kernel_spec(folder, NAME, user=user, prefix=where))


def install_extension(kernel: Path) -> Path | None:
    """Copy the JupyterLab extension beside an installed kernel, and return its folder; None if it has not been built.

    A wheel brings it along; this is for installations from a checkout, and for the user's own folder.
    """
    if not (EXTENSION / "package.json").is_file():
        return None
    target = kernel.parent.parent / "labextensions" / "whence-safety"
    shutil.copytree(EXTENSION, target, dirs_exist_ok=True)
    return target
