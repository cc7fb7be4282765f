"""Sends a call to a server over HTTP, reads the answer, and raises the errors that the server reports."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal
from urllib.parse import quote, urlencode, urlsplit

from pydantic import TypeAdapter

from whence.model.errors import WhenceError

Method = Literal["GET", "POST"]
Given = str | int | float | list[str] | None


class NoAnswer(WhenceError):
    """The server did not answer. A command that was sent may or may not have taken effect."""


class ApiError(WhenceError):
    """The server refused a call, or failed; `kind` is the name of its error."""

    def __init__(self, status: int, kind: str, message: str, hint: str = "", conflict: object = None) -> None:
        self.status = status
        self.kind = kind
        self.conflict = conflict
        """After two conflicting edits of a cell: both texts, and the version that keeps the later one."""
        super().__init__(message, hint)


class Connection:
    """The address and token of a server. Each call opens its own HTTP connection, so threads may share this object."""

    def __init__(self, address: str, token: str, timeout: float = 60) -> None:
        self.address = address.rstrip("/")
        self.token = token
        self._timeout = timeout

    def call(
        self,
        method: Method,
        path: str,
        *,
        query: Mapping[str, Given] | None = None,
        body: Mapping[str, object] | bytes | None = None,
        answer: object,
    ) -> Any:  # noqa: ANN401 - the generated calls say what it is
        """Send one request and return the answer, validated as the type `answer`; `str` and `bytes` as it is."""
        text = self._request(method, path + _query(query or {}), body)
        if answer is bytes:
            return text
        return text.decode() if answer is str else _reader(answer).validate_json(text)

    def _request(self, method: Method, target: str, body: Mapping[str, object] | bytes | None) -> bytes:
        """Send one request and return the body of the response. Raise an `ApiError` for a status from 400 on."""
        sent = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        headers = {"Authorization": f"Bearer {self.token}"} | ({"Content-Type": kind} if sent is not None else {})
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=self._timeout)
        try:
            connection.request(method, target, sent, headers)
            response = connection.getresponse()
            status, text = response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer(f"{self.address} does not answer: {error}.", "Is the server running?") from error
        finally:
            connection.close()
        if status >= 400:
            raise _refusal(status, text)
        return text


def path_part(value: object) -> str:
    """Quote a value as one part of a path. Slashes in it are quoted, too."""
    return quote(str(value), safe="")


def without_none(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values without those that are None."""
    return {name: value for name, value in values.items() if value is not None}


def _query(values: Mapping[str, Given]) -> str:
    # JSON's true and false: Python would write True and False.
    texts = {
        name: str(value).lower() if isinstance(value, bool) else value for name, value in without_none(values).items()
    }
    return f"?{urlencode(texts, doseq=True)}" if texts else ""


@cache
def _reader(answer: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - any type that pydantic reads
    return TypeAdapter(answer)


def _refusal(status: int, text: bytes) -> ApiError:
    try:
        error = json.loads(text)["error"]
        return ApiError(status, error["kind"], error["message"], error.get("hint", ""), error.get("conflict"))
    except (ValueError, KeyError, TypeError):
        return ApiError(status, "Unknown", f"The server answered {status}.")
