# SPDX-License-Identifier: Apache-2.0
"""The client for asyncio. All calls may be made at the same time; a cancelled task cancels its request."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, AsyncIterator, Callable, List, Optional, Tuple, Type, TypeVar

from . import _socket, calls, values
from ._aio_calls import AsyncClientCalls
from ._aio_connection import AsyncConnection
from ._requests import EventQueue
from ._wire import Answer
from .calls import Call, Page
from .client import PAUSES
from .errors import AutofillError, ConnectionLost, Refused, Unavailable

T = TypeVar("T")


class AsyncClient(AsyncClientCalls):
    """A session of one app with autofilld: Client for asyncio.

        async with AsyncClient("org.example.Shop") as client:
            filled = await client.fill(service="shop.example.com", fields=form)
    """

    def __init__(self, bundle_id: str, socket_path: Optional[str] = None, *, patience: float = _socket.PATIENCE) -> None:
        self.bundle_id = bundle_id
        self._socket_path = socket_path
        self._patience = patience
        self._connection: Optional[AsyncConnection] = None
        self._attempt: Optional[asyncio.Task[AsyncConnection]] = None
        self._closed = False

    async def connect(self) -> values.Greeting:
        """Connects, if not connected yet. Every call does so automatically."""
        return (await self._connected()).greeting

    async def close(self) -> None:
        """Ends the session. All waiting calls fail. Repeatable."""
        self._closed = True
        if self._connection is not None:
            self._connection.close()

    async def __aenter__(self) -> AsyncClient:
        await self.connect()
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncClient: {self.bundle_id}>"

    async def perform(self, call: Call[T]) -> T:
        """Performs any call. It is sent again, once, if the connection was lost or the daemon stops, and the call is
        repeatable."""
        connection = await self._connected()
        try:
            return await connection.perform(call)
        except (ConnectionLost, Refused) as error:
            if isinstance(error, Refused):
                if not error.is_for("stopping"):
                    raise
                connection.is_retired = True
            if not call.is_repeatable or self._closed:
                raise
        return await (await self._connected()).perform(call)

    async def call(self, method: str, **params: Any) -> Answer:
        """Calls any method of protocol.md. The parameters have the names there; those that are None are left out."""
        return await self.perform(calls.plain(method, params))

    async def _pages(self, call: Callable[[Optional[str]], Call[Page[T]]]) -> Tuple[T, ...]:
        items: List[T] = []
        cursor: Optional[str] = None
        while True:
            page, cursor = await self.perform(call(cursor))
            items += page
            if cursor is None:
                return tuple(items)

    # ---- events

    async def events(self) -> AsyncIterator[values.Event]:
        """Returns the events from now on: see Client.events."""
        pause = PAUSES[0]
        while not self._closed:
            queue = EventQueue()
            connection: Optional[AsyncConnection] = None
            try:
                connection = await self._connected()
                state = await connection.perform(calls.plain("event.subscribe", {}), queue)
                pause = PAUSES[0]
                yield values.Event("stateChanged", state["state"])
                while True:
                    yield await connection.next_event(queue)
            except AutofillError as error:
                # An app that is no longer accepted has no more events.
                if not (isinstance(error, (ConnectionLost, Unavailable)) or error.is_for("stopping")):
                    raise
                if connection is not None and error.is_for("stopping"):
                    connection.is_retired = True
            finally:
                if connection is not None:
                    connection.stop_listening(queue)
            if not self._closed:
                await asyncio.sleep(pause)
                pause = min(pause * 2, PAUSES[1])

    # ---- the connection

    async def _connected(self) -> AsyncConnection:
        while True:
            if self._closed:
                raise ConnectionLost("the session was closed")
            if self._connection is not None and self._connection.is_usable:
                return self._connection
            # One attempt for all calls that need it. The cancellation of one call does not end it for the others.
            if self._attempt is None:
                self._attempt = asyncio.ensure_future(self._open())
                self._attempt.add_done_callback(self._attempted)
            await asyncio.shield(self._attempt)

    async def _open(self) -> AsyncConnection:
        path = _socket.find(self._socket_path)
        return await AsyncConnection.open(self.bundle_id, path, self._patience)

    def _attempted(self, attempt: asyncio.Task[AsyncConnection]) -> None:
        self._attempt = None
        if not attempt.cancelled() and attempt.exception() is None:
            self._connection = attempt.result()
            if self._closed:
                self._connection.close()
