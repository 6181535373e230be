# SPDX-License-Identifier: Apache-2.0
"""The synchronous client. Any number of threads may use it at the same time."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any, Callable, Iterator, List, Optional, Tuple, Type, TypeVar

from . import _socket, calls, values
from ._client_calls import ClientCalls
from ._connection import Connection
from ._requests import EventQueue
from ._wire import Answer
from .calls import Call, Page
from .errors import AutofillError, ConnectionLost, Refused, Unavailable

T = TypeVar("T")
#: Seconds between attempts to connect while events are waited for: at first, and at most.
PAUSES = (0.1, 10.0)


class Client(ClientCalls):
    """A session of one app with autofilld.

    It continues when the daemon restarts: the next call connects again. A request whose answer was lost is sent again
    automatically if it is repeatable. Every call raises an AutofillError: Unavailable if there is no daemon, Refused with
    the reasons, ConnectionLost.
    """

    def __init__(self, bundle_id: str, socket_path: Optional[str] = None, *, patience: float = _socket.PATIENCE) -> None:
        self.bundle_id = bundle_id
        self._path = _socket.find(socket_path)
        self._patience = patience
        self._connecting = threading.Lock()
        self._closed = threading.Event()
        self._connection = Connection(bundle_id, self._path, patience)

    @property
    def greeting(self) -> values.Greeting:
        """The daemon's answer when the client last connected."""
        return self._connection.greeting

    def close(self) -> None:
        """Ends the session. All waiting calls fail. Repeatable."""
        self._closed.set()
        self._connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Client: {self.bundle_id}>"

    def perform(self, call: Call[T]) -> T:
        """Performs any call. It is sent again, once, if the connection was lost or the daemon stops, and the call is
        repeatable."""
        connection = self._connected()
        try:
            return connection.perform(call)
        except (ConnectionLost, Refused) as error:
            if isinstance(error, Refused):
                if not error.is_for("stopping"):
                    raise
                connection.is_retired = True
            if not call.is_repeatable or self._closed.is_set():
                raise
        return self._connected().perform(call)

    def call(self, method: str, **params: Any) -> Answer:
        """Calls any method of protocol.md. The parameters have the names there; those that are None are left out."""
        return self.perform(calls.plain(method, params))

    def _pages(self, call: Callable[[Optional[str]], Call[Page[T]]]) -> Tuple[T, ...]:
        items: List[T] = []
        cursor: Optional[str] = None
        while True:
            page, cursor = self.perform(call(cursor))
            items += page
            if cursor is None:
                return tuple(items)

    # ---- events

    def events(self) -> Iterator[values.Event]:
        """Returns the events from now on. The first is `stateChanged`, the current state, and so is the first after a restart
        of the daemon. The iterator ends when the session is closed."""
        pause = PAUSES[0]
        while not self._closed.is_set():
            queue = EventQueue()
            connection: Optional[Connection] = None
            try:
                connection = self._connected()
                state = connection.perform(calls.plain("event.subscribe", {}), queue)
                pause = PAUSES[0]
                yield values.Event("stateChanged", state["state"])
                while True:
                    event = queue.take()
                    if event is not None:
                        yield event
                    else:
                        connection.next_event(queue)
            except AutofillError as error:
                # An app that is no longer accepted has no more events.
                if not (isinstance(error, (ConnectionLost, Unavailable)) or error.is_for("stopping")):
                    raise
                if connection is not None and error.is_for("stopping"):
                    connection.is_retired = True
            finally:
                if connection is not None:
                    connection.stop_listening(queue)
            if self._closed.wait(pause):
                return
            pause = min(pause * 2, PAUSES[1])

    # ---- the connection

    def _connected(self) -> Connection:
        with self._connecting:
            if self._closed.is_set():
                raise ConnectionLost("the session was closed")
            if not self._connection.is_usable:
                self._connection = Connection(self.bundle_id, self._path, self._patience)
            return self._connection
