# SPDX-License-Identifier: Apache-2.0
"""One connection, for any number of threads. A thread that waits reads for all, so no thread of its own is needed."""

from __future__ import annotations

import os
import select
import socket
import threading
import time
from typing import Callable, Optional, TypeVar

from . import _socket, _wire
from ._requests import PendingRequests, EventQueue, Slot
from .calls import Call, hello
from .errors import AutofillError, ConnectionLost, NotResponding

T = TypeVar("T")


class Connection:
    """A socket to the daemon on which `hello` was sent."""

    def __init__(self, bundle_id: str, path: str, patience: float) -> None:
        #: A forked child is another process, and must connect itself.
        self.process = os.getpid()
        #: Its daemon is stopping. Requests that wait here may still get their answers.
        self.is_retired = False
        self._line_bytes = _wire.LINE_BYTES
        self._requests = PendingRequests()
        self._condition = threading.Condition()
        self._reading = False
        self._sending = threading.Lock()
        self._socket: socket.socket = _socket.connect(path, patience)
        try:
            self.greeting = self.perform(hello(bundle_id), patience=patience)
        except ConnectionLost:
            # With socket activation the connection is made by systemd, and lost if the daemon cannot start.
            raise NotResponding() from None
        except BaseException:
            self.close()
            raise
        self._line_bytes = self.greeting.line_bytes

    @property
    def has_ended(self) -> bool:
        return self._requests.ended is not None

    @property
    def is_usable(self) -> bool:
        """Whether this process may send further requests on it."""
        return not self.has_ended and not self.is_retired and self.process == os.getpid()

    def perform(self, call: Call[T], queue: Optional[EventQueue] = None, patience: Optional[float] = None) -> T:
        """Sends a call and waits for its answer; without `patience` there is no timeout, because the user may be prompted."""
        slot = Slot(queue)
        with self._condition:
            number = self._requests.begin(slot)
        is_sent = False
        try:
            line = _wire.encode(number, call.method, call.params, self._line_bytes)
            is_sent = True
            self._send(line)
            self._await(lambda: slot.line is not None, patience)
        except BaseException:
            self._cancel(number, is_sent)
            raise
        assert slot.line is not None
        return call.read(_wire.result(slot.line))

    def next_event(self, queue: EventQueue) -> None:
        """Waits until there is an event."""
        self._await(lambda: bool(queue), None)

    def stop_listening(self, queue: EventQueue) -> None:
        with self._condition:
            self._requests.stop_listening(queue)

    def close(self) -> None:
        """Ends the connection. All waiting calls fail. Repeatable. In a forked child it closes only the descriptor."""
        if self.process != os.getpid():
            # shutdown() would end the parent's connection, and a thread of the parent may have held the lock at the fork.
            self._socket.close()
            return
        with self._condition:
            self._requests.end(ConnectionLost("the connection was closed"))
        try:
            # Wakes the thread that reads.
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        with self._condition:
            self._condition.notify_all()
            if not self._reading:
                self._socket.close()

    def __del__(self) -> None:
        # Without shutdown(): in a forked child the socket is the parent's too.
        if hasattr(self, "_socket"):
            self._socket.close()

    def _cancel(self, number: int, is_sent: bool) -> None:
        """The waiting thread was interrupted. Cancels the request, so that no prompt remains open."""
        with self._condition:
            is_waiting = self._requests.forget(number)
        if is_waiting and is_sent and not self.has_ended:
            try:
                self._socket.send(_wire.encode(None, "request.cancel", {"id": number}), socket.MSG_NOSIGNAL)
            except OSError:
                pass

    def _send(self, line: bytes) -> None:
        with self._sending:
            rest = memoryview(line)
            while rest:
                try:
                    rest = rest[self._socket.send(rest, socket.MSG_NOSIGNAL):]
                except BlockingIOError:
                    self._await_capacity()
                except OSError:
                    # Earlier answers can still be read; reading finds that the connection is lost.
                    return

    def _await_capacity(self) -> None:
        """The daemon does not read from a client that does not read its answers."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | select.POLLOUT)
        for _, what in poll.poll():
            if what & select.POLLIN:
                self._read_once(0)

    def _await(self, done: Callable[[], bool], patience: Optional[float]) -> None:
        deadline = None if patience is None else time.monotonic() + patience
        while True:
            with self._condition:
                if done():
                    return
                if self._requests.ended:
                    raise self._requests.ended
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise NotResponding()
            self._read_once(left, done)

    def _read_once(self, patience: Optional[float], done: Callable[[], bool] = lambda: False) -> None:
        """Reads the next bytes, or waits while another thread does."""
        with self._condition:
            if self._reading:
                if not done() and not self._requests.ended:
                    self._condition.wait(patience)
                return
            self._reading = True
        received: Optional[bytes] = None
        try:
            received = self._receive(patience)
        finally:
            with self._condition:
                self._reading = False
                try:
                    if received == b"":
                        self._requests.end(ConnectionLost("the connection to autofilld was lost"))
                    elif received:
                        self._requests.receive(received)
                except AutofillError as error:
                    self._requests.end(error)
                self._condition.notify_all()

    def _receive(self, patience: Optional[float]) -> Optional[bytes]:
        """The bytes received; empty at the end of the connection, None after the timeout."""
        try:
            poll = select.poll()
            poll.register(self._socket, select.POLLIN)
            if not poll.poll(None if patience is None else patience * 1000):
                return None
            return self._socket.recv(65_536)
        except BlockingIOError:
            return None
        except (OSError, ValueError):
            # ValueError: another thread closed it meanwhile.
            return b""
