"""Delivery: every event arrives, in order, whatever the receiver does or the process suffers; no run waits for it."""

from __future__ import annotations

import json
import multiprocessing
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.openlineage.receivers import receiving
from tests.openlineage.sending import make_one_and_begin_another, sending
from tests.openlineage.specification import check_event
from whence.model.errors import UserError
from whence.openlineage.receiver import make_client
from whence.store import faults
from whence.store.archive import export_archive, import_archive
from whence.store.run_events import RunEvents
from whence.store.store import Store

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.openlineage.sending"])


def until(is_true: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for something that happens in the background."""
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def pair(name: str) -> list[tuple[str, str]]:
    """The two events of a run."""
    return [("START", f"create.{name}"), ("COMPLETE", f"create.{name}")]


def test_events_arrive_in_order_with_the_key_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "secret")
    with receiving() as receiver, sending(tmp_path / "w", receiver.address) as opened:
        for name in ("one", "two", "three"):
            opened.make(name)
        assert opened.delivery.flush(60)
        assert receiver.types_and_jobs() == [*pair("one"), *pair("two"), *pair("three")]
        assert {each["path"] for each in receiver.headers} == {"/api/v1/lineage"}
        assert {each["Authorization"] for each in receiver.headers} == {"Bearer secret"}
    for event in receiver.events:
        check_event(event)


def test_events_for_an_absent_receiver_wait_for_the_next_opening(tmp_path: Path) -> None:
    port = free_port()
    began = time.monotonic()
    with sending(tmp_path / "w", f"http://127.0.0.1:{port}") as opened:
        opened.make("one")
        until(lambda: opened.delivery.last_error is not None)
        assert opened.delivery.pending == 2
    assert time.monotonic() - began < 5
    with receiving(port) as receiver, sending(tmp_path / "w", receiver.address) as opened:
        opened.make("two")
        assert opened.delivery.flush(60)
        assert receiver.types_and_jobs() == [*pair("one"), *pair("two")]
        assert opened.delivery.last_error is None


def test_a_receiver_that_keeps_the_sender_waiting_delays_no_run_and_no_closing(tmp_path: Path) -> None:
    with receiving() as receiver:
        receiver.may_answer.clear()
        with sending(tmp_path / "w", receiver.address, grace=0.2) as opened:
            opened.make("one")
            until(lambda: receiver.asked > 0)
            began = time.monotonic()
            opened.make("two")
            assert time.monotonic() - began < 2
            began = time.monotonic()
        assert time.monotonic() - began < 2
        receiver.may_answer.set()
        with sending(tmp_path / "w", receiver.address) as opened:
            assert opened.delivery.flush(60)
    # The event that was on its way came twice. Its run and its time tell that it is the same.
    assert list(dict.fromkeys(receiver.types_and_jobs())) == [*pair("one"), *pair("two")]
    assert receiver.events[0]["run"] == receiver.events[1]["run"]
    assert receiver.events[0]["eventTime"] == receiver.events[1]["eventTime"]


def test_events_are_sent_again_after_a_failure_of_the_receiver(tmp_path: Path) -> None:
    with receiving() as receiver, sending(tmp_path / "w", receiver.address) as opened:
        receiver.status = 503
        opened.make("one")
        until(lambda: receiver.asked > 2)
        assert opened.delivery.last_error is not None
        assert opened.delivery.pending == 2
        receiver.status = 201
        assert opened.delivery.flush(60)
        assert receiver.types_and_jobs() == pair("one")


def test_an_event_that_the_receiver_refuses_does_not_hold_up_the_others(tmp_path: Path) -> None:
    with receiving() as receiver, sending(tmp_path / "w", receiver.address) as opened:
        receiver.refused_name = "create.one"
        opened.make("one")
        opened.make("two")
        assert opened.delivery.flush(60)
        assert receiver.types_and_jobs() == pair("two")
        assert opened.delivery.lost == 2


def test_no_more_events_are_kept_than_are_allowed(tmp_path: Path) -> None:
    with receiving() as receiver, sending(tmp_path / "w", receiver.address, most_events=4) as opened:
        receiver.status = 503
        for number in range(5):
            opened.make(f"d{number}")
        until(lambda: opened.delivery.pending <= 4)
        receiver.status = 201
        assert opened.delivery.flush(60)
        assert receiver.types_and_jobs() == [*pair("d3"), *pair("d4")]
        assert opened.delivery.lost == 6


def test_a_killed_process_loses_no_event_and_its_open_run_is_aborted(tmp_path: Path) -> None:
    with receiving() as receiver:
        receiver.status = 503
        process = FORKS.Process(target=make_one_and_begin_another, args=(tmp_path / "w", receiver.address))
        process.start()
        until(lambda: receiver.asked > 1)
        receiver.status = 201
        until(lambda: len(receiver.events) == 3)
        assert receiver.types_and_jobs() == [*pair("first"), ("START", "sql.second")]
        process.kill()
        process.join()
        with sending(tmp_path / "w", receiver.address) as opened:
            assert opened.delivery.flush(60)
        # The kill may come between the answer of the receiver and the note that the event arrived: then it comes twice.
        assert list(dict.fromkeys(receiver.types_and_jobs())) == [
            *pair("first"),
            ("START", "sql.second"),
            ("ABORT", "sql.second"),
        ]
        told = {(each["eventType"], each["run"]["runId"], each["eventTime"]) for each in receiver.events}
        assert len(told) == 4, "an event that comes twice has the same run and time"
        arrived = len(receiver.events)
        with sending(tmp_path / "w", receiver.address) as opened:
            assert opened.delivery.flush(60)
        assert len(receiver.events) == arrived <= 5, "nothing is left to be sent"


@pytest.mark.parametrize(
    "point", [*faults.points(faults.EVENT_ACTIONS), "before-commit-dataset", "after-commit-dataset"]
)
def test_events_and_datasets_agree_wherever_the_process_is_killed(tmp_path: Path, point: str) -> None:
    with receiving() as receiver:
        process = FORKS.Process(target=make_one_and_begin_another, args=(tmp_path / "w", receiver.address, point))
        process.start()
        process.join(120)
        assert process.exitcode == -signal.SIGKILL, "the point was never reached"
        with sending(tmp_path / "w", receiver.address) as opened:
            assert opened.delivery.flush(60)
            names = {record.name for record in opened.store.datasets()}
        endings = {job: kind for kind, job in receiver.types_and_jobs() if kind != "START"}
        begun = {job for kind, job in receiver.types_and_jobs() if kind == "START"}
        assert endings.keys() == begun
        assert {job for job, kind in endings.items() if kind == "COMPLETE"} == {f"create.{name}" for name in names}
        assert set(endings.values()) <= {"COMPLETE", "ABORT"}


def test_what_is_forgotten_is_not_told(tmp_path: Path) -> None:
    with receiving() as receiver, sending(tmp_path / "w", receiver.address) as opened:
        receiver.status = 503
        opened.make("secret")
        opened.make("public")
        opened.store.forgetting.forget(opened.store.versions("secret"))
        receiver.status = 201
        assert opened.delivery.flush(60)
        assert receiver.types_and_jobs() == pair("public")


def test_runs_of_openings_without_a_receiver_are_not_told(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "w")
    store.abandon(store.begin("sql", "quiet"), "wrong")
    assert RunEvents(store.database).count() == 0
    store.close()
    with receiving() as receiver, sending(tmp_path / "w", receiver.address) as opened:
        opened.make("loud")
        assert opened.delivery.flush(60)
        assert receiver.types_and_jobs() == pair("loud")


def test_scratch_datasets_are_not_told(tmp_path: Path) -> None:
    with receiving() as receiver, sending(tmp_path / "w", receiver.address) as opened:
        with opened.store.making_scratch():
            opened.make("looked at")
        opened.make("made")
        assert opened.delivery.flush(60)
        assert receiver.types_and_jobs() == pair("made")


def test_a_copy_of_a_workspace_tells_nothing_of_what_the_original_did(tmp_path: Path) -> None:
    with sending(tmp_path / "w", f"http://127.0.0.1:{free_port()}", grace=0.1) as opened:
        opened.make("one")
        export_archive(opened.store, tmp_path / "w.zip")
        assert opened.delivery.pending == 2
    import_archive(tmp_path / "w.zip", tmp_path / "copy")
    store = Store.open(tmp_path / "copy")
    assert RunEvents(store.database).count() == 0
    store.close()


def test_a_failed_run_tells_why(tmp_path: Path) -> None:
    with receiving() as receiver, sending(tmp_path / "w", receiver.address) as opened:
        opened.store.abandon(opened.store.begin("load", "orders"), "line 3 holds no number")
        assert opened.delivery.flush(60)
    event = receiver.events[1]
    check_event(event)
    assert event["eventType"] == "FAIL"
    assert event["run"]["facets"]["errorMessage"]["message"] == "line 3 holds no number"


def test_events_go_to_a_file_as_lines(tmp_path: Path) -> None:
    for name in ("one", "two"):
        with sending(tmp_path / "w", str(tmp_path / "events.jsonl")) as opened:
            opened.make(name)
    lines = (tmp_path / "events.jsonl").read_text().splitlines()
    assert [json.loads(line)["eventType"] for line in lines] == ["START", "COMPLETE"] * 2


def test_events_go_to_standard_error_as_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with sending(tmp_path / "w", "console") as opened:
        opened.make("one")
    printed = capsys.readouterr()
    assert [json.loads(line)["job"]["name"] for line in printed.err.splitlines()] == ["create.one"] * 2
    assert not printed.out


def test_the_configuration_of_the_client_chooses_the_receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "events.jsonl"
    (tmp_path / "openlineage.yml").write_text(f"transport:\n  type: file\n  log_file_path: {place}\n  append: true\n")
    monkeypatch.setenv("OPENLINEAGE_CONFIG", str(tmp_path / "openlineage.yml"))
    with sending(tmp_path / "w", "client") as opened:
        opened.make("one")
    assert len(place.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("receiver", "message"),
    [
        ("ftp://example.org", "OpenLineage events cannot be sent to ftp://."),
        ("http://me:secret@example.org", "The address of an OpenLineage receiver cannot hold a password."),
        ("  ", "The receiver of OpenLineage events has no name."),
        ({"type": "pigeon"}, "OpenLineage has no transport for these settings"),
    ],
)
def test_a_receiver_that_cannot_be_is_refused_at_once(receiver: str | dict[str, object], message: str) -> None:
    with pytest.raises(UserError) as raised:
        make_client(receiver)
    assert raised.value.message.startswith(message)
    assert "secret" not in str(raised.value)


def test_settings_of_spark_are_those_of_the_opening_in_which_a_run_ended(tmp_path: Path) -> None:
    with sending(tmp_path / "w", f"http://127.0.0.1:{free_port()}", grace=0.1) as opened:
        opened.make("earlier")
    sent = tmp_path / "events.jsonl"
    with sending(tmp_path / "w", str(sent), settings=lambda: {"spark.master": "local[2]"}) as opened:
        opened.make("later")
        assert opened.delivery.flush(60)
    found = [json.loads(line) for line in sent.read_text().splitlines()]
    for event in found:
        check_event(event)
    told = {
        (each["job"]["name"], each["eventType"]): each["run"]["facets"].get("spark_properties", {}).get("properties")
        for each in found
    }
    later = {"spark.master": "local[2]"}
    assert told == {(job, kind): None for kind, job in pair("earlier")} | {
        (job, kind): later for kind, job in pair("later")
    }


def test_settings_that_cannot_be_read_hold_no_event_back(tmp_path: Path) -> None:
    def fail() -> dict[str, str]:
        raise RuntimeError("Spark has ended")

    sent = tmp_path / "events.jsonl"
    with sending(tmp_path / "w", str(sent), settings=fail) as opened:
        opened.make("one")
        assert opened.delivery.flush(60)
    assert ["spark_properties" in json.loads(line)["run"]["facets"] for line in sent.read_text().splitlines()] == [
        False,
        False,
    ]
