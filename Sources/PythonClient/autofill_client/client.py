# SPDX-License-Identifier: Apache-2.0
"""The client that waits. It may be used by any number of threads at the same time."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any, Iterator, List, Mapping, Optional, Tuple, Type, TypeVar

from . import _place, calls, values
from ._connection import Connection
from ._desk import EventQueue
from ._wire import Answer
from .calls import Call, Fields, Service
from .errors import AutofillError, ConnectionLost, Refused, Unavailable

T = TypeVar("T")
#: Seconds between attempts to connect while events are waited for: at first, and at most.
PAUSES = (0.1, 10.0)


class Client:
    """A session of one app with autofilld.

    It goes on when the daemon starts anew: the next call connects again. What was on its way is sent again by itself where
    it does no more when it is done twice. Every call raises an AutofillError: Unavailable where there is no daemon,
    Refused with the reasons, ConnectionLost.
    """

    def __init__(self, bundle_id: str, socket_path: Optional[str] = None, *, patience: float = _place.PATIENCE) -> None:
        self.bundle_id = bundle_id
        self._path = _place.find(socket_path)
        self._patience = patience
        self._connecting = threading.Lock()
        self._closed = threading.Event()
        self._connection = Connection(bundle_id, self._path, patience)

    @property
    def greeting(self) -> values.Greeting:
        """What the daemon said when the client last connected."""
        return self._connection.greeting

    def close(self) -> None:
        """Ends the session; who waits is told so. May be repeated."""
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
        """Any call. It is sent again, once, where the connection was lost or the daemon stops, and nothing is done twice."""
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
        """Any method of protocol.md, by its names; parameters that are None are left out."""
        return self.perform(calls.plain(method, params))

    # ---- forms

    def suggest(
        self, service: Service, fields: Optional[Fields] = None, form: Optional[str] = None, **more: Any
    ) -> values.Suggestions:
        """What can be filled into a form. A strong password is in the vault before this returns."""
        return self.perform(calls.suggest(service, fields, form, more))

    def fill(
        self, *, offer: Optional[str] = None, credential: Optional[str] = None, code: Optional[str] = None,
        service: Optional[Service] = None, fields: Optional[Fields] = None, interaction: bool = True,
    ) -> values.Filled:
        """What goes into the form: an offer, a credential, a code, or for a service what the person picks."""
        return self.perform(calls.fill(offer, credential, code, service, fields, interaction))

    def accept(
        self, offer: str, user: Optional[str] = None, *, replaces: Optional[str] = None, interaction: bool = True
    ) -> values.Saved:
        """The site took the strong password, for a user or in the place of a credential's."""
        return self.perform(calls.accept(offer, user, replaces, interaction))

    def decline(self, offer: str) -> values.Saved:
        """The person does not want the strong password."""
        return self.perform(calls.decline(offer))

    def submitted(
        self, service: Service, fields: Fields, form: Optional[str] = None, *, interaction: bool = True
    ) -> values.Saved:
        """The site took the form as the person filled it: what is worth keeping is saved."""
        return self.perform(calls.submitted(service, fields, form, interaction))

    # ---- credentials

    def save(
        self, service: Service, user: str, password: str, *, interaction: bool = True, **changes: Any
    ) -> values.Saved:
        """Saves what the person typed, and what is to be set besides: see `update`."""
        return self.perform(calls.save(service, user, password, interaction, changes))

    def update(
        self, credential: str, *, if_version: Optional[str] = None, interaction: bool = True, **changes: Any
    ) -> bool:
        """Sets `label`, `notes`, `tags`, `fields`, `services` or `collection` of a credential, as protocol.md has them; what is not
        named stays. Returns whether anything was changed."""
        return self.perform(calls.update(credential, changes, if_version, interaction))

    def credential(
        self, service: Service, user: Optional[str] = None, *, interaction: bool = True
    ) -> values.Credential:
        """A saved credential with its password; of the user used last where none is named."""
        return self.perform(calls.credential(service, user, interaction))

    # ---- keychain

    def keychain_set(
        self, service: str, account: str, data: bytes, *, group: Optional[str] = None, interaction: bool = True
    ) -> values.Saved:
        """Keeps bytes under a service and an account."""
        return self.perform(calls.keychain_set(service, account, data, group, interaction))

    def keychain_get(
        self, service: str, account: str, *, group: Optional[str] = None, interaction: bool = True
    ) -> values.Item:
        """An item with its bytes."""
        return self.perform(calls.keychain_get(service, account, group, interaction))

    def keychain_delete(
        self, service: str, account: str, *, group: Optional[str] = None, interaction: bool = True
    ) -> values.Saved:
        """Removes an item, for good."""
        return self.perform(calls.keychain_delete(service, account, group, interaction))

    def keychain_list(
        self, service: str, *, group: Optional[str] = None, interaction: bool = True
    ) -> Tuple[values.Item, ...]:
        """The items of a service, without their bytes."""
        items: List[values.Item] = []
        cursor: Optional[str] = None
        while True:
            page, cursor = self.perform(calls.keychain_list(service, group, interaction, cursor))
            items += page
            if cursor is None:
                return tuple(items)

    def keychain_search(
        self, attributes: Mapping[str, str] = {}, *, collection: Optional[str] = None, group: Optional[str] = None,
        interaction: bool = True,
    ) -> Tuple[values.Item, ...]:
        """The items that have all of these attributes; without any, all that this program may read."""
        items: List[values.Item] = []
        cursor: Optional[str] = None
        while True:
            page, cursor = self.perform(
                calls.keychain_search(attributes, collection, group, interaction, cursor))
            items += page
            if cursor is None:
                return tuple(items)

    def item_add(
        self, data: bytes, attributes: Mapping[str, str], *, label: Optional[str] = None, group: Optional[str] = None,
        replace: bool = False, interaction: bool = True,
    ) -> values.Saved:
        """Keeps bytes in a new item; with `replace` in the one that has just these attributes, where there is one."""
        return self.perform(calls.item_add(data, attributes, label, group, replace, interaction))

    def item_change(
        self, item: str, *, data: Optional[bytes] = None, attributes: Optional[Mapping[str, str]] = None,
        label: Optional[str] = None, interaction: bool = True,
    ) -> values.Saved:
        """Changes an item by its id; what is left out stays."""
        return self.perform(calls.item_change(item, data, attributes, label, interaction))

    def item_get(self, item: str, *, interaction: bool = True) -> values.Item:
        """An item with its bytes, by its id."""
        return self.perform(calls.item_get(item, interaction))

    def item_delete(self, item: str, *, interaction: bool = True) -> values.Saved:
        """Removes an item by its id, for good."""
        return self.perform(calls.item_delete(item, interaction))

    # ---- events

    def events(self) -> Iterator[values.Event]:
        """What happens from now on. The first is `stateChanged`, how things are now, and so is the first after the daemon
        started anew. It ends when the session is closed."""
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
                # An app that is no longer let in has no more events.
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
            if not self._connection.is_of_use:
                self._connection = Connection(self.bundle_id, self._path, self._patience)
            return self._connection
