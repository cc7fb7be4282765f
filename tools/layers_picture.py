"""Draws the layers on two pages from the contract that import-linter checks and from the packages' docstrings."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator

from tools.environment import ROOT

BEGIN = "<!-- layers: made by tools/layers_picture.py from pyproject.toml -->\n"
END = "<!-- end of layers -->\n"
WIDTH = 19


def write_page() -> str:
    """CONTRIBUTING.md with the layers as the contract has them now."""
    return _with_layers("CONTRIBUTING.md")


def write_architecture() -> str:
    """docs/architecture.md with the layers as the contract has them now."""
    return _with_layers("docs/architecture.md")


def _with_layers(path: str) -> str:
    before, _, rest = (ROOT / path).read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{draw(read_layers())}\n{END}{after}"


def read_layers() -> list[list[str]]:
    """The packages of every layer, the highest layer first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["id"] == "layers")
    return [re.findall(r"\w+", layer) for layer in layers]


def draw(layers: list[list[str]]) -> str:
    """One line for each package; a dot before a package that shares its layer with the one above it."""
    return "".join(line for layer in layers for line in _draw_layer(layer))


def _draw_layer(packages: list[str]) -> Iterator[str]:
    for number, package in enumerate(packages):
        name = f"· {package}" if number else package
        yield f"    {name:<{WIDTH}}{_summary(package)}\n"


def _summary(package: str) -> str:
    """The first line of a package's docstring."""
    place = ROOT / "src" / "whence" / package
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n")[0]
