# SPDX-License-Identifier: Apache-2.0
"""One connection for asyncio, read by a task of its own."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import Any, Mapping, Optional, TypeVar

from . import _socket, _wire, calls, values
from ._requests import PendingRequests, EventQueue, Slot
from .calls import Call
from .errors import AutofillError, ConnectionLost, NotResponding

T = TypeVar("T")


class _Waiter(Slot):
    """A slot that a task waits for."""

    def __init__(self, queue: Optional[EventQueue]) -> None:
        super().__init__(queue)
        self.future: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()

    def finish(self, line: Mapping[str, Any]) -> None:
        if not self.future.done():
            self.future.set_result(line)

    def fail(self, error: AutofillError) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class AsyncConnection:
    """A socket to the daemon, read by a task of its own."""

    greeting: values.Greeting

    def __init__(self, made: socket.socket, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.process = os.getpid()
        self._socket = made
        self.is_retired = False
        self._line_bytes = _wire.LINE_BYTES
        self._requests = PendingRequests()
        self._writer = writer
        self._sending = asyncio.Lock()
        #: Set whenever bytes were received.
        self._news = asyncio.Event()
        self._task = asyncio.ensure_future(self._read(reader))

    @classmethod
    async def open(cls, bundle_id: str, path: str, patience: float) -> AsyncConnection:
        loop = asyncio.get_running_loop()
        # Not on the loop: it may block while the listen queue is full.
        made = await loop.run_in_executor(None, _socket.connect, path, patience)
        connection = cls(made, *await asyncio.open_unix_connection(sock=made))
        try:
            connection.greeting = await asyncio.wait_for(connection.perform(calls.hello(bundle_id)), patience)
        except BaseException as error:
            connection.close()
            # With socket activation the connection is made by systemd, and lost if the daemon cannot start.
            if isinstance(error, (ConnectionLost, asyncio.TimeoutError)):
                raise NotResponding() from None
            raise
        connection._line_bytes = connection.greeting.line_bytes
        return connection

    @property
    def is_usable(self) -> bool:
        return self._requests.ended is None and not self.is_retired and self.process == os.getpid()

    async def perform(self, call: Call[T], queue: Optional[EventQueue] = None) -> T:
        waiter = _Waiter(queue)
        number = self._requests.begin(waiter)
        is_sent = False
        try:
            line = _wire.encode(number, call.method, call.params, self._line_bytes)
            async with self._sending:
                is_sent = True
                self._writer.write(line)
                await self._writer.drain()
            answer = await waiter.future
        except ConnectionError:
            # Writing found that the connection is lost.
            self._end(ConnectionLost("the connection to autofilld was lost"))
            answer = await waiter.future
        finally:
            if self._requests.forget(number) and is_sent and self._requests.ended is None:
                self._writer.write(_wire.encode(None, "request.cancel", {"id": number}))
        return call.read(_wire.result(answer))

    async def next_event(self, queue: EventQueue) -> values.Event:
        while True:
            event = queue.take()
            if event is not None:
                return event
            if self._requests.ended is not None:
                raise self._requests.ended
            self._news.clear()
            await self._news.wait()

    def stop_listening(self, queue: EventQueue) -> None:
        self._requests.stop_listening(queue)

    def close(self) -> None:
        if self.process != os.getpid():
            # In a forked child the selector is the parent's too: its registrations must not be removed.
            self._socket.close()
            return
        self._end(ConnectionLost("the connection was closed"))
        self._task.cancel()
        self._writer.close()

    def _end(self, error: AutofillError) -> None:
        self._requests.end(error)
        self._news.set()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        error: AutofillError = ConnectionLost("the connection to autofilld was lost")
        try:
            while True:
                received = await reader.read(65_536)
                if not received:
                    break
                self._requests.receive(received)
                self._news.set()
        except AutofillError as failure:
            error = failure
        except OSError:
            pass
        self._end(error)
        self._writer.close()
