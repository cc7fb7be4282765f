"""Turns errors into responses: the HTTP status of each, and the one JSON shape that all share."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from whence.model.errors import (
    DamagedFile,
    EditConflict,
    EngineLost,
    InternalError,
    NotSupported,
    UnknownChart,
    UnknownColumn,
    UnknownDataset,
    UnknownNotebook,
    UnknownQuestion,
    UnknownRow,
    UnknownShare,
    UnknownSheet,
    WhenceError,
    WorkspaceInUse,
)
from whence.wire.errors import Conflict, ErrorBody, ErrorDetail

LOG = logging.getLogger("whence.server")

STATUS: tuple[tuple[type[WhenceError], int], ...] = (
    (UnknownNotebook, 404),
    (UnknownSheet, 404),
    (UnknownShare, 404),
    (UnknownChart, 404),
    (UnknownQuestion, 404),
    (EditConflict, 409),
    (UnknownDataset, 404),
    (UnknownColumn, 404),
    (UnknownRow, 404),
    (WorkspaceInUse, 409),
    (NotSupported, 422),
    (InternalError, 500),
    (DamagedFile, 500),
    (EngineLost, 503),
    (WhenceError, 400),
)
"""The status of each family of errors. The first match wins, so a subclass stands above its base class."""

KINDS = {401: "NotSignedIn", 404: "NotFound", 405: "WrongMethod"}


def answer(status: int, kind: str, message: str, hint: str = "", conflict: Conflict | None = None) -> JSONResponse:
    """Return an error response."""
    body = ErrorBody(error=ErrorDetail(kind=kind, message=message, hint=hint, conflict=conflict))
    return JSONResponse(body.model_dump(exclude_none=True), status_code=status)


def add_error_handlers(app: FastAPI) -> None:
    """Make the app answer every error of a route, and every unknown path, in the one JSON shape."""
    app.add_exception_handler(WhenceError, _whence)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


async def _whence(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, WhenceError)
    status = next(status for family, status in STATUS if isinstance(error, family))
    if status >= 500:
        LOG.error("%s: %s", type(error).__name__, error, exc_info=error)
    return answer(status, type(error).__name__, error.message, error.hint, _conflict(error))


def _conflict(error: WhenceError) -> Conflict | None:
    if not isinstance(error, EditConflict):
        return None
    return Conflict(cell=error.cell, mine=error.mine, theirs=error.theirs, side_version=error.side_version)


async def _malformed(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    return answer(422, "BadRequest", f"The parameter {place} is not right: {first['msg']}.")


async def _http(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return answer(error.status_code, KINDS.get(error.status_code, "BadRequest"), f"{error.detail}.")


async def _unexpected(_request: Request, _error: Exception) -> JSONResponse:
    return answer(500, "InternalError", "Something went wrong inside whence.", "The server's log has the details.")
