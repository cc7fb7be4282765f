from __future__ import annotations

import http.client
import re
import socket
import subprocess
import sys
import textwrap
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from whence.model.errors import UserError
from whence.server.run import listen

ROOT = Path(__file__).parent.parent.parent
PROGRAM = """
    from tests.server.price_list import price_list
    from whence.server.run import serve
    serve(price_list(), port=0, open_browser=False)
"""


@pytest.fixture(scope="module")
def link() -> Iterator[str]:
    """The link a running server printed."""
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/login\?token=\S+", line)
        assert found, line
        assert process.stdout.readline() == "Press Ctrl-C to stop.\n"
        yield found.group()
        process.terminate()
        rest, errors = process.communicate(timeout=20)
    token = found.group().partition("token=")[2]
    assert rest == "", "the server prints nothing but its link and how it ends"
    assert token not in errors


def test_the_printed_token_works_as_bearer(link: str) -> None:
    address, _, token = link.partition("/login?token=")
    request = urllib.request.Request(f"{address}/api/datasets", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.status == 200


def test_an_answer_over_a_kept_connection_does_not_wait_for_an_acknowledgement(link: str) -> None:
    connection = http.client.HTTPConnection(link.removeprefix("http://").partition("/")[0], timeout=10)
    times = []
    for _ in range(20):
        before = time.perf_counter()
        connection.request("GET", "/health")
        connection.getresponse().read()
        times.append(time.perf_counter() - before)
    connection.close()
    assert min(times[1:]) < 0.03  # With Nagle's algorithm on, every one of them takes 40 ms.


def test_a_huge_header_is_refused_and_the_server_goes_on(link: str) -> None:
    address = link.partition("/login")[0]
    request = urllib.request.Request(f"{address}/api/datasets", headers={"Authorization": "Bearer " + "x" * 1_000_000})
    with pytest.raises((urllib.error.URLError, ConnectionError)):
        urllib.request.urlopen(request, timeout=10)
    with urllib.request.urlopen(f"{address}/health", timeout=10) as answer:
        assert answer.status == 200


def test_a_socket_without_a_session_is_refused_on_the_wire(link: str) -> None:
    host = link.removeprefix("http://").partition("/")[0]
    name, _, port = host.partition(":")
    with socket.create_connection((name, int(port)), timeout=10) as connection:
        connection.sendall(
            f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert b" 403 " in connection.recv(200)


def test_only_loopback_listens() -> None:
    with listen(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_a_taken_port_is_an_error_with_advice() -> None:
    with listen(0) as listener, pytest.raises(UserError, match="--port"):
        listen(listener.getsockname()[1])


def test_the_contract_is_made_without_spark() -> None:
    program = "import sys, whence.server.openapi as o; o.schema(); assert 'pyspark' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=240)


SLOW_PROGRAM = """
    import time
    from tests.server.price_list import price_list
    from whence.server.run import serve
    workspace = price_list()
    workspace.datasets = lambda: time.sleep(5) or []
    serve(workspace, port=0, open_browser=False)
"""


def test_a_request_that_the_end_cuts_off_is_no_error() -> None:
    command = [sys.executable, "-c", textwrap.dedent(SLOW_PROGRAM)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address, _, token = process.stdout.readline().removeprefix("whence is at ").strip().partition("/login?token=")
        host, _, port = address.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port))) as connection:
            request = f"GET /api/datasets HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"
            connection.sendall(request.encode())
            time.sleep(1)
            process.terminate()
            _, errors = process.communicate(timeout=60)
    assert errors == ""
