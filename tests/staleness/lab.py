"""A real Jupyter server, which serves JupyterLab and Notebook 7, and a browser that runs cells as a user does."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright

from tests.web.conftest import CHROMIUM, FLAGS
from whence.staleness.jupyter.install import EXTENSION, install_extension, install_kernel

SLOW = 60_000  # a kernel starts in a second, but not on a busy machine


def notebook_file(cells: list[str]) -> str:
    code: list[dict[str, object]] = [
        {"cell_type": "code", "id": f"cell-{n}", "metadata": {}, "execution_count": None, "outputs": [], "source": text}
        for n, text in enumerate(cells)
    ]
    kernel = {"name": "whence", "display_name": "Python 3 (whence)", "language": "python"}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": code})


@contextmanager
def serving(home: Path, cells: list[str]) -> Iterator[str]:
    """Serve the notebooks lab.ipynb and classic.ipynb by a Jupyter with our kernel and extension and nothing else's."""
    if not (EXTENSION / "package.json").is_file():
        pytest.skip("the extension is not built: run ./dev web")
    install_extension(install_kernel(prefix=str(home)))
    for name in ("lab", "classic"):
        (home / "work").mkdir(exist_ok=True)
        (home / "work" / f"{name}.ipynb").write_text(notebook_file(cells))
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
