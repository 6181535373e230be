# SPDX-License-Identifier: Apache-2.0
"""The requests and event queues of one connection: an answer goes to the request with its id, an event to all queues."""

from __future__ import annotations

from collections import deque
from typing import Any, Deque, Dict, List, Mapping, Optional

from . import _wire
from .errors import AutofillError
from .values import Event

#: Events that wait for a reader. Further ones are dropped, and their numbers are reported.
WAITING_EVENTS = 1024


class EventQueue:
    """The events that one sequence has not read yet."""

    def __init__(self) -> None:
        self._events: Deque[Event] = deque()
        #: The members of the report on the events that were dropped, as the daemon writes it.
        self._lost: Dict[str, Any] = {}

    def put(self, event: Event) -> None:
        if len(self._events) < WAITING_EVENTS:
            self._report_lost()
            self._events.append(event)
        else:
            last = event.answer
            number = last.get("sequence")
            # The daemon's own report, where that one was dropped, begins earlier.
            first = self._lost.get("from", last.get("from", number))
            self._lost = {
                "type": "eventsLost", "epoch": last.get("epoch"), "sequence": number, "at": last.get("at"), "from": first,
                "to": number}

    def take(self) -> Optional[Event]:
        """The next event; None if there is none."""
        if not self._events:
            self._report_lost()
        return self._events.popleft() if self._events else None

    def _report_lost(self) -> None:
        if self._lost:
            self._events.append(Event("eventsLost", _wire.Answer(self._lost)))
            self._lost = {}

    def __bool__(self) -> bool:
        return bool(self._events or self._lost)


class Slot:
    """Receives the answer of one request."""

    def __init__(self, queue: Optional[EventQueue] = None) -> None:
        #: The answer's line, once it was received.
        self.line: Optional[Mapping[str, Any]] = None
        #: Receives the events after the answer.
        self.queue = queue

    def finish(self, line: Mapping[str, Any]) -> None:
        self.line = line

    def fail(self, error: AutofillError) -> None:
        """The connection ended before the answer."""


class PendingRequests:
    """The requests without an answer, by their ids, the event queues, and why the connection ended."""

    def __init__(self) -> None:
        self._last = 0
        self._waiting: Dict[int, Slot] = {}
        self._queues: List[EventQueue] = []
        self._inbox = _wire.Inbox()
        #: Why no further request can be made.
        self.ended: Optional[AutofillError] = None

    def begin(self, slot: Slot) -> int:
        """The id of a new request."""
        if self.ended:
            raise self.ended
        self._last += 1
        self._waiting[self._last] = slot
        return self._last

    def forget(self, number: int) -> bool:
        """Removes a request. Returns whether it had no answer yet."""
        return self._waiting.pop(number, None) is not None

    def stop_listening(self, queue: EventQueue) -> None:
        self._queues = [other for other in self._queues if other is not queue]

    def receive(self, received: bytes) -> None:
        """Processes bytes of the connection.

        Raises: AutofillError, if the connection can no longer be used.
        """
        for line in self._inbox.lines(received):
            self._deliver(line)

    def _deliver(self, line: Mapping[str, Any]) -> None:
        if line.get("method") == "event":
            params = line.get("params")
            if isinstance(params, dict) and isinstance(params.get("type"), str):
                for queue in self._queues:
                    queue.put(Event(params["type"], _wire.Answer(params)))
        elif "error" in line and line.get("id") is None:
            # About the connection itself: another user's, or too many.
            raise _wire.failure(line["error"])
        else:
            slot = self._waiting.pop(line.get("id"), None)  # type: ignore[arg-type]
            if slot is None:
                return
            if slot.queue is not None and "result" in line:
                self._queues.append(slot.queue)
            slot.finish(line)

    def end(self, error: AutofillError) -> None:
        """Ends all requests, because no more answers will be received."""
        if self.ended is None:
            self.ended = error
            waiting, self._waiting = self._waiting, {}
            for slot in waiting.values():
                slot.fail(error)
