# SPDX-License-Identifier: Apache-2.0
"""One connection, for any number of threads: whoever waits reads for all, so that no thread of its own is needed."""

from __future__ import annotations

import os
import select
import socket
import threading
import time
from typing import Callable, Optional, TypeVar

from . import _place, _wire
from ._desk import Desk, EventQueue, Slot
from .calls import Call, hello
from .errors import AutofillError, ConnectionLost, NotResponding

T = TypeVar("T")


class Connection:
    """A socket to the daemon on which hello was said."""

    def __init__(self, bundle_id: str, path: str, patience: float) -> None:
        #: A child that was forked is another process, and has to connect by itself.
        self.process = os.getpid()
        #: Its daemon is stopping. What still waits here may get its answer yet.
        self.is_retired = False
        self._line_bytes = _wire.LINE_BYTES
        self._desk = Desk()
        self._turn = threading.Condition()
        self._reading = False
        self._sending = threading.Lock()
        self._socket: socket.socket = _place.connect(path, patience)
        try:
            self.greeting = self.perform(hello(bundle_id), patience=patience)
        except ConnectionLost:
            # With socket activation the connection is made by systemd, and lost where the daemon cannot start.
            raise NotResponding() from None
        except BaseException:
            self.close()
            raise
        self._line_bytes = self.greeting.line_bytes

    @property
    def has_ended(self) -> bool:
        return self._desk.ended is not None

    @property
    def is_of_use(self) -> bool:
        """Whether this process may send more on it."""
        return not self.has_ended and not self.is_retired and self.process == os.getpid()

    def perform(self, call: Call[T], queue: Optional[EventQueue] = None, patience: Optional[float] = None) -> T:
        """Sends a call and waits for its answer, for as long as a person takes where there is no `patience`."""
        slot = Slot(queue)
        with self._turn:
            number = self._desk.begin(slot)
        is_sent = False
        try:
            line = _wire.encode(number, call.method, call.params, self._line_bytes)
            is_sent = True
            self._send(line)
            self._await(lambda: slot.line is not None, patience)
        except BaseException:
            self._take_back(number, is_sent)
            raise
        assert slot.line is not None
        return call.read(_wire.result(slot.line))

    def next_event(self, queue: EventQueue) -> None:
        """Waits until there is an event."""
        self._await(lambda: bool(queue), None)

    def stop_listening(self, queue: EventQueue) -> None:
        with self._turn:
            self._desk.stop_listening(queue)

    def close(self) -> None:
        """Ends the connection; who waits is told so. May be repeated."""
        with self._turn:
            self._desk.end(ConnectionLost("the connection was closed"))
        try:
            # Wakes who reads.
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        with self._turn:
            self._turn.notify_all()
            if not self._reading:
                self._socket.close()

    def __del__(self) -> None:
        # Without a word on the wire: in a forked child the socket is the parent's too.
        if hasattr(self, "_socket"):
            self._socket.close()

    def _take_back(self, number: int, is_sent: bool) -> None:
        """Who waited was interrupted: the daemon is told, so that no prompt stays for nobody."""
        with self._turn:
            is_waiting = self._desk.forget(number)
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
                    self._make_room()
                except OSError:
                    # What was answered before can still be read: the reading end finds the connection lost.
                    return

    def _make_room(self) -> None:
        """The daemon reads nobody who does not read its answers."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | select.POLLOUT)
        for _, what in poll.poll():
            if what & select.POLLIN:
                self._read_once(0)

    def _await(self, done: Callable[[], bool], patience: Optional[float]) -> None:
        deadline = None if patience is None else time.monotonic() + patience
        while True:
            with self._turn:
                if done():
                    return
                if self._desk.ended:
                    raise self._desk.ended
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise NotResponding()
            self._read_once(left, done)

    def _read_once(self, patience: Optional[float], done: Callable[[], bool] = lambda: False) -> None:
        """Reads what comes next, or waits while another thread does."""
        with self._turn:
            if self._reading:
                if not done() and not self._desk.ended:
                    self._turn.wait(patience)
                return
            self._reading = True
        received: Optional[bytes] = None
        try:
            received = self._receive(patience)
        finally:
            with self._turn:
                self._reading = False
                try:
                    if received == b"":
                        self._desk.end(ConnectionLost("the connection to autofilld was lost"))
                    elif received:
                        self._desk.receive(received)
                except AutofillError as error:
                    self._desk.end(error)
                self._turn.notify_all()

    def _receive(self, patience: Optional[float]) -> Optional[bytes]:
        """What came; empty at the end of the connection, None where nothing came in time."""
        try:
            poll = select.poll()
            poll.register(self._socket, select.POLLIN)
            if not poll.poll(None if patience is None else patience * 1000):
                return None
            return self._socket.recv(65_536)
        except BlockingIOError:
            return None
        except (OSError, ValueError):
            # ValueError: closed meanwhile by another thread.
            return b""
