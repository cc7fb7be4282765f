"""Formats an error of user code for the notebook: with the lines of the cell, and library frames folded."""

from __future__ import annotations

import linecache
import traceback
from collections import deque
from collections.abc import Iterator
from itertools import islice
from types import FrameType, TracebackType

from whence.notebook.workers.channel import Message
from whence.notebook.workers.inside.ws import Ws

_LONGEST = 20_000
"""Characters of a message, and of a traceback."""
_MOST_FRAMES = 100
"""Frames from each end of a traceback. Endless recursion has millions between them."""

_NO_RDDS = (
    "A cell has no sparkContext and no RDDs: use DataFrames, ws.spark.createDataFrame(rows) for rows of your own, and "
    "udf or applyInPandas for functions."
)

_HINTS = {
    "[JVM_ATTRIBUTE_NOT_SUPPORTED]": _NO_RDDS,
    "[NOT_IMPLEMENTED] rdd": _NO_RDDS,
    "[NOT_IMPLEMENTED] sparkContext": _NO_RDDS,
    "[TABLE_OR_VIEW_NOT_FOUND]": (
        'A cell sees its own temporary views only: read a dataset with ws["name"].df, and assign ws["name"] = frame '
        "for the cells below."
    ),
}
"""What to write instead, by the beginning of PySpark's message that something is not supported."""


def remember_source(filename: str, source: str) -> None:
    """Let tracebacks and `inspect` find the text of a cell."""
    # Without a modification time, `linecache.checkcache` does not look for a file and drop the text.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)


def trouble(error: BaseException, own: frozenset[str]) -> Message:
    """Return the error as a message. `own` holds the file names under which the user's text was compiled."""
    if isinstance(error, SyntaxError) and error.filename in own:
        line, text = error.lineno, _syntax(error)
    else:
        frames = _extract(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename in own]
        line, text = (lines[-1] if lines else None), _folded(error, own)
    return {
        "t": "failed",
        "kind": type(error).__name__,
        "message": _message_of(error)[:_LONGEST],
        "line": line,
        "traceback": text[:_LONGEST],
    }


def _message_of(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return error.msg or "invalid syntax"
    try:
        text = f"{error}{_dataset_hint(error)}"
    except Exception:  # the `__str__` of a user's exception may fail, too
        return ""
    hint = next((hint for condition, hint in _HINTS.items() if text.startswith(condition)), None)
    return text if hint is None else f"{text.splitlines()[0]}\n{hint}"


def _dataset_hint(error: BaseException) -> str:
    """Return a hint for users who take the name of a dataset for a variable; empty for other errors."""
    if not isinstance(error, NameError) or error.name is None or error.__traceback__ is None:
        return ""
    *_, (frame, _line) = traceback.walk_tb(error.__traceback__)
    ws = frame.f_globals.get("ws")
    return f'; the dataset is ws["{error.name}"]' if isinstance(ws, Ws) and error.name in ws else ""


def _syntax(error: SyntaxError) -> str:
    return "".join(traceback.format_exception_only(type(error), error))


def _folded(error: BaseException, own: frozenset[str]) -> str:
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    # An earlier error that stayed inside a library does not help the user.
    is_own = before is not None and any(each.filename in own for each in _extract(before.__traceback__))
    parts = [_chain(error, own)] if is_own else []
    lines = ["Traceback (most recent call last):\n", *_frames(error.__traceback__, own)]
    return "".join([*parts, *lines, *traceback.format_exception_only(type(error), error)])


def _chain(error: BaseException, own: frozenset[str]) -> str:
    """Return the traceback of the error before this one. Errors before that are seldom of use."""
    cause = error.__cause__ or error.__context__
    assert cause is not None
    lines = ["Traceback (most recent call last):\n", *_frames(cause.__traceback__, own)]
    lines += traceback.format_exception_only(type(cause), cause)
    how = "was the direct cause of" if error.__cause__ else "was being handled during"
    return "".join([*lines, f"\nThe exception above {how} this one:\n\n"])


def _frames(trace: TracebackType | None, own: frozenset[str]) -> list[str]:
    """Return the frames from the first line of the cell on, with each stretch of library code as one line."""
    frames = _extract(trace)
    first = next((number for number, frame in enumerate(frames) if frame.filename in own), len(frames))
    lines: list[str] = []
    folded: list[traceback.FrameSummary] = []
    for frame in [*frames[first:], None]:
        if frame is not None and frame.filename not in own:
            folded.append(frame)
            continue
        if folded:
            inside = folded[-1]
            lines.append(f"  ... {len(folded)} frames, down to {inside.name} in {_module(inside.filename)}\n")
            folded = []
        if frame is not None:
            lines += traceback.format_list([frame])
    return lines


def _extract(trace: TracebackType | None) -> traceback.StackSummary:
    """Return the first and the last frames. To format all of an endless recursion would take longer than the cell."""
    walk = _walk(trace)
    return traceback.StackSummary.extract([*islice(walk, _MOST_FRAMES), *deque(walk, _MOST_FRAMES)])


def _walk(trace: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def _module(filename: str) -> str:
    """Return the path of a file within its library, without the folders of this machine."""
    for marker in ("site-packages/", "dist-packages/"):
        if marker in filename:
            return filename.rpartition(marker)[2]
    return "/".join(filename.split("/")[-2:])
