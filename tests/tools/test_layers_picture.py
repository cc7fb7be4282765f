from __future__ import annotations

from tools.environment import ROOT
from tools.layers_picture import draw, read_layers


def test_a_package_beside_another_has_a_dot() -> None:
    lines = draw([["workspace"], ["plan", "wire"]]).splitlines()
    assert [line[:23].split() for line in lines] == [["workspace"], ["plan"], ["·", "wire"]]
    assert lines[0][23:] == "The public handles: what a user holds."


def test_every_package_is_drawn_once() -> None:
    found = [each for layer in read_layers() for each in layer]
    packages = {file.parent.name for file in (ROOT / "src/whence").glob("*/__init__.py")}
    assert sorted(found) == sorted({*packages, "safety"})
