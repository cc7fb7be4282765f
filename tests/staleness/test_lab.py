"""The extension in a real JupyterLab and a real Notebook 7: marks beside the cells, and a button that helps."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright

from tests.web.conftest import CHROMIUM, FLAGS
from whence.staleness.jupyter.install import EXTENSION, install_extension, install_kernel

for needed in ("jupyterlab", "notebook"):
    pytest.importorskip(needed)

CELLS = ["a = 4", "b = a + 1", "print('b is', b)", "print('apart')"]
SLOW = 60_000  # a kernel starts in a second, but not on a busy machine


def notebook_file(cells: list[str]) -> str:
    code: list[dict[str, object]] = [
        {"cell_type": "code", "id": f"cell-{n}", "metadata": {}, "execution_count": None, "outputs": [], "source": text}
        for n, text in enumerate(cells)
    ]
    kernel = {"name": "whence", "display_name": "Python 3 (whence)", "language": "python"}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": code})


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Jupyter server of its own, which serves both front ends, with our kernel and extension and nothing else's."""
    if not (EXTENSION / "package.json").is_file():
        pytest.skip("the extension is not built: run ./dev web")
    home = tmp_path_factory.mktemp("jupyter")
    install_extension(install_kernel(prefix=str(home)))
    for name in ("lab", "classic"):
        (home / "work").mkdir(exist_ok=True)
        (home / "work" / f"{name}.ipynb").write_text(notebook_file(CELLS))
    (home / "config" / "labconfig").mkdir(parents=True)
    others = {"disabledExtensions": {"jupyterlab-ipyflow": True, "@jupyterlab/apputils-extension:announcements": True}}
    (home / "config" / "labconfig" / "page_config.json").write_text(json.dumps(others))
    environment = {
        **os.environ,
        "JUPYTER_PATH": str(home / "share" / "jupyter"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    command = [
        sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root",
        "--ServerApp.port=0", "--ServerApp.ip=127.0.0.1",
        "--IdentityProvider.token=secret", f"--ServerApp.root_dir={home / 'work'}",
        f"--LabApp.user_settings_dir={home / 'settings'}", f"--LabApp.workspaces_dir={home / 'workspaces'}",
    ]  # fmt: skip
    log = home / "server.log"
    with log.open("w") as output, subprocess.Popen(command, env=environment, stdout=output, stderr=output) as server:
        try:
            yield _wait_for_address(log, server)
        finally:
            server.terminate()
            server.wait(30)


def _wait_for_address(log: Path, server: subprocess.Popen[bytes]) -> str:
    for _ in range(600):
        found = re.search(r"http://127\.0\.0\.1:\d+/", log.read_text())
        if found and "is running at" in log.read_text():
            return found.group()
        try:
            server.wait(0.2)
        except subprocess.TimeoutExpired:
            continue
        break
    raise AssertionError(log.read_text()[-3000:])


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(SLOW)
        expect.set_options(timeout=SLOW)
        yield page
        browser.close()


def cell(page: Page, number: int) -> Locator:
    return page.locator(".jp-Notebook .jp-CodeCell").nth(number)


def mark(page: Page, number: int) -> Locator:
    return cell(page, number).get_by_role("note")


def run_cell(page: Page, number: int, count: int) -> None:
    """Run a cell as a user does, and wait until it has its number."""
    prompt = cell(page, number).locator(".jp-InputPrompt")
    for _ in range(4):  # a page that is still starting lets the key go by
        cell(page, number).locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        with suppress(AssertionError):
            expect(prompt).to_have_text(re.compile(rf"\[(\*|{count})\]:"), timeout=SLOW / 4)
            break
    expect(prompt).to_have_text(f"[{count}]:")


def write(page: Page, number: int, text: str) -> None:
    """Replace a cell's text as a user does."""
    cell(page, number).locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def use(page: Page) -> None:
    expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(len(CELLS))
    expect(page.locator('[data-status="idle"], .jp-Notebook-ExecutionIndicator').first).to_be_attached()
    for number in range(len(CELLS)):
        run_cell(page, number, number + 1)
    expect(page.get_by_role("note")).to_have_count(0)

    write(page, 0, "a = 40")
    run_cell(page, 0, 5)
    expect(mark(page, 1)).to_have_attribute("data-kind", "refresher")
    expect(mark(page, 1)).to_contain_text("Refresher: would renew what cell 3 now uses out of date")
    expect(mark(page, 2)).to_have_attribute("data-kind", "stale")
    expect(mark(page, 2)).to_contain_text(
        "Stale: uses `b` from cell 2, which was built with the old `a`; run cell 2 first"
    )
    expect(mark(page, 3)).to_have_count(0)

    mark(page, 2).get_by_role("button", name="Run this first").click()
    expect(cell(page, 1).locator(".jp-InputPrompt")).to_have_text("[6]:")
    expect(mark(page, 2)).to_have_attribute("data-kind", "fresh")
    expect(mark(page, 1)).to_have_count(0)
    run_cell(page, 2, 7)
    expect(cell(page, 2).locator(".jp-OutputArea-output")).to_contain_text("b is 41")
    expect(page.get_by_role("note")).to_have_count(0)


def test_cells_out_of_order_are_marked_in_jupyterlab_and_put_right_by_a_click(page: Page, address: str) -> None:
    page.goto(f"{address}lab/tree/lab.ipynb?token=secret")
    use(page)
    write(page, 3, "%safety reactive on")
    run_cell(page, 3, 8)
    write(page, 0, "a = 50")
    run_cell(page, 0, 9)
    expect(cell(page, 2).locator(".jp-OutputArea-output")).to_contain_text("b is 51")
    expect(cell(page, 2).locator(".jp-InputPrompt")).to_have_text("[11]:")
    write(page, 3, "print(nowhere)")  # an edit that is not run is judged too
    expect(mark(page, 3)).to_have_attribute("data-kind", "would-fail")
    expect(mark(page, 3)).to_contain_text("Would fail: `nowhere` is not defined")


def test_cells_out_of_order_are_marked_in_notebook_7(page: Page, address: str) -> None:
    page.goto(f"{address}notebooks/classic.ipynb?token=secret")
    use(page)
