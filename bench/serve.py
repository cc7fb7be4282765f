"""How long a page takes to come from the server, for one reader and for many at once, while a cell runs and while not.

A reader asks for a page at a random place, looks at it for half a second, and asks for the next; its connection stays
open, as a browser's does. The server is a process of its own, and the cell keeps Spark busy for as long as is measured.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import whence
from bench._sales import sales
from whence.client import Client

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", 10_000_000))
READERS = int(os.environ.get("WHENCE_BENCH_READERS", 50))
SECONDS = float(os.environ.get("WHENCE_BENCH_SECONDS", 20))
PAGE = 100
LOOK = 0.5
BUSY = "select count(*) as n from range(20000000000) where sqrt(id) * sqrt(id + 1) < 3"
"""Spark is busy with it for minutes on any machine."""


def run(_repeats: int) -> dict[str, object]:
    """Measure both, idle and busy, on one server."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-", dir=os.environ.get("WHENCE_BENCH_FOLDER")) as folder:
        path = Path(folder) / "serve.whence"
        with whence.open(path) as workspace:
            workspace.create("t", sales(ROWS))
        with serving(path) as client:
            times = {"one reader": _read(client, 1), f"{READERS} readers": _read(client, READERS)}
            _start_cell(client)
            times["one reader, a cell runs"] = _read(client, 1)
            times[f"{READERS} readers, a cell runs"] = _read(client, READERS)
            assert client.read_notebook("busy").cells[0].status == "running", "the cell ended too soon"
            client.cancel_cells("busy", hard=True)
    question = f"A page of {PAGE} rows out of {ROWS:,}, from the server, at random places"
    return {"question": question, "rows": [_row(name, taken) for name, taken in times.items()]}


def _row(name: str, times: list[float]) -> dict[str, object]:
    return {
        "who asks": name,
        "pages": len(times),
        "median ms": statistics.median(times),
        "p95 ms": statistics.quantiles(times, n=20)[-1],
        "p99 ms": statistics.quantiles(times, n=100)[-1],
        "max ms": max(times),
    }


@contextmanager
def serving(path: Path) -> Iterator[Client]:
    """A client of `whence serve` on a workspace."""
    command = [sys.executable, "-m", "whence", "serve", str(path), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "the server ended without printing its link"
        try:
            yield Client.from_link(found.group())
        finally:
            process.terminate()


def _start_cell(client: Client) -> None:
    client.make_notebook(name="busy")
    client.add_cell("busy", kind="sql", values={"source": BUSY, "name": "n"})
    while client.read_notebook("busy").cells[0].progress is None:
        time.sleep(0.2)
    time.sleep(3)  # Spark has started and compiled the query by now


def _read(client: Client, readers: int) -> list[float]:
    async def all_of_them() -> list[list[float]]:
        end = time.monotonic() + SECONDS
        return await asyncio.gather(*(_reader(client, number, end) for number in range(readers)))

    return [taken for each in asyncio.run(all_of_them()) for taken in each]


async def _reader(client: Client, number: int, end: float) -> list[float]:
    """The times of one reader, in milliseconds; its first page is not counted."""
    host = client.address.removeprefix("http://")
    name, _, port = host.partition(":")
    places, times = random.Random(number), list[float]()
    reader, writer = await asyncio.open_connection(name, int(port))
    await asyncio.sleep(places.random() * LOOK)
    while time.monotonic() < end:
        target = f"/api/datasets/t/page?offset={places.randrange(ROWS - PAGE)}&limit={PAGE}"
        request = f"GET {target} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {client.token}\r\n\r\n"
        start = time.perf_counter()
        writer.write(request.encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        assert head.startswith(b"HTTP/1.1 200"), head
        assert length is not None
        await reader.readexactly(int(length[1]))
        times.append((time.perf_counter() - start) * 1000)
        await asyncio.sleep(LOOK)
    writer.close()
    return times[1:]
