from __future__ import annotations

import pytest

from tests.server.asgi import request
from tests.server.conftest import HOST, TOKEN, Site, bearer
from whence.model import errors
from whence.server.app import create_app


class Broken:
    """A workspace that fails in one way."""

    is_engine_running = False
    seconds_starting = None

    def __init__(self, error: Exception) -> None:
        self._error = error

    def datasets(self) -> list[object]:
        raise self._error

    def shared(self, _token: str) -> None:
        return None


@pytest.mark.parametrize(
    ("url", "status", "kind"),
    [
        ("/nope", 404, "NotFound"),
        ("/assets/nope.js", 404, "NotFound"),
        ("/assets/../../app.py", 404, "NotFound"),
        ("/api/datasets/nope/page", 404, "UnknownDataset"),
        ("/api/datasets/prices/page?version=9", 404, "UnknownDataset"),
        ("/api/datasets/prices/page?limit=1001", 422, "BadRequest"),
        ("/api/datasets/prices/page?offset=-1", 422, "BadRequest"),
        ("/api/datasets/prices/page?offset=9999999999999999999999", 422, "BadRequest"),
        ("/api/datasets/prices/cell", 422, "BadRequest"),
        ("/api/datasets/prices/cell?row=0&column=nope", 404, "UnknownColumn"),
        ("/api/datasets/prices/cell?row=8&column=price", 404, "UnknownRow"),
        ("/api/datasets/prices/next-doubt?row=8&column=price", 404, "UnknownRow"),
        ("/api/datasets/prices/next-doubt?direction=up", 422, "BadRequest"),
    ],
)
def test_what_is_asked_wrongly_gets_the_one_error_shape(site: Site, url: str, status: int, kind: str) -> None:
    answer = site.get(url)
    error = answer.json()["error"]
    assert isinstance(error, dict)
    assert (answer.status, error["kind"], set(error)) == (status, kind, {"kind", "message", "hint"})
    assert error["message"]


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.BadInput("Bad.", "Do this."), 400),
        (errors.NotRelated("Bad.", "Do this."), 400),
        (errors.NotSupported("Bad.", "Do this."), 422),
        (errors.WorkspaceInUse("Bad.", "Do this."), 409),
        (errors.InternalError("Bad.", "Do this."), 500),
        (errors.DamagedFile("Bad.", "Do this."), 500),
        (errors.EngineLost("Bad.", "Do this."), 503),
    ],
)
def test_each_family_of_errors_has_its_status(error: errors.WhenceError, status: int) -> None:
    app = create_app(Broken(error), TOKEN)  # type: ignore[arg-type]
    answer = request(app, "GET", "/api/datasets", [(b"host", HOST), bearer(TOKEN)])
    expected = {"kind": type(error).__name__, "message": "Bad.", "hint": "Do this."}
    assert (answer.status, answer.json()["error"]) == (status, expected)


def test_an_unexpected_error_tells_nothing_of_the_inside() -> None:
    app = create_app(Broken(ZeroDivisionError("secret path")), TOKEN)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):  # Passed on, so that the server logs it.
        request(app, "GET", "/api/datasets", [(b"host", HOST), bearer(TOKEN)])
