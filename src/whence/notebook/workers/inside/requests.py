"""The requests of a running cell to the server: for rows, frames and files, and to store what it made."""

from __future__ import annotations

import contextlib
import importlib
import os
from pathlib import Path
from typing import Any

from whence.notebook.workers.channel import Channel, Message
from whence.notebook.workers.inside.streams import Output


class Refused(Exception):
    """The server refused a request. The user sees the message, which says why, without the name of this class."""


class Requests:
    """Sends requests to the server and waits for each answer."""

    def __init__(self, channel: Channel, output: Output, folder: Path, connect: dict[str, Any] | None) -> None:
        self._channel = channel
        self._output = output
        self._folder = folder
        self._connect = connect
        self._session: Any = None
        self._files = 0

    def describe(self, name: str) -> Message:
        """Return version, columns, label and number of rows of a dataset."""
        return self._ask({"t": "describe", "name": name})

    def parts(self, name: str) -> list[int]:
        """Return the part files of a dataset, which the server opens: a cell can read no dataset it did not ask for."""
        answer = self._ask({"t": "rows", "name": name})
        return self._channel.take(int(str(answer["files"])))

    def file(self, path: str) -> int:
        """Return the descriptor of a file of the workspace, which the server opens."""
        self._ask({"t": "file", "path": path})
        return self._channel.take(1)[0]

    def parameter(self, name: str) -> None:
        """Tell the server that the cell read a parameter."""
        self._output.message({"t": "used", "name": name})

    def frame(self, name: str) -> Any:  # noqa: ANN401 - a PySpark DataFrame
        """Return a dataset as a PySpark DataFrame."""
        return self.session.table(f"global_temp.{self._ask({'t': 'frame', 'name': name})['view']}")

    @property
    def session(self) -> Any:  # noqa: ANN401 - a PySpark session
        """The Spark session of this run, over Spark Connect. The first use starts Spark if it is not running."""
        if self._session is None:
            answer = self._ask({"t": "spark"})
            connect = importlib.import_module("whence.engine.worker.connect")
            self._session = connect.connect_session(answer["address"], answer["token"])
        return self._session

    def stop_spark(self) -> None:
        """Interrupt what Spark still does for a cell that was stopped."""
        if self._session is not None:
            with contextlib.suppress(Exception):
                self._session.interruptAll()

    def keep_frame(self, name: str, frame: Any) -> None:  # noqa: ANN401 - a PySpark DataFrame
        """Ask the server to make a dataset of a PySpark DataFrame."""
        view = self._ask({"t": "result", "name": name})["view"]
        frame.createOrReplaceGlobalTempView(view)

    def keep_table(self, name: str, table: Any, index_of: str | None) -> None:  # noqa: ANN401 - an Arrow table
        """Ask the server to make a dataset of a table. With `index_of`, its last column holds rows of that version."""
        pyarrow = importlib.import_module("pyarrow")
        path = self._folder / f"{self._files}.arrow"
        self._files += 1
        with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
        self._ask({"t": "table", "name": name, "file": path.name, "index_of": index_of})

    def say(self, message: Message) -> None:
        """Send a message with something that takes effect when the cell ends well."""
        self._ask(message)

    def _ask(self, message: Message) -> Message:
        answer = self._output.ask(message)
        if answer["t"] == "refused":
            raise Refused(str(answer["message"]))
        return answer


def opened(descriptor: int, mode: str, encoding: str | None) -> Any:  # noqa: ANN401 - text or bytes
    """Return a file object for a descriptor."""
    return os.fdopen(descriptor, mode, encoding=encoding)
