from __future__ import annotations

import signal

import pytest

from whence.cli.stop_request import StopRequest


def swallow_an_interrupt() -> None:
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        return
    raise AssertionError("the handler raises KeyboardInterrupt")


def test_an_interrupt_that_a_library_swallows_is_seen_at_the_next_look() -> None:
    stop = StopRequest()
    stop.check()
    with pytest.raises(KeyboardInterrupt), stop:
        swallow_an_interrupt()
    with pytest.raises(KeyboardInterrupt):
        stop.check()


def test_an_interrupt_that_is_swallowed_ends_the_program_after_the_block() -> None:
    with pytest.raises(KeyboardInterrupt), StopRequest():
        swallow_an_interrupt()


def test_an_error_of_the_block_comes_out_and_the_handler_is_put_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ValueError, match="of the block"), StopRequest():
        raise ValueError("of the block")
    assert signal.getsignal(signal.SIGINT) is before
