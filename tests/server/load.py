"""Readers and editors of one server, as many as asked, and what its processes take meanwhile."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.server.serving import KINDS, Served
from whence.client import Client

PAGE = 100


@dataclass
class Answers:
    """The seconds each kind of request took, and what was not answered with 200."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def add(self, kind: str, seconds: float, status: int, body: bytes) -> None:
        self.seconds.setdefault(kind, []).append(seconds)
        if status != 200:
            self.refused.append(f"{kind}: {status} {body[:200]!r}")

    def figures(self) -> dict[str, str]:
        """How many requests of each kind there were, and their median, 95th and 99th percentile."""
        return {kind: _figures(sorted(times)) for kind, times in sorted(self.seconds.items())}


def _figures(times: list[float]) -> str:
    at = {
        name: 1000 * times[int(share * (len(times) - 1))]
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    }
    return f"{len(times)} requests, " + ", ".join(f"{name} {value:.0f} ms" for name, value in at.items())


class Line:
    """One connection to the server that stays open, as a browser's does."""

    def __init__(self, client: Client, answers: Answers) -> None:
        self._host, self._token, self._answers = client.address.removeprefix("http://"), client.token, answers
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used = 0.0

    async def ask(self, kind: str, target: str, body: object = None) -> bytes:
        """Send a request, GET without a body and POST with one, and return what was answered."""
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{'GET' if body is None else 'POST'} {target} HTTP/1.1\r\nHost: {self._host}\r\n"
            f"Authorization: Bearer {self._token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n"
        )
        begun = time.perf_counter()
        reader, writer = await self._open()
        writer.write(head.encode() + content)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", answer)
        assert length is not None, answer
        found = await reader.readexactly(int(length[1]))
        self._used = time.monotonic()
        self._answers.add(kind, time.perf_counter() - begun, int(answer.split()[1]), found)
        return found

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        # The server closes a connection after five seconds without a request; nearly as long ago, it may just do so.
        if self._streams is None or time.monotonic() - self._used > 4:
            self.close()
            name, _, port = self._host.partition(":")
            self._streams = await asyncio.open_connection(name, int(port))
        return self._streams

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


@dataclass
class Crowd:
    """Readers of a dataset and of a notebook, and editors with a notebook each, until it is told to end."""

    client: Client
    rows: int
    pause: float
    answers: Answers = field(default_factory=Answers)
    written: dict[str, str] = field(default_factory=dict)
    """What each editor wrote last into its cell, as the server acknowledged it."""

    async def run(self, readers: int, editors: int, is_over: Callable[[], bool]) -> None:
        await asyncio.gather(
            *(self._read(number, is_over) for number in range(readers)),
            *(self._edit(number, is_over) for number in range(editors)),
        )

    async def _read(self, number: int, is_over: Callable[[], bool]) -> None:
        line, dice = Line(self.client, self.answers), random.Random(number)
        await asyncio.sleep(dice.random() * self.pause)
        while not is_over():
            row = dice.randrange(self.rows - PAGE)
            kind, target = dice.choice(
                (
                    ("page", f"/api/datasets/t/page?offset={row}&limit={PAGE}"),
                    ("page", f"/api/datasets/t/page?offset={row}&limit={PAGE}"),
                    ("cell", f"/api/datasets/doubled/cell?row={row}&column=y"),
                    ("notebook", "/api/notebooks/runs"),
                    ("caveats", "/api/caveats/count"),
                )
            )
            await line.ask(kind, target)
            await asyncio.sleep(self.pause * dice.uniform(0.5, 1.5))
        line.close()

    async def _edit(self, number: int, is_over: Callable[[], bool]) -> None:
        line, dice, notebook = Line(self.client, self.answers), random.Random(1000 + number), f"editor{number}"
        await line.ask("make", "/api/notebooks", {"name": notebook})
        added = {"kind": "markdown", "values": {"source": "begun"}}
        cell = json.loads(await line.ask("add", f"/api/notebooks/{notebook}/cells", added))["cell"]["id"]
        count = 0
        while not is_over():
            count += 1
            text = f"text {count} of {number}"
            await line.ask("edit", f"/api/notebooks/{notebook}/cells/{cell}/change", {"values": {"source": text}})
            self.written[notebook] = text
            await asyncio.sleep(self.pause * dice.uniform(0.5, 1.5))
        line.close()


@dataclass(frozen=True)
class Taken:
    """What the processes of a server take at one moment: the server itself, Java, and all workers together."""

    megabytes: dict[str, int]
    handles: dict[str, int]
    temporary_files: int
    """Without those of Spark's shuffles, which go when Java collects what used them."""

    @classmethod
    def now(cls, server: Served, folders: list[Path]) -> Taken:
        memory, handles = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)
        for kind, process in server.processes():
            try:
                memory[kind] += process.memory_info().rss >> 20
                handles[kind] += process.num_fds()
            except psutil.NoSuchProcess:  # it has just ended
                continue
        return cls(memory, handles, sum(_count_files(folder) for folder in folders))


def _count_files(folder: Path) -> int:
    files = (each for each in folder.rglob("*") if each.is_file())
    return sum(not any(part.startswith("blockmgr-") for part in each.parts) for each in files)
