"""How `whence demo` and `whence serve` start and stop, as real processes on real ports."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.confinement import UNCONFINED
from whence.client import Client
from whence.store.browser_sessions import BrowserSessions
from whence.store.store import Store

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 200


def started(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "whence", *arguments, *UNCONFINED]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("command", ["demo", "serve"])
def test_a_taken_port_is_noticed_before_any_work(command: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with started(command, str(tmp_path / "ws"), "--port", str(port), "--no-browser") as process:
            said, complaint = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (1, "")
    assert f"Port {port} is taken" in complaint
    assert not (tmp_path / "ws").exists()


@pytest.mark.spark
def test_the_page_of_the_demo_is_there_while_its_tour_is_made_and_control_c_ends_both(tmp_path: Path) -> None:
    with started("demo", str(tmp_path / "ws"), "--port", "0", "--no-browser") as process:
        assert process.stdout is not None
        link = process.stdout.readline().removeprefix("whence is at ").strip()
        client = Client.from_link(link)
        statuses = {cell.status for cell in client.read_notebook("tour").cells}
        assert statuses & {"waiting", "running"}, "the tour was made before the page"
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert complaint.endswith("Stopped.\n")
    assert "Traceback" not in complaint


def test_a_server_says_how_it_is_stopped_and_stops(tmp_path: Path) -> None:
    with started("serve", str(tmp_path / "ws"), "--port", "0", "--no-browser") as process:
        assert process.stdout is not None
        assert re.fullmatch(r"whence is at http://127\.0\.0\.1:\d+/login\?token=\S+\n", process.stdout.readline())
        assert process.stdout.readline() == "Press Ctrl-C to stop.\n"
        process.send_signal(signal.SIGINT)
        said, complaint = process.communicate(timeout=PATIENCE)
    assert (said, complaint) == ("", "Stopped.\n")


@pytest.mark.long
def test_the_tour_is_made_once(tmp_path: Path) -> None:
    versions = []
    for _ in range(2):
        with started("demo", str(tmp_path / "ws"), "--port", "0", "--no-browser") as process:
            assert process.stdout is not None
            client = Client.from_link(process.stdout.readline().removeprefix("whence is at ").strip())
            notebook = client.wait("tour")
            assert {cell.status for cell in notebook.cells} == {"ready"}
            versions.append(notebook.version)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
    assert versions[0] == versions[1]


def test_sign_out_ends_every_browser_session(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "ws")
    BrowserSessions(store.database).add("0" * 64, time.time() + 1000, time.time())
    store.close()
    with started("sign-out", str(tmp_path / "ws")) as process:
        assert process.communicate(timeout=PATIENCE)[0] == "Every browser is signed out.\n"
    store = Store.open(tmp_path / "ws")
    assert BrowserSessions(store.database).load() == {}
    store.close()
