"""`whence run program.py`: runs a PySpark program as Python does, keeps its outputs, and says which and how to ask."""

from __future__ import annotations

import os
import runpy
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from whence.engine.frame_actions import observe_actions
from whence.engine.frames import Frame
from whence.engine.program_java import prepare_java
from whence.model.plural import counted
from whence.workspace.adopt import VARIABLE, open_for
from whence.workspace.context import Context
from whence.workspace.program_outputs import KeptOutput, ProgramOutputs

_NOTEBOOK = b"whence notebook "


def is_program(meant: str) -> bool:
    """Return whether this is a Python program, and not a notebook of ours, which says so in its first line."""
    file = Path(meant)
    if file.suffix != ".py" or not file.is_file():
        return False
    with file.open("rb") as opened:
        return not opened.readline().removeprefix(b"\xef\xbb\xbf").startswith(_NOTEBOOK)


def run_program(program: str, arguments: Sequence[str], workspace: Path | None, *, counts: bool = False) -> int:
    """Run a program, print a summary of what was kept to the standard error, and return the program's exit status."""
    place = workspace or Path(os.environ.get(VARIABLE) or Path(program).with_suffix(".whence"))
    os.environ[VARIABLE] = str(place.resolve())  # programs that call `whence.adopt` themselves use the same
    prepare_java()
    # Else Spark's tasks take the `python3` of the path, which may know nothing of whence's functions.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    outputs = ProgramOutputs(_context_in(place), counts=counts)
    with _arguments_of(program, arguments), observe_actions(program, outputs.watch, outputs.take_back):
        status = _run_as_main(program)
    sys.stdout.flush()
    for line in summary_lines(outputs.kept, place):
        print(line, file=sys.stderr)
    return status


def summary_lines(kept: Sequence[KeptOutput], place: Path) -> list[str]:
    """Return what was kept of a program, and how to ask about it."""
    if not kept:
        return ["whence: the program showed, collected and wrote no frame."]
    found = [each for each in kept if each.record is not None]
    lines = [f"whence: kept {len(found)} of {counted(len(kept), 'output')} in {place}"]
    lines += [f"  {each.sentence}" for each in kept]
    asked = next((each.record for each in found if each.record is not None and each.record.rows), None)
    if asked is not None:
        lines.append(f"Where a row came from: whence trace {shlex.quote(str(place))} {asked.name} 0")
    return lines


def _context_in(place: Path) -> Callable[[Frame], Context]:
    return lambda frame: open_for(frame, place).context


def _run_as_main(program: str) -> int:
    """Run the program as `python program.py` does, its traceback included, and return its exit status."""
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except Exception as error:  # the program's own, whatever it is
        _print_error(program, error)
        return 1
    return 0


def _print_error(program: str, error: Exception) -> None:
    """Print a traceback that begins in the program."""
    trace: TracebackType | None = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != program:
        trace = trace.tb_next
    traceback.print_exception(type(error), error, trace)


@contextmanager
def _arguments_of(program: str, arguments: Sequence[str]) -> Iterator[None]:
    """Let the program find its arguments, and modules beside it."""
    before = sys.argv, sys.path[:]
    sys.argv = [program, *arguments]
    sys.path[:] = [str(Path(program).resolve().parent), *sys.path]
    try:
        yield
    finally:
        sys.argv, sys.path[:] = before
