"""The event stream: numbers without gaps, resuming after a cut, and tabs that do not read."""

from __future__ import annotations

import asyncio
import json
import random
import re
import socket
import threading
import time
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.server.conftest import HOST, TOKEN
from tests.server.live import live
from tests.server.price_list import price_list
from tests.server.standin import served
from whence.server.app import create_app
from whence.server.events import Events
from whence.server.routes.events import MOST_SOCKETS, TOO_MANY

HEADERS = {"host": HOST.decode(), "authorization": f"Bearer {TOKEN}"}


def following(events: Events, query: str = "") -> Any:  # noqa: ANN401 - starlette's own test session
    client = TestClient(create_app(served(price_list()), TOKEN, events=events))
    return client.websocket_connect(f"/api/events{query}", headers=HEADERS)


def received(socket: Any, count: int) -> list[tuple[int, str]]:  # noqa: ANN401
    messages = [json.loads(socket.receive_text()) for _ in range(count)]
    return [(message["sequence"], message["kind"]) for message in messages]


def test_a_tab_gets_what_happens_from_any_thread_in_order() -> None:
    events = Events()
    with following(events) as socket:
        assert received(socket, 1) == [(0, "hello")]
        threads = [threading.Thread(target=events.publish, args=("cell.state", {"n": n})) for n in range(20)]
        for thread in threads:
            thread.start()
        assert received(socket, 20) == [(n, "cell.state") for n in range(1, 21)]


def test_a_tab_that_was_cut_off_gets_what_it_missed() -> None:
    events = Events()
    for n in range(5):
        events.publish("cell.state", {"n": n})
    with following(events, f"?epoch={events.epoch}&since=2") as socket:
        assert received(socket, 4) == [(2, "hello"), (3, "cell.state"), (4, "cell.state"), (5, "cell.state")]


@pytest.mark.parametrize("query", ["?epoch=other&since=2", "?since=2", "?epoch={}&since=99", "?epoch={}&since=x"])
def test_a_place_that_is_not_known_means_to_read_everything_afresh(query: str) -> None:
    events = Events()
    events.publish("cell.state", {})
    with following(events, query.format(events.epoch)) as socket:
        assert received(socket, 1) == [(1, "resync")]


def test_what_a_tab_missed_beyond_what_is_kept_is_not_made_up() -> None:
    events = Events(most=10)
    for n in range(30):
        events.publish("cell.state", {"n": n})
    with following(events, f"?epoch={events.epoch}&since=3") as socket:
        assert received(socket, 1) == [(30, "resync")]
    assert [event.sequence for event in events.since(25) or ()] == [26, 27, 28, 29, 30]


def test_much_text_is_forgotten_sooner() -> None:
    events = Events(most_bytes=1000)
    for _ in range(20):
        events.publish("output", {"text": "x" * 200})
    assert events.since(10) is None
    assert len(events.since(17) or ()) == 3


def test_only_the_newest_progress_of_a_job_is_kept() -> None:
    events = Events()
    for done in range(100):
        events.publish("job.progress", {"done": done}, key="job 1")
    events.publish("cell.state", {})
    kept = [json.loads(event.text) for event in events.since(0) or ()]
    assert [(each["sequence"], each["kind"]) for each in kept] == [(100, "job.progress"), (101, "cell.state")]


def test_a_tab_that_never_reads_holds_nobody_up() -> None:
    events = Events(most=8)

    async def slow_and_quick() -> list[int]:
        at, seen = 0, list[int]()
        stuck = asyncio.create_task(events.wait(1_000_000))
        while at < 100:
            events.publish("cell.state", {})
            await asyncio.wait_for(events.wait(at), 1)
            at = events.last
            seen.append(at)
        stuck.cancel()
        return seen

    assert asyncio.run(slow_and_quick()) == list(range(1, 101))
    assert events.since(0) is None


def test_a_session_may_have_only_so_many_streams() -> None:
    client = TestClient(create_app(served(price_list()), TOKEN))
    with client:
        sockets = [client.websocket_connect("/api/events", headers=HEADERS) for _ in range(MOST_SOCKETS + 1)]
        for socket in sockets[:-1]:
            socket.__enter__()
            assert received(socket, 1) == [(0, "hello")]
        with sockets[-1] as refused, pytest.raises(WebSocketDisconnect) as error:
            refused.receive_text()
        assert error.value.code == TOO_MANY
        sockets[0].__exit__(None, None, None)
        with client.websocket_connect("/api/events", headers=HEADERS) as again:
            assert received(again, 1) == [(0, "hello")]
        for socket in sockets[1:-1]:
            socket.__exit__(None, None, None)


def test_a_tab_that_stops_reading_slows_no_other_on_the_wire() -> None:
    """One socket is opened and never read; the kernel's buffers fill up, and everybody else goes on."""
    events = Events(most_bytes=50_000_000)
    with live(served(price_list()), events) as client:
        name, _, port = client.address.removeprefix("http://").partition(":")
        with socket.create_connection((name, int(port)), timeout=10) as stuck:
            stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stuck.sendall(
                f"GET /api/events HTTP/1.1\r\nHost: {name}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Authorization: Bearer {TOKEN}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                "Sec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            assert b" 101 " in stuck.recv(100)
            quick = client.events()
            assert next(quick)["kind"] == "hello"
            waits = []
            for number in range(300):
                events.publish("cell.output", {"text": "x" * 50_000, "n": number})
                before = time.monotonic()
                assert next(quick)["sequence"] == number + 1
                waits.append(time.monotonic() - before)
            assert sorted(waits)[len(waits) // 2] < 0.1
            assert client.read_about().engine == "idle"
            quick.close()


def test_a_stream_that_is_cut_again_and_again_misses_nothing() -> None:
    events, dice = Events(), random.Random(4)
    with live(served(price_list()), events) as client:
        seen: list[int] = []
        place: dict[str, Any] = {}
        published = 0
        while len(seen) < 80:
            following = client.events(**place)
            first: dict[str, Any] = next(following)
            place = {"epoch": first["data"]["epoch"], "since": first["sequence"]}
            assert first["kind"] == "hello"
            for _ in range(dice.randint(1, 20)):
                events.publish("cell.state", {})
                published += 1
            for _ in range(dice.randint(0, published - len(seen))):
                place["since"] = next(following)["sequence"]
                seen.append(place["since"])
            following.close()
        assert seen == list(range(1, len(seen) + 1))


def test_a_page_misses_nothing_between_being_served_and_its_event_stream() -> None:
    events = Events()
    events.publish("before", {})
    client = TestClient(create_app(served(price_list()), TOKEN, events=events))
    page = client.get("/", headers={**HEADERS, "accept": "text/html"}).text
    found = re.search('<meta name="whence-events" content="([0-9a-f]+):([0-9]+)" />', page)
    assert found, page[:500]
    events.publish("meanwhile", {})
    with following(events, f"?epoch={found[1]}&since={found[2]}") as socket:
        assert received(socket, 2) == [(1, "hello"), (2, "meanwhile")]
