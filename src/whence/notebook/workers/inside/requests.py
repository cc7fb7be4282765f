"""What a cell asks of the server while it runs: rows, frames, files, and to keep what it made."""

from __future__ import annotations

import contextlib
import importlib
import os
from pathlib import Path
from typing import Any

from whence.notebook.workers.channel import Channel, Message
from whence.notebook.workers.inside.streams import Output


class Refused(Exception):
    """The server says no; the message says why. Shown to the user without the frames above it."""


class Requests:
    """Questions to the server, each answered before the cell goes on."""

    def __init__(self, channel: Channel, output: Output, folder: Path, connect: dict[str, Any] | None) -> None:
        self._channel = channel
        self._output = output
        self._folder = folder
        self._connect = connect
        self._session: Any = None
        self._files = 0

    def describe(self, name: str) -> Message:
        """What is known of a dataset before any row of it is read."""
        return self._ask({"t": "describe", "name": name})

    def parts(self, name: str) -> list[int]:
        """The part files of a dataset, opened by the server: a cell can read no dataset it did not ask for."""
        answer = self._ask({"t": "rows", "name": name})
        return self._channel.take(int(str(answer["files"])))

    def file(self, path: str) -> int:
        """A file of the workspace, opened by the server."""
        self._ask({"t": "file", "path": path})
        return self._channel.take(1)[0]

    def parameter(self, name: str) -> None:
        """Tell that a parameter was read."""
        self._output.message({"t": "used", "name": name})

    def frame(self, name: str) -> Any:  # noqa: ANN401 - a PySpark DataFrame
        """A dataset as a PySpark DataFrame."""
        return self.session.table(f"global_temp.{self._ask({'t': 'frame', 'name': name})['view']}")

    @property
    def session(self) -> Any:  # noqa: ANN401 - a PySpark session
        """The Spark session of this run, over Spark Connect; Spark starts if it has not."""
        if self._session is None:
            answer = self._ask({"t": "spark"})
            connect = importlib.import_module("whence.engine.worker.connect")
            self._session = connect.connect_session(answer["address"], answer["token"])
        return self._session

    def stop_spark(self) -> None:
        """End what Spark still does for a cell that was stopped."""
        if self._session is not None:
            with contextlib.suppress(Exception):
                self._session.interruptAll()

    def keep_frame(self, name: str, frame: Any) -> None:  # noqa: ANN401 - a PySpark DataFrame
        """Make a dataset of a PySpark DataFrame."""
        view = self._ask({"t": "result", "name": name})["view"]
        frame.createOrReplaceGlobalTempView(view)

    def keep_table(self, name: str, table: Any, index_of: str | None) -> None:  # noqa: ANN401 - an Arrow table
        """Make a dataset of a table; its last column says which row of the version `index_of` a row is, if given."""
        pyarrow = importlib.import_module("pyarrow")
        path = self._folder / f"{self._files}.arrow"
        self._files += 1
        with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
        self._ask({"t": "table", "name": name, "file": path.name, "index_of": index_of})

    def say(self, message: Message) -> None:
        """Something to keep when the cell ends well."""
        self._ask(message)

    def _ask(self, message: Message) -> Message:
        answer = self._output.ask(message)
        if answer["t"] == "refused":
            raise Refused(str(answer["message"]))
        return answer


def opened(descriptor: int, mode: str, encoding: str | None) -> Any:  # noqa: ANN401 - text or bytes
    """A descriptor as a file object."""
    return os.fdopen(descriptor, mode, encoding=encoding)
