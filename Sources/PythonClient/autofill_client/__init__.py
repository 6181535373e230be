# SPDX-License-Identifier: Apache-2.0
"""Password AutoFill and a keychain for Linux desktop apps in Python: the client of autofilld.

    from autofill_client import Client, Unavailable

    try:
        with Client("org.example.Shop") as client:
            form = [{"id": "mail", "contentType": "username"}, {"id": "new", "contentType": "newPassword", "secure": True}]
            offer = client.suggest("shop.example.com", form).offer
            if offer:
                password = client.fill(offer=offer.offer).password  # for the field; after the site accepted it:
                client.accept(offer.offer, "ann@example.com")
    except Unavailable:
        pass  # no AutoFill on this machine: the form works without it

AsyncClient has the same calls for asyncio. protocol.md describes each method.
"""

from .aio import AsyncClient
from .client import Client
from .errors import (
    AnswerNotUnderstood, AutofillError, Cancelled, ConnectionLost, InvalidRequest, NoSession, NoSocket, NotInstalled,
    NotPermitted, NotReachable, NotResponding, NotRunning, PathTooLong, Reason, Refused, Unavailable)
from .values import Answer, Credential, Event, Filled, Greeting, Item, Offer, Saved, Suggestions

__version__ = "0.2.0"

__all__ = [
    "Answer", "AnswerNotUnderstood", "AsyncClient", "AutofillError", "Cancelled", "Client", "ConnectionLost",
    "Credential", "Event", "Filled", "Greeting", "InvalidRequest", "Item", "NoSession", "NoSocket", "NotInstalled",
    "NotPermitted", "NotReachable", "NotResponding", "NotRunning", "Offer", "PathTooLong", "Reason", "Refused", "Saved",
    "Suggestions", "Unavailable",
]
