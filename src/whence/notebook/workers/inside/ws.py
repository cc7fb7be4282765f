"""The `ws` of a Python cell: datasets by name, parameters, files and exported functions."""

from __future__ import annotations

import json
import linecache
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any, TypeVar

from whence.model.suggestion import suggest_dataset
from whence.notebook.workers.inside.exported import returned_type, standing_alone
from whence.notebook.workers.inside.handle import DatasetDescription, Handle
from whence.notebook.workers.inside.outgoing import outgoing
from whence.notebook.workers.inside.requests import Refused, Requests, opened

CELL = "<cell>"
"""The name under which the text of the cell is compiled."""

F = TypeVar("F", bound=Callable[..., Any])


class UnknownName(Refused, KeyError):
    """There is no dataset or parameter of this name. Code may catch it as a KeyError."""

    # KeyError would show the message in quotes.
    def __str__(self) -> str:
        return str(self.args[0])


class Ws:
    """The workspace as a cell sees it: `ws["name"]` reads a dataset, `ws["name"] = frame` makes one.

    If the cell fails, nothing that it made is kept.
    """

    def __init__(self, names: list[str], parameters: dict[str, object], requests: Requests) -> None:
        self._names = {_key(name): name for name in names}
        self._requests = requests
        self._own: dict[str, object] = {}
        self._dropped: set[str] = set()
        self._handles: dict[str, Handle] = {}
        self._indexes: dict[str, str] = {}
        """The label of the dataset version behind each name of a pandas index."""
        self._text = CELL
        self.parameters = Parameters(parameters, requests)

    def renew(self, names: list[str], parameters: dict[str, object], text: str) -> None:
        """Prepare for another cell in the same interpreter: the names and parameters that it sees, and its file name.

        Frames that earlier cells read keep the identity of their rows, so `_indexes` stays.
        """
        self._names = {_key(name): name for name in names}
        self._own, self._dropped, self._handles = {}, set(), {}
        self._text = text
        self.parameters.renew(parameters)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - a Handle, or what the cell itself assigned
        key = _key(name)
        if key in self._own:
            return self._own[key]
        if key not in self._names or key in self._dropped:
            raise UnknownName(f"No dataset is named {name} here. {suggest_dataset(name, self)}")
        if key not in self._handles:
            made = self._handles[key] = Handle(self._describe(self._names[key]), self._requests)
            self._indexes[made.index_name] = made.label
        return self._handles[key]

    def __setitem__(self, name: str, value: object) -> None:
        if not str(name).strip():
            raise ValueError("The name of a dataset cannot be empty.")
        if isinstance(value, Handle):
            self._requests.say({"t": "same", "name": name, "as": value.label})
        elif _is_spark(value):
            self._requests.keep_frame(name, value)
        else:
            self._requests.keep_table(name, *outgoing(value, self._indexes))
        self._own[_key(name)] = value
        self._dropped.discard(_key(name))

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise UnknownName(f"No dataset is named {name} here. {suggest_dataset(name, self)}")
        self._requests.say({"t": "drop", "name": name})
        self._own.pop(_key(name), None)
        self._dropped.add(_key(name))

    def __contains__(self, name: object) -> bool:
        key = _key(str(name))
        return (key in self._names or key in self._own) and key not in self._dropped

    def __iter__(self) -> Iterator[str]:
        return iter(name for key, name in self._names.items() if key not in self._dropped)

    def _describe(self, name: str) -> DatasetDescription:
        told: Any = self._requests.describe(name)
        columns = tuple((column, kind) for column, kind in told["columns"])
        return DatasetDescription(name, told["version"], told["rows"], columns, told["label"])

    def datasets(self) -> list[Handle]:
        """Return every dataset the cell sees, without those it assigned itself."""
        return [self[name] for name in self if _key(name) not in self._own]

    @property
    def spark(self) -> Any:  # noqa: ANN401 - a PySpark session
        """A PySpark session; frames made from datasets by `ws["name"].df` keep exact lineage."""
        return self._requests.session

    def open(self, path: str, mode: str = "rb", encoding: str | None = None) -> Any:  # noqa: ANN401
        """Open a file of the workspace for reading: `pd.read_csv(ws.open("rates.csv"))`."""
        if mode not in ("r", "rb", "rt"):
            raise ValueError("Files of the workspace can only be read; a cell makes datasets.")
        return opened(self._requests.file(path), mode, encoding if "b" in mode else encoding or "utf-8")

    def export(self, function: F | None = None, *, returns: str | None = None) -> Any:  # noqa: ANN401
        """Let cells below call a function: in Python by its name, in SQL as a function of that name.

        Use it as `ws.export(f)` or as a decorator; `returns` is the SQL type of what it gives, by default taken from
        its annotation. SQL hands over one value for each argument and runs the function wherever Spark runs.
        """
        if function is None:
            return lambda given: self.export(given, returns=returns)
        name = getattr(function, "__name__", "")
        source = standing_alone("".join(linecache.getlines(self._text)), name)
        if source is None:
            raise TypeError("Only a function that this cell defines with def, outside others, can be exported.")
        type_name = returns or returned_type(source, name)
        self._requests.say({"t": "export", "name": name, "source": source, "returns": type_name})
        return function


class Parameters(MutableMapping[str, object]):
    """The notebook's parameters; assigning one sets it for the cells below."""

    def __init__(self, values: dict[str, object], requests: Requests) -> None:
        self._values = {_key(name): (name, value) for name, value in values.items()}
        self._requests = requests

    def renew(self, values: dict[str, object]) -> None:
        """Replace all values by those that the next cell sees."""
        self._values = {_key(name): (name, value) for name, value in values.items()}

    def __getitem__(self, name: str) -> object:
        if _key(name) not in self._values:
            there = ", ".join(sorted(each for each, _ in self._values.values())) or "none"
            raise UnknownName(f"No parameter is named {name} here. There are: {there}.")
        self._requests.parameter(name)
        return self._values[_key(name)][1]

    def __setitem__(self, name: str, value: object) -> None:
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise TypeError(f"The parameter {name} must be a number, a text, or a list or mapping of these.") from error
        self._requests.say({"t": "parameter", "name": name, "value": value})
        self._values[_key(name)] = name, value

    def __delitem__(self, name: str) -> None:
        raise TypeError("A parameter cannot be deleted by a cell.")

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._values.values())

    def __len__(self) -> int:
        return len(self._values)


def _key(name: str) -> str:
    return name.strip().lower()


def _is_spark(value: object) -> bool:
    return type(value).__module__.startswith("pyspark.sql") and hasattr(value, "createOrReplaceGlobalTempView")
