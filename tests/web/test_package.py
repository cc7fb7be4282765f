from __future__ import annotations

import gzip
import json
import re

from tests.web.conftest import ROOT

STATIC = ROOT / "src/whence/server/static"


def test_every_optional_package_of_the_lock_is_in_it() -> None:
    """A lock that lacks another platform's binary installs here and nowhere else."""
    packages = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))["packages"]
    names = {path.rpartition("node_modules/")[2] for path in packages}
    wanted = {name for package in packages.values() for name in package.get("optionalDependencies", {})}
    assert wanted - names == set()


def test_versions_are_pinned_exactly() -> None:
    package = json.loads((ROOT / "web/package.json").read_text(encoding="utf-8"))
    versions = {**package["dependencies"], **package["devDependencies"]}
    assert {name: v for name, v in versions.items() if not re.fullmatch(r"\d+\.\d+\.\d+", v)} == {}


def test_the_first_load_is_small() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    files = [STATIC / "index.html", *(STATIC / name for name in re.findall(r'(?:src|href)="/(assets/[^"]+)"', page))]
    assert len(files) >= 3
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) <= 200_000


def test_the_page_names_nothing_outside_its_own_address() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'(?:src|href)="(?!/)', page) == []
    assert "<script>" not in page
    assert "style=" not in page
