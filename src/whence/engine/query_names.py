"""Manages the temporary views of a session: names of dataset versions in scope, and short-lived names of frames."""

from __future__ import annotations

import re
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from pyspark.sql import DataFrame, SparkSession

from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.model.schema import INTERNAL_PREFIX
from whence.plan.sql_tokens import computes_names


class QueryNames:
    """The temporary views of one session.

    Spark resolves names while it analyses a query. Callers hold `lock` from `put_in_scope` until the analysis is done.
    """

    def __init__(self, session: Callable[[], SparkSession], frame: Callable[[DatasetRecord], DataFrame]) -> None:
        self._session = session
        self._frame = frame
        self._named: dict[str, DatasetId] = {}
        """The dataset version behind each view that exists now, by name in lower case."""
        self.lock = threading.RLock()
        self.placeholders: set[str] = set()
        """Internal names that queries of whence's own use. The SQL guard lets them pass."""

    def give(self, name: str, frame: DataFrame) -> None:
        """Register a frame as a temporary view under a name."""
        frame.createOrReplaceTempView("`" + name.replace("`", "``") + "`")
        if name.startswith(INTERNAL_PREFIX):
            self.placeholders.add(name)

    def put_in_scope(self, text: str, scope: Mapping[str, DatasetRecord]) -> None:
        """Make the names in a query refer to these dataset versions. Drop views of datasets that are not in scope."""
        for name in possible_names(scope, text):
            record = scope[name]
            if self._named.get(name.lower()) != record.id:  # Spark compares names without case
                self.give(name, self._frame(record))
                self._named[name.lower()] = record.id
        seen = {name.lower() for name in scope}
        for key in possible_names([each for each in self._named if each not in seen], text):
            self.drop(key)

    def drop(self, name: str) -> None:
        """Drop the view of a dataset, if there is one. The next query that names the dataset makes it anew."""
        with self.lock:
            self._session().catalog.dropTempView(name)
            self._named.pop(name.lower(), None)

    @contextmanager
    def temporary(self) -> Iterator[Callable[[DataFrame], str]]:
        """Give a function that registers frames under random names. The block's end drops them."""
        names: list[str] = []

        def give(frame: DataFrame) -> str:
            names.append(f"__whence_now_{uuid.uuid4().hex}")
            self.give(names[-1], frame)
            return names[-1]

        try:
            yield give
        finally:
            for name in names:
                self._session().catalog.dropTempView(name)
                self.placeholders.discard(name)

    @contextmanager
    def view(self, frame: DataFrame) -> Iterator[str]:
        """Register a frame under a random name while the block runs, and give the name."""
        name = f"__whence_given_{uuid.uuid4().hex}"
        frame.createOrReplaceTempView(name)
        try:
            yield name
        finally:
            self._session().catalog.dropTempView(name)

    def clear(self) -> None:
        """Drop the names of a session that has ended."""
        self._named.clear()


def possible_names(names: Iterable[str], text: str) -> list[str]:
    """Return which of these names a query may mean: those that stand in it, or all if it computes a name."""
    return list(names) if computes_names(text) else [name for name in names if stands_in(name, text)]


def stands_in(name: str, text: str) -> bool:
    """Return whether a text contains a name as a word, quoted or not; else it refers to it only by a computed name."""
    return any(
        spelled.casefold() in text.casefold()  # there may be thousands of names, and patterns take time to compile
        and re.search(rf"(?<!\w){re.escape(spelled)}(?!\w)", text, re.IGNORECASE)
        for spelled in {name, name.replace("`", "``")}
    )
