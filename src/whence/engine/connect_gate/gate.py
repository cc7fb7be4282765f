"""The gate: a service like Spark Connect that checks what Python cells ask, and passes it on.

Each cell gets a token of its own, for its own session. The token of Spark Connect itself never leaves the server.
"""

from __future__ import annotations

import hmac
import os
import secrets
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NoReturn

import grpc
from pyspark.sql.connect.proto import base_pb2

from whence.engine.connect_gate.allowed import REFUSED_CALLS
from whence.engine.connect_gate.check_request import TextCheck, check_request
from whence.engine.connect_gate.visitor import Visitor
from whence.model.errors import BadQuery, UserError

_SERVICE = base_pb2.DESCRIPTOR.services_by_name["SparkConnectService"]
_AUTHORIZATION = "authorization"
_CALLS_AT_ONCE = 64
# Rows travel in large messages; Spark limits their sizes itself.
_OPTIONS = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.so_reuseport", 0),
)


class ConnectGate:
    """A service for Python cells on one port, before the Spark Connect on another."""

    def __init__(self, port: int, spark_port: int, spark_token: str, texts: Callable[[], TextCheck]) -> None:
        self._visitors: dict[str, Visitor] = {}
        self._lock = threading.Lock()
        os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # else each process that is started is told of on stderr
        self._channel = grpc.insecure_channel(f"127.0.0.1:{spark_port}", _OPTIONS)
        self._metadata = ((_AUTHORIZATION, f"Bearer {spark_token}"),)
        self._texts = texts
        self._server = grpc.server(ThreadPoolExecutor(_CALLS_AT_ONCE, "connect-gate"), options=_OPTIONS)
        handlers = {method.name: self._handler(method) for method in _SERVICE.methods}
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE.full_name, handlers),))
        try:
            self._server.add_insecure_port(f"127.0.0.1:{port}")
        except RuntimeError as error:
            raise UserError(f"Port {port}, at which cells reach Spark, was taken meanwhile.", "Start again.") from error
        self._server.start()

    def admit(self, visitor: Visitor) -> str:
        """Let a cell in, and return its token."""
        token = secrets.token_hex(32)
        with self._lock:
            self._visitors[token] = visitor
        return token

    def dismiss(self, session: str) -> None:
        """Let the cell with this session in no more."""
        with self._lock:
            self._visitors = {token: each for token, each in self._visitors.items() if each.session != session}

    def close(self) -> None:
        """End the service and all calls that it passes on."""
        self._server.stop(None)
        self._channel.close()

    def _handler(self, method: Any) -> Any:  # noqa: ANN401 - gRPC has no types
        kind, read = _kind_of(method), getattr(base_pb2, method.input_type.name).FromString
        onward = getattr(self._channel, kind)(f"/{_SERVICE.full_name}/{method.name}")
        pass_on = {
            "unary_unary": self._pass_one,
            "unary_stream": self._pass_rows,
            "stream_unary": self._pass_parts,
        }[kind]
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        return make(partial(pass_on, method.name, onward), request_deserializer=read)

    def _pass_one(self, name: str, onward: Any, request: Any, context: Any) -> bytes:  # noqa: ANN401
        self._check(name, request, context)
        try:
            answer: bytes = onward(request.SerializeToString(), metadata=self._metadata)
        except grpc.RpcError as error:
            _fail_alike(context, error)
        return answer

    def _pass_rows(self, name: str, onward: Any, request: Any, context: Any) -> Iterator[bytes]:  # noqa: ANN401
        self._check(name, request, context)
        answers = onward(request.SerializeToString(), metadata=self._metadata)
        context.add_callback(answers.cancel)  # when the cell has gone, Spark need not go on
        try:
            yield from answers
        except grpc.RpcError as error:
            _fail_alike(context, error)

    def _pass_parts(self, name: str, onward: Any, requests: Any, context: Any) -> bytes:  # noqa: ANN401
        refused: list[BadQuery] = []

        def checked() -> Iterator[bytes]:
            try:
                for request in requests:
                    self._check_one(name, request, context)
                    yield request.SerializeToString()
            except BadQuery as error:
                refused.append(error)
                raise

        try:
            answer: bytes = onward(checked(), metadata=self._metadata)
        except grpc.RpcError as error:
            if refused:
                context.abort(grpc.StatusCode.PERMISSION_DENIED, str(refused[0]))
            _fail_alike(context, error)
        return answer

    def _check(self, name: str, request: Any, context: Any) -> None:  # noqa: ANN401
        try:
            self._check_one(name, request, context)
        except BadQuery as error:
            context.abort(grpc.StatusCode.PERMISSION_DENIED, str(error))

    def _check_one(self, name: str, request: Any, context: Any) -> None:  # noqa: ANN401
        visitor = self._visitor(context)
        if name in REFUSED_CALLS:
            raise BadQuery("A cell has one Spark session, and can make no other.")
        check_request(request, visitor, self._texts())

    def _visitor(self, context: Any) -> Visitor:  # noqa: ANN401
        shown = dict(context.invocation_metadata()).get(_AUTHORIZATION, "")
        with self._lock:
            visitors = list(self._visitors.items())
        for token, visitor in visitors:
            if hmac.compare_digest(shown.encode(), f"Bearer {token}".encode()):
                return visitor
        context.abort(grpc.StatusCode.UNAUTHENTICATED, "Spark is for cells that run now.")
        raise AssertionError  # abort raises


def _kind_of(method: Any) -> str:  # noqa: ANN401
    return f"{'stream' if method.client_streaming else 'unary'}_{'stream' if method.server_streaming else 'unary'}"


def _fail_alike(context: Any, error: Any) -> NoReturn:  # noqa: ANN401
    """Fail as Spark did. The client finds its error's details by what travels at the end."""
    context.set_trailing_metadata(error.trailing_metadata() or ())
    context.abort(error.code(), error.details())
    raise AssertionError  # abort raises
