"""Calls made up from the contract, with credentials: most are answered, all as the contract says, none breaks it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core import NotSet
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import whence
from tests.server.fuzzing import World
from tests.server.live import live
from whence.server.openapi import schema

CONTRACT = schemathesis.openapi.from_dict(schema())
CHECKS = [content_type_conformance, response_schema_conformance, status_code_conformance]
FILE = "part,price,stock\n" + "".join(f"part {n},{n},{n * 2 if n != 3 else 'few'}\n" for n in range(12))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[World]:
    assert spark_home.spark is not None
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "prices.csv").write_text(FILE)
    with whence.open(folder / "w.whence") as ws, live(ws) as client:
        ws.load(folder / "prices.csv")
        ws.sql("select part, sum(price) as total from prices group by part", name="totals")
        world = World(client, 1)
        world.prepare()
        yield world


Case = schemathesis.Case[Any]
Operation = APIOperation[Any, Any, Any, Any]
LONGEST_HEAD = 65_536
"""Bytes of a request before its body that the server reads."""


def operations() -> Iterator[Operation]:
    for each in CONTRACT.get_all_operations():
        assert isinstance(each, Ok)
        yield each.ok()


def answers(world: World, examples: int, mode: GenerationMode = GenerationMode.POSITIVE) -> Counter[tuple[str, int]]:
    """How often each operation answered what."""
    found: Counter[tuple[str, int]] = Counter()
    headers = {"Authorization": f"Bearer {world.client.token}"}
    with requests.Session() as session:
        for operation in operations():

            @settings(
                max_examples=examples,
                phases=[Phase.generate],
                derandomize=True,
                database=None,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            )
            @given(operation.as_strategy(generation_mode=mode))
            def call(case: Case) -> None:
                if mode is GenerationMode.POSITIVE and world.dice.random() < 0.85:
                    sensible(world, case)
                try:
                    answer = case.call(base_url=world.client.address, headers=headers, session=session, timeout=60)
                except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
                    # What is too long for HTTP is refused and cut off, which a client that still sends may not see.
                    assert len(case.as_curl_command()) > LONGEST_HEAD, case.as_curl_command()
                    assert requests.get(f"{world.client.address}/health", timeout=60).ok
                    return
                found[case.operation.label, answer.status_code] += 1
                assert answer.status_code < 500, (case.as_curl_command(), answer.text)
                if mode is GenerationMode.POSITIVE:  # a request that is no HTTP is refused before it is ours
                    case.validate_response(answer, checks=CHECKS)

            with suppress(Unsatisfiable):  # there is nothing to get wrong in a call without parameters
                call()
    return found


def sensible(world: World, case: Case) -> None:
    """Names that exist in the place of made-up ones."""
    path = case.operation.path
    case.path_parameters = {name: world.path(path, name) for name in case.path_parameters or {}}
    if case.query:
        case.query = world.query(path, dict(case.query))
    if isinstance(case.body, dict) and not isinstance(case.body, NotSet):
        case.body = world.body(path, case.body)


def share(found: Counter[tuple[str, int]]) -> float:
    """Of the calls that were answered 2xx."""
    return sum(count for (_, status), count in found.items() if status < 300) / found.total()


def report(found: Counter[tuple[str, int]]) -> str:
    return "\n".join(f"{label:60} {status} {count}" for (label, status), count in sorted(found.items()))


def test_made_up_calls_are_mostly_answered_and_never_break_the_server(world: World) -> None:
    found = answers(world, 8)
    assert share(found) >= 0.6, report(found)
    assert {status for _, status in found} <= {200, 400, 404, 405, 409, 422}


def test_calls_that_break_the_contract_break_nothing_else(world: World) -> None:
    found = answers(world, 3, GenerationMode.NEGATIVE)
    assert {status for _, status in found} <= {200, 400, 404, 405, 409, 422}, report(found)


@pytest.mark.long
def test_thousands_of_made_up_calls_never_break_the_server(
    world: World, record_property: Callable[[str, object], None]
) -> None:
    found = answers(world, 150)
    record_property("calls", found.total())
    record_property("answered 2xx", share(found))
    print(f"{found.total()} calls, {share(found):.0%} answered 2xx")  # noqa: T201 - a figure for the report of the run
    assert share(found) >= 0.6, report(found)
    answers(world, 100, GenerationMode.NEGATIVE)
