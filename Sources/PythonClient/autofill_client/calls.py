# SPDX-License-Identifier: Apache-2.0
"""Requests: what is sent, whether it may be sent again, and what its answer is read as."""

from __future__ import annotations

import base64
from typing import Any, Callable, Generic, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from . import values
from ._wire import Answer
from .errors import AnswerNotUnderstood

T = TypeVar("T")
#: A domain, or a service as it stands on the wire.
Service = Union[str, Mapping[str, str]]
#: The fields of a form, each with the members that protocol.md has, under "Forms and offers".
Fields = Sequence[Mapping[str, object]]
Items = Tuple[Tuple[values.Item, ...], Optional[str]]

#: What must not be sent again when its answer was lost: protocol.md, "Requests and answers", "End".
ONCE = frozenset({
    "hello", "code.get", "keychain.rename", "verifier.check", "admin.vault.create", "admin.vault.backup",
    "admin.vault.restore", "admin.vault.rekey", "admin.slot.add", "admin.slot.change", "admin.slot.remove",
    "admin.prompter.attach",
})


class Call(Generic[T]):
    """One request. Its parameters, which may be secrets, are not shown."""

    __slots__ = ("method", "params", "_reader")

    def __init__(self, method: str, params: Mapping[str, Any], reader: Callable[[Answer], T]) -> None:
        self.method = method
        self.params = params
        self._reader = reader

    @property
    def is_repeatable(self) -> bool:
        """Whether it does no more when it is done twice."""
        if self.method == "autofill.fill":
            return not self.params.get("oneTimeCode")
        if self.method == "keychain.set":
            # What makes another item each time is not sent again, nor what would meet the item that it made.
            replace = self.params.get("replace")
            return bool(self.params.get("item") or (self.params.get("place") if replace is None else replace))
        return self.method not in ONCE

    def read(self, answer: Answer) -> T:
        try:
            return self._reader(answer)
        except (KeyError, TypeError, ValueError):
            # Without the error itself, which may hold what was answered.
            raise AnswerNotUnderstood(f"the answer of {self.method}") from None

    def __repr__(self) -> str:
        return f"<Call: {self.method}>"


def _service(service: Optional[Service]) -> Optional[Mapping[str, str]]:
    return {"type": "domain", "value": service} if isinstance(service, str) else service


def _interaction(allowed: bool) -> str:
    return "allow" if allowed else "forbid"


def plain(method: str, params: Mapping[str, Any]) -> Call[Answer]:
    return Call(method, params, lambda answer: answer)


def hello(bundle_id: str) -> Call[values.Greeting]:
    return Call("hello", {"bundleID": bundle_id, "protocol": {"min": 1, "max": 1}}, values.Greeting.read)


def suggest(service: Service, fields: Optional[Fields], form: Optional[str], more: Mapping[str, Any]) -> Call[
        values.Suggestions]:
    params = {"service": _service(service), "fields": fields, "form": form, **more}
    return Call("autofill.suggest", params, values.Suggestions.read)


def fill(
    offer: Optional[str], credential: Optional[str], code: Optional[str], service: Optional[Service],
    fields: Optional[Fields], interaction: bool,
) -> Call[values.Filled]:
    params = {
        "offer": offer, "credential": credential, "oneTimeCode": code, "service": _service(service), "fields": fields,
        "interaction": _interaction(interaction),
    }
    return Call("autofill.fill", params, values.Filled.read)


def accept(offer: str, user: Optional[str], replaces: Optional[str], interaction: bool) -> Call[values.Saved]:
    params = {"offer": offer, "user": user, "replaces": replaces, "interaction": _interaction(interaction)}
    return Call("autofill.accept", params, values.Saved.read)


def decline(offer: str) -> Call[values.Saved]:
    return Call("autofill.decline", {"offer": offer}, values.Saved.read)


def submitted(service: Service, fields: Fields, form: Optional[str], interaction: bool) -> Call[values.Saved]:
    params = {
        "service": _service(service), "fields": fields, "form": form, "interaction": _interaction(interaction)}
    return Call("autofill.submitted", params, values.Saved.read)


def save(
    service: Service, user: str, password: str, interaction: bool, changes: Optional[Mapping[str, Any]] = None,
) -> Call[values.Saved]:
    params = {
        "service": _service(service), "user": user, "password": password, "interaction": _interaction(interaction)}
    params.update(changes or {})
    return Call("credential.save", params, values.Saved.read)


def update(
    credential: str, changes: Mapping[str, Any], if_version: Optional[str], interaction: bool,
) -> Call[bool]:
    params = {"credential": credential, "ifVersion": if_version, "interaction": _interaction(interaction)}
    params.update(changes)
    return Call("credential.update", params, lambda answer: answer["changed"])


def credential(service: Service, user: Optional[str], interaction: bool) -> Call[values.Credential]:
    params = {"service": _service(service), "user": user, "interaction": _interaction(interaction)}
    return Call("credential.get", params, values.Credential.read)


def keychain_set(
    service: str, account: str, data: bytes, group: Optional[str], interaction: bool
) -> Call[values.Saved]:
    params = {**_item(service, account, group, interaction), **_details(data, None, None)}
    return Call("keychain.set", params, values.Saved.read)


def keychain_get(service: str, account: str, group: Optional[str], interaction: bool) -> Call[values.Item]:
    return Call("keychain.get", _item(service, account, group, interaction), values.Item.read)


def keychain_delete(service: str, account: str, group: Optional[str], interaction: bool) -> Call[values.Saved]:
    return Call("keychain.delete", _item(service, account, group, interaction), values.Saved.read)


def keychain_list(
    service: str, group: Optional[str], interaction: bool, cursor: Optional[str]
) -> Call[Items]:
    """One page, and the cursor of the next."""
    params = {
        "place": {"service": service}, "accessGroup": group, "interaction": _interaction(interaction),
        "cursor": cursor}
    return Call("keychain.list", params, _items)


def keychain_search(
    attributes: Mapping[str, str], collection: Optional[str], group: Optional[str], interaction: bool,
    cursor: Optional[str],
) -> Call[Items]:
    """One page, and the cursor of the next."""
    params = {
        "attributes": dict(attributes), "collection": collection, "accessGroup": group,
        "interaction": _interaction(interaction), "cursor": cursor}
    return Call("keychain.search", params, _items)


def item_add(
    data: bytes, attributes: Mapping[str, str], label: Optional[str], group: Optional[str], replace: bool,
    interaction: bool,
) -> Call[values.Saved]:
    params = {
        **_details(data, attributes, label), "accessGroup": group, "replace": replace,
        "interaction": _interaction(interaction)}
    return Call("keychain.set", params, values.Saved.read)


def item_change(
    item: str, data: Optional[bytes], attributes: Optional[Mapping[str, str]], label: Optional[str], interaction: bool
) -> Call[values.Saved]:
    params = {"item": item, **_details(data, attributes, label), "interaction": _interaction(interaction)}
    return Call("keychain.set", params, values.Saved.read)


def item_get(item: str, interaction: bool) -> Call[values.Item]:
    return Call("keychain.get", {"item": item, "interaction": _interaction(interaction)}, values.Item.read)


def item_delete(item: str, interaction: bool) -> Call[values.Saved]:
    return Call("keychain.delete", {"item": item, "interaction": _interaction(interaction)}, values.Saved.read)


def _items(answer: Answer) -> Tuple[Tuple[values.Item, ...], Optional[str]]:
    return tuple(map(values.Item.read, answer["items"])), answer["next"]


def _item(service: str, account: str, group: Optional[str], interaction: bool) -> Mapping[str, Any]:
    return {
        "place": {"service": service, "account": account}, "accessGroup": group,
        "interaction": _interaction(interaction)}


def _details(
    data: Optional[bytes], attributes: Optional[Mapping[str, str]], label: Optional[str]
) -> Mapping[str, Any]:
    return {
        "data": None if data is None else {"base64": base64.b64encode(data).decode("ascii")},
        "attributes": None if attributes is None else dict(attributes), "label": label}
