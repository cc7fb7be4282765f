"""A request over HTTP ends when its own agent cancels it, and no other request does."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import anyio
from starlette.types import Message, Receive, Scope, Send

from whence.mcp.give_up import SESSION, RequestsUnderWay

Body = dict[str, Any]


@dataclass
class Exchange:
    """One request of an agent, and what it got."""

    body: Body | bytes
    session: str | None = None
    got: list[Message] = field(default_factory=list)
    begun: anyio.Event = field(default_factory=anyio.Event)
    ended: anyio.Event = field(default_factory=anyio.Event)

    @property
    def scope(self) -> Scope:
        headers = [] if self.session is None else [(SESSION, self.session.encode())]
        return {"type": "http", "method": "POST", "headers": headers}

    @property
    def answer(self) -> Any:  # noqa: ANN401 - JSON
        return json.loads(b"".join(each.get("body", b"") for each in self.got))

    async def run(self, under_way: RequestsUnderWay, release: anyio.Event) -> None:
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        parts: list[Message] = [{"type": "http.request", "body": body}]

        async def receive() -> Message:
            if parts:
                return parts.pop()
            await anyio.sleep_forever()
            raise AssertionError

        async def send(message: Message) -> None:
            self.got.append(message)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await receive()
            self.begun.set()
            if isinstance(self.body, dict) and self.body.get("method") == "tools/call":
                await release.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b'"done"'})

        await under_way.serve(app, self.scope, receive, send)
        self.ended.set()


def _call(number: object) -> Body:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {}}


def _cancel(number: object) -> Body:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}


def _in_turn(talk: Callable[[Callable[[Exchange], Awaitable[None]], anyio.Event], Awaitable[None]]) -> None:
    """Let requests begin one after the other, while those before are under way."""

    async def run() -> None:
        under_way, release = RequestsUnderWay(), anyio.Event()
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:

                async def begin(exchange: Exchange) -> None:
                    group.start_soon(exchange.run, under_way, release)
                    await exchange.begun.wait()

                await talk(begin, release)

    anyio.run(run)


def test_only_the_request_that_its_agent_cancels_ends() -> None:
    async def talk(begin: Callable[[Exchange], Awaitable[None]], release: anyio.Event) -> None:
        mine, same_number, as_text, no_session = (
            Exchange(_call(1), "mine"),
            Exchange(_call(1), "other"),
            Exchange(_call("1"), "mine"),
            Exchange(_call(1)),
        )
        for each in (mine, same_number, as_text, no_session):
            await begin(each)
        for unknown in (Exchange(_cancel(1)), Exchange(_cancel(7), "mine"), Exchange(_cancel(1), "nobody")):
            await begin(unknown)
            await unknown.ended.wait()
        assert not mine.ended.is_set()
        cancel = Exchange(_cancel(1), "mine")
        await begin(cancel)
        await mine.ended.wait()
        assert [each.get("status", each.get("body")) for each in mine.got] == [202, b""]
        assert [each.ended.is_set() for each in (same_number, as_text, no_session)] == [False] * 3
        release.set()
        for each in (same_number, as_text, no_session, cancel):
            await each.ended.wait()
            assert each.answer == "done"

    _in_turn(talk)


def test_a_number_that_is_used_again_is_not_cancelled_by_the_old_request() -> None:
    async def talk(begin: Callable[[Exchange], Awaitable[None]], release: anyio.Event) -> None:
        release.set()
        first, late, again = Exchange(_call(1), "s"), Exchange(_cancel(1), "s"), Exchange(_call(1), "s")
        for each in (first, late, again):
            await begin(each)
            await each.ended.wait()
            assert each.answer == "done"

    _in_turn(talk)


def test_the_first_answer_names_a_session_and_no_other_does() -> None:
    async def talk(begin: Callable[[Exchange], Awaitable[None]], release: anyio.Event) -> None:
        first, second = (Exchange({"id": 0, "method": "initialize"}) for _ in range(2))
        others = [
            Exchange({"id": 1, "method": "tools/list"}),
            Exchange(b"no JSON"),
            Exchange(b"[1]"),
            Exchange(b"\xff"),
        ]
        for each in (first, second, *others):
            await begin(each)
            await each.ended.wait()
        named = [dict(each.got[0]["headers"]).get(SESSION) for each in (first, second, *others)]
        assert all(named[:2])
        assert named[0] != named[1]
        assert named[2:] == [None] * 4

    _in_turn(talk)
