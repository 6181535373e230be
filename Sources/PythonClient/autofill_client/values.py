# SPDX-License-Identifier: Apache-2.0
"""The values of answers. Their `repr` shows no secret. `answer` has all members, by their names in protocol.md."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from datetime import datetime
from typing import Mapping, Optional, Tuple

from . import _wire
from .errors import Reason

Answer = _wire.Answer


def instant(text: Optional[str]) -> Optional[datetime]:
    """An instant of the wire: RFC 3339, UTC."""
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))


@dataclass(frozen=True)
class Greeting:
    """What the daemon found out about the app when it connected, and its state then."""

    version: str
    ephemeral: bool
    capabilities: Tuple[str, ...]
    assurance: str
    #: `missing`, `locked`, `unlocked`, or why it cannot be opened; empty if the caller is not the app that it claims to be.
    vault: str
    line_bytes: int
    answer: Answer = field(repr=False, compare=False)

    @classmethod
    def read(cls, answer: Answer) -> Greeting:
        return cls(
            answer["daemonVersion"], answer["ephemeral"], tuple(answer["capabilities"]), answer["app"]["assurance"],
            answer.get("vault") or "", answer["limits"]["lineBytes"], answer)


@dataclass(frozen=True)
class Offer:
    """A strong password that is in the vault and pending. `fill` returns it."""

    offer: str
    fields: Tuple[str, ...]
    length: int
    expires: Optional[datetime]
    answer: Answer = field(repr=False, compare=False)

    @classmethod
    def read(cls, answer: Answer) -> Offer:
        return cls(
            answer["offer"], tuple(answer.get("fields") or ()), answer["length"], instant(answer.get("expires")),
            answer)


@dataclass(frozen=True)
class Credential:
    """A saved credential; `password`, `notes` and `fields` only from `credential`."""

    credential: str
    user: str
    version: str
    #: The user's name for it, and the user's tags.
    label: str
    tags: Tuple[str, ...]
    password: Optional[str] = field(repr=False)
    notes: Optional[str] = field(repr=False)
    #: The user's own fields, by their names.
    fields: Mapping[str, str] = field(repr=False)
    answer: Answer = field(repr=False, compare=False)

    @classmethod
    def read(cls, answer: Answer) -> Credential:
        return cls(
            answer["credential"], answer["user"], answer["version"], answer.get("label") or "",
            tuple(answer.get("tags") or ()), answer.get("password"), answer.get("notes"),
            {each["name"]: each["value"] for each in answer.get("customFields") or ()}, answer)


@dataclass(frozen=True)
class Suggestions:
    """What can be filled into a form, and what is withheld and why."""

    form_kind: str
    offer: Optional[Offer]
    credentials: Tuple[Credential, ...]
    #: The reasons, by the type that is withheld: `strongPassword`, `savedCredentials`, `oneTimeCode`.
    withheld: Mapping[str, Tuple[Reason, ...]]
    answer: Answer = field(repr=False, compare=False)

    @classmethod
    def read(cls, answer: Answer) -> Suggestions:
        kinds = {suggestion["type"]: suggestion for suggestion in answer["suggestions"]}
        offer, saved = kinds.get("strongPassword"), kinds.get("savedCredentials", {})
        return cls(
            answer["formKind"], Offer.read(offer) if offer is not None else None,
            tuple(map(Credential.read, saved.get("credentials") or ())),
            {each["type"]: tuple(map(_wire.reason, each["reasons"])) for each in answer["withheld"]}, answer)


@dataclass(frozen=True)
class Filled:
    """The values for a form; `credential` and `user` if it was saved before."""

    credential: Optional[str]
    user: Optional[str]
    password: Optional[str] = field(repr=False)
    code: Optional[str] = field(repr=False)
    #: The value for each field, by its id.
    values: Mapping[str, str] = field(repr=False)
    answer: Answer = field(repr=False, compare=False)

    @classmethod
    def read(cls, answer: Answer) -> Filled:
        return cls(
            answer.get("credential"), answer.get("user"), answer.get("password"), answer.get("code"),
            {each["field"]: each["value"] for each in answer["values"]}, answer)


@dataclass(frozen=True)
class Saved:
    """The id of what was saved (a credential or a keychain item), and whether that changed anything."""

    id: Optional[str]
    changed: bool

    @classmethod
    def read(cls, answer: Answer) -> Saved:
        return cls(answer.get("credential") or answer.get("item"), answer["changed"])


@dataclass(frozen=True)
class Item:
    """An item of the keychain; `data` only from `keychain_get` and `item_get`."""

    item: str
    #: The members of its `place`; empty if it has none.
    namespace: str
    account: str
    #: What it is found by, with those of its `place` as `service` and `account`.
    attributes: Mapping[str, str]
    label: Optional[str]
    #: Another program wrote it, and the user has not allowed this program to read it: the other fields are empty.
    withheld: bool
    version: Optional[str]
    modified: Optional[datetime]
    data: Optional[bytes] = field(repr=False)
    answer: Answer = field(repr=False, compare=False)

    @classmethod
    def read(cls, answer: Answer) -> Item:
        data = answer.get("data")
        place = answer.get("place") or {"namespace": "", "account": ""}
        return cls(
            answer["item"], place["namespace"], place["account"], answer.get("attributes") or {}, answer.get("label"),
            answer.get("withheld") or False, answer.get("version"), instant(answer.get("modified")),
            None if data is None else base64.b64decode(data["base64"], validate=True), answer)


@dataclass(frozen=True)
class Event:
    """An event, with the members of protocol.md. It has no user name and no secret.

    One type is the client's own: `stateChanged`, with `vault` and `settings`, at the start and after a restart of the
    daemon. The events in between are not reported.
    """

    type: str
    answer: Answer
