# SPDX-License-Identifier: Apache-2.0
"""The client for asyncio. All calls may be made at the same time; a cancelled task takes its request back."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, AsyncIterator, List, Mapping, Optional, Tuple, Type, TypeVar

from . import _place, calls, values
from ._aio_connection import AsyncConnection
from ._desk import EventQueue
from ._wire import Answer
from .calls import Call, Fields, Service
from .client import PAUSES
from .errors import AutofillError, ConnectionLost, Refused, Unavailable

T = TypeVar("T")


class AsyncClient:
    """A session of one app with autofilld, as Client has it.

        async with AsyncClient("org.example.Shop") as client:
            filled = await client.fill(service="shop.example.com", fields=form)
    """

    def __init__(self, bundle_id: str, socket_path: Optional[str] = None, *, patience: float = _place.PATIENCE) -> None:
        self.bundle_id = bundle_id
        self._socket_path = socket_path
        self._patience = patience
        self._connection: Optional[AsyncConnection] = None
        self._attempt: Optional[asyncio.Task[AsyncConnection]] = None
        self._closed = False

    async def connect(self) -> values.Greeting:
        """Connects and says hello, where that was not done; every call does so by itself."""
        return (await self._connected()).greeting

    async def close(self) -> None:
        """Ends the session; who waits is told so. May be repeated."""
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
        """Any call. It is sent again, once, where the connection was lost or the daemon stops, and nothing is done twice."""
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
        """Any method of protocol.md, by its names; parameters that are None are left out."""
        return await self.perform(calls.plain(method, params))

    # ---- forms

    async def suggest(
        self, service: Service, fields: Optional[Fields] = None, form: Optional[str] = None, **more: Any
    ) -> values.Suggestions:
        return await self.perform(calls.suggest(service, fields, form, more))

    async def fill(
        self, *, offer: Optional[str] = None, credential: Optional[str] = None, code: Optional[str] = None,
        service: Optional[Service] = None, fields: Optional[Fields] = None, interaction: bool = True,
    ) -> values.Filled:
        return await self.perform(calls.fill(offer, credential, code, service, fields, interaction))

    async def accept(
        self, offer: str, user: Optional[str] = None, *, replaces: Optional[str] = None, interaction: bool = True
    ) -> values.Saved:
        return await self.perform(calls.accept(offer, user, replaces, interaction))

    async def decline(self, offer: str) -> values.Saved:
        return await self.perform(calls.decline(offer))

    async def submitted(
        self, service: Service, fields: Fields, form: Optional[str] = None, *, interaction: bool = True
    ) -> values.Saved:
        return await self.perform(calls.submitted(service, fields, form, interaction))

    # ---- credentials

    async def save(
        self, service: Service, user: str, password: str, *, interaction: bool = True, **changes: Any
    ) -> values.Saved:
        return await self.perform(calls.save(service, user, password, interaction, changes))

    async def update(
        self, credential: str, *, if_version: Optional[str] = None, interaction: bool = True, **changes: Any
    ) -> bool:
        return await self.perform(calls.update(credential, changes, if_version, interaction))

    async def credential(
        self, service: Service, user: Optional[str] = None, *, interaction: bool = True
    ) -> values.Credential:
        return await self.perform(calls.credential(service, user, interaction))

    # ---- keychain

    async def keychain_set(
        self, service: str, account: str, data: bytes, *, group: Optional[str] = None, interaction: bool = True
    ) -> values.Saved:
        return await self.perform(calls.keychain_set(service, account, data, group, interaction))

    async def keychain_get(
        self, service: str, account: str, *, group: Optional[str] = None, interaction: bool = True
    ) -> values.Item:
        return await self.perform(calls.keychain_get(service, account, group, interaction))

    async def keychain_delete(
        self, service: str, account: str, *, group: Optional[str] = None, interaction: bool = True
    ) -> values.Saved:
        return await self.perform(calls.keychain_delete(service, account, group, interaction))

    async def keychain_list(
        self, service: str, *, group: Optional[str] = None, interaction: bool = True
    ) -> Tuple[values.Item, ...]:
        items: List[values.Item] = []
        cursor: Optional[str] = None
        while True:
            page, cursor = await self.perform(calls.keychain_list(service, group, interaction, cursor))
            items += page
            if cursor is None:
                return tuple(items)

    async def keychain_search(
        self, attributes: Mapping[str, str] = {}, *, collection: Optional[str] = None, group: Optional[str] = None,
        interaction: bool = True,
    ) -> Tuple[values.Item, ...]:
        items: List[values.Item] = []
        cursor: Optional[str] = None
        while True:
            page, cursor = await self.perform(
                calls.keychain_search(attributes, collection, group, interaction, cursor))
            items += page
            if cursor is None:
                return tuple(items)

    async def item_add(
        self, data: bytes, attributes: Mapping[str, str], *, label: Optional[str] = None, group: Optional[str] = None,
        replace: bool = False, interaction: bool = True,
    ) -> values.Saved:
        return await self.perform(calls.item_add(data, attributes, label, group, replace, interaction))

    async def item_change(
        self, item: str, *, data: Optional[bytes] = None, attributes: Optional[Mapping[str, str]] = None,
        label: Optional[str] = None, interaction: bool = True,
    ) -> values.Saved:
        return await self.perform(calls.item_change(item, data, attributes, label, interaction))

    async def item_get(self, item: str, *, interaction: bool = True) -> values.Item:
        return await self.perform(calls.item_get(item, interaction))

    async def item_delete(self, item: str, *, interaction: bool = True) -> values.Saved:
        return await self.perform(calls.item_delete(item, interaction))

    # ---- events

    async def events(self) -> AsyncIterator[values.Event]:
        """As Client's."""
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
                # An app that is no longer let in has no more events.
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
            if self._connection is not None and self._connection.is_of_use:
                return self._connection
            # One attempt for all who need it; one who is cancelled does not end it for the others.
            if self._attempt is None:
                self._attempt = asyncio.ensure_future(self._open())
                self._attempt.add_done_callback(self._attempted)
            await asyncio.shield(self._attempt)

    async def _open(self) -> AsyncConnection:
        path = _place.find(self._socket_path)
        return await AsyncConnection.open(self.bundle_id, path, self._patience)

    def _attempted(self, attempt: asyncio.Task[AsyncConnection]) -> None:
        self._attempt = None
        if not attempt.cancelled() and attempt.exception() is None:
            self._connection = attempt.result()
            if self._closed:
                self._connection.close()
