from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import whence
from whence.loading import addresses
from whence.loading import fetch as fetch_module
from whence.loading.addresses import is_public, resolve
from whence.loading.fetch import fetch
from whence.model.errors import BadInput


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path, _, _ = self.path.partition("?")
        if path.startswith("/again"):
            return self._redirect(f"/again{int(path[6:] or 0) + 1}")
        if path == "/metadata":
            return self._redirect("http://169.254.169.254/latest")
        if path == "/moved":
            return self._redirect("/data.csv")
        if path == "/gone":
            return self.send_error(404)
        self.send_response(200)
        if path == "/cut.csv":
            self.send_header("Content-Length", "1000")
        self.end_headers()
        if path == "/endless":
            for _ in range(100):
                self.wfile.write(b"x" * 100_000)
        self.wfile.write(b"a,b\n1,x\n")
        return None

    def _redirect(self, target: str) -> None:
        self.send_response(302)
        self.send_header("Location", target)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that has had enough closes the connection."""


@pytest.fixture
def server() -> Iterator[str]:
    made = Server(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()
    thread.join()


def test_a_web_address_is_loaded_and_named_in_the_report(ws: whence.Workspace, server: str) -> None:
    dataset = ws.load(f"{server}/moved?token=secret", name="web", allow_private=True)
    assert dataset.to_arrow().to_pydict() == {"a": [1], "b": ["x"]}
    assert dataset.load_report is not None
    assert dataset.load_report.source.path == f"{server}/moved"
    assert ws.load(f"{server}/data.csv", allow_private=True).name == "data"


def test_addresses_off_the_public_network_are_refused(server: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not on the public network"):
        fetch(f"{server}/data.csv", tmp_path)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0177.0.0.1",
        "0x7f.1",
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "0.0.0.0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[fe80::1]",
        "[fd00::1]",
        "[64:ff9b::7f00:1]",
    ],
)
def test_no_spelling_of_a_private_address_passes(host: str) -> None:
    with pytest.raises(BadInput, match=r"is not on the public network|There is no host"):
        resolve(f"http://{host}/x.csv")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "gopher://x/1", "ftp://x/y", "http://"])
def test_only_web_addresses_are_fetched(url: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is no web address"):
        fetch(url, tmp_path)


def test_the_address_that_was_checked_is_the_one_connected_to(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(server.rpartition(":")[2])
    asked: list[str] = []

    def answer(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        asked.append(host)
        number = "127.0.0.1" if len(asked) == 1 else "203.0.113.9"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, port))]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    monkeypatch.setattr(addresses, "is_public", lambda _: True)
    monkeypatch.setattr(socket, "create_connection", lambda place, timeout: _connect(place, timeout))
    assert fetch(f"http://rebinding.example:{port}/data.csv", tmp_path).read_text() == "a,b\n1,x\n"
    assert asked == ["rebinding.example"]


def _connect(place: tuple[str, int], timeout: float) -> socket.socket:
    made = socket.socket()
    made.settimeout(timeout)
    made.connect(place)
    return made


def test_a_redirect_is_checked_like_the_first_address(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "is_public", lambda number: number == "127.0.0.1" or is_public(number))
    with pytest.raises(BadInput, match=r"169\.254\.169\.254 is not on the public network"):
        fetch(f"{server}/metadata", tmp_path)


def test_redirects_size_time_and_errors_have_bounds(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadInput, match="more than 3 redirects"):
        fetch(f"{server}/again", tmp_path, allow_private=True)
    with pytest.raises(BadInput, match="answers 404"):
        fetch(f"{server}/gone", tmp_path, allow_private=True)
    with pytest.raises(BadInput, match="broke off before its end"):
        fetch(f"{server}/cut.csv", tmp_path, allow_private=True)
    monkeypatch.setattr(fetch_module, "MOST_BYTES", 1 << 20)
    with pytest.raises(BadInput, match="is larger than"):
        fetch(f"{server}/endless", tmp_path / "1", allow_private=True)
    monkeypatch.setattr(fetch_module, "MOST_SECONDS", 0.0)
    with pytest.raises(BadInput, match=r"took more than 0 seconds|did not send"):
        fetch(f"{server}/endless", tmp_path / "2", allow_private=True)
