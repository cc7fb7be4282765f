"""One class name means one thing across the packages that a query passes through."""

import ast
from collections import defaultdict
from pathlib import Path

import whence

SOURCE = Path(whence.__file__).parent
PACKAGES = ("plan", "derive", "lineage", "caveats", "notebook")


def class_places() -> dict[str, list[str]]:
    """Return the files that define each class, by the name of the class."""
    places: dict[str, list[str]] = defaultdict(list)
    for file in sorted(file for package in PACKAGES for file in (SOURCE / package).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(file.relative_to(SOURCE).as_posix())
    return places


def test_no_class_name_is_defined_twice() -> None:
    places = class_places()
    assert len(places) > 300
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
