# SPDX-License-Identifier: Apache-2.0
# Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
"""The requests of the protocol, a function each."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

from . import values
from ._call import (
    Call, Form, Page, Service, _answer, _data, _form, _interaction, _object, _page, _service, hello, plain)
from ._wire import Answer

__all__ = [
    "Call", "Form", "Page", "Service", "hello", "plain", "suggest", "fill", "accept", "decline", "submit",
    "confirm", "withdraw", "save", "update", "credential", "keychain_set", "keychain_get", "keychain_delete",
    "keychain_list", "keychain_search", "item_add", "item_change", "item_get", "item_delete", "keychain_rename",
    "diagnose", "credential_list", "credential_delete", "code_get", "code_set", "code_delete", "verifier_set",
    "vault_unlock", "status", "offer_list", "code_offer", "keychain_request", "verifier_check", "verifier_delete",
    "sign_in_start", "sign_in_end", "sign_in_status",
]


def suggest(
    service: Service, form: Form, context: Optional[Mapping[str, object]] = None, **more: Any,
) -> Call[values.Suggestions]:
    return Call("autofill.suggest", {
        "service": _service(service), "form": _form(form), "context": context, **more,
    }, values.Suggestions.read)


def fill(
    offer: Optional[str] = None, credential: Optional[str] = None, code: Optional[str] = None,
    service: Optional[Service] = None, user: Optional[str] = None, form: Optional[Form] = None,
    interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[values.Filled]:
    return Call("autofill.fill", {
        "offer": offer, "credential": credential, "codeID": code, "service": _service(service), "user": user,
        "form": _form(form), "interaction": _interaction(interaction), "context": context,
    }, values.Filled.read)


def accept(
    offer: str, user: Optional[str] = None, replaces: Optional[str] = None, interaction: bool = True,
    context: Optional[Mapping[str, object]] = None,
) -> Call[values.Saved]:
    return Call("autofill.accept", {
        "offer": offer, "user": user, "replaces": replaces, "interaction": _interaction(interaction),
        "context": context,
    }, values.Saved.read)


def decline(
    offer: str, context: Optional[Mapping[str, object]] = None,
) -> Call[values.Saved]:
    return Call("autofill.decline", {
        "offer": offer, "context": context,
    }, values.Saved.read)


def submit(
    service: Service, form: Form, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[Answer]:
    return Call("autofill.submit", {
        "service": _service(service), "form": _form(form), "interaction": _interaction(interaction),
        "context": context,
    }, _answer)


def confirm(
    submission: str, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[values.Saved]:
    return Call("autofill.confirm", {
        "submission": submission, "interaction": _interaction(interaction), "context": context,
    }, values.Saved.read)


def withdraw(
    submission: str,
) -> Call[values.Saved]:
    return Call("autofill.withdraw", {
        "submission": submission,
    }, values.Saved.read)


def save(
    service: Service, user: str, password: str, interaction: bool = True,
    context: Optional[Mapping[str, object]] = None, **more: Any,
) -> Call[values.Saved]:
    return Call("credential.save", {
        "service": _service(service), "user": user, "password": password, "interaction": _interaction(interaction),
        "context": context, **more,
    }, values.Saved.read)


def update(
    credential: Optional[str] = None, service: Optional[Service] = None, user: Optional[str] = None,
    new_user: Optional[str] = None, if_version: Optional[str] = None, interaction: bool = True,
    context: Optional[Mapping[str, object]] = None, **more: Any,
) -> Call[bool]:
    return Call("credential.update", {
        "credential": credential, "service": _service(service), "user": user, "newUser": new_user,
        "ifVersion": if_version, "interaction": _interaction(interaction), "context": context, **more,
    }, lambda answer: answer["changed"])


def credential(
    service: Optional[Service] = None, user: Optional[str] = None, credential: Optional[str] = None,
    interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[values.Credential]:
    return Call("credential.get", {
        "service": _service(service), "user": user, "credential": credential,
        "interaction": _interaction(interaction), "context": context,
    }, values.Credential.read)


def keychain_set(
    namespace: str, account: str, data: bytes, group: Optional[str] = None, interaction: bool = True,
    context: Optional[Mapping[str, object]] = None,
) -> Call[values.Saved]:
    return Call("keychain.set", {
        "place": _object(namespace=namespace, account=account), "data": _data(data), "accessGroup": group,
        "interaction": _interaction(interaction), "context": context,
    }, values.Saved.read)


def keychain_get(
    namespace: str, account: str, group: Optional[str] = None, interaction: bool = True,
    context: Optional[Mapping[str, object]] = None,
) -> Call[values.Item]:
    return Call("keychain.get", {
        "place": _object(namespace=namespace, account=account), "accessGroup": group,
        "interaction": _interaction(interaction), "context": context,
    }, values.Item.read)


def keychain_delete(
    namespace: str, account: str, group: Optional[str] = None, interaction: bool = True,
    context: Optional[Mapping[str, object]] = None,
) -> Call[values.Saved]:
    return Call("keychain.delete", {
        "place": _object(namespace=namespace, account=account), "accessGroup": group,
        "interaction": _interaction(interaction), "context": context,
    }, values.Saved.read)


def keychain_list(
    namespace: str, group: Optional[str] = None, interaction: bool = True,
    context: Optional[Mapping[str, object]] = None, cursor: Optional[str] = None,
) -> Call[Page[values.Item]]:
    return Call("keychain.search", {
        "place": _object(namespace=namespace), "accessGroup": group, "interaction": _interaction(interaction),
        "context": context, "cursor": cursor,
    }, _page("items", values.Item.read))


def keychain_search(
    attributes: Optional[Mapping[str, str]] = None, collection: Optional[str] = None, group: Optional[str] = None,
    interaction: bool = True, context: Optional[Mapping[str, object]] = None, cursor: Optional[str] = None,
) -> Call[Page[values.Item]]:
    return Call("keychain.search", {
        "attributes": attributes, "collection": collection, "accessGroup": group,
        "interaction": _interaction(interaction), "context": context, "cursor": cursor,
    }, _page("items", values.Item.read))


def item_add(
    data: bytes, attributes: Mapping[str, str], label: Optional[str] = None, group: Optional[str] = None,
    replace: Optional[bool] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[values.Saved]:
    return Call("keychain.set", {
        "data": _data(data), "attributes": attributes, "label": label, "accessGroup": group, "replace": replace,
        "interaction": _interaction(interaction), "context": context,
    }, values.Saved.read)


def item_change(
    item: str, data: Optional[bytes] = None, attributes: Optional[Mapping[str, str]] = None,
    label: Optional[str] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[values.Saved]:
    return Call("keychain.set", {
        "item": item, "data": _data(data), "attributes": attributes, "label": label,
        "interaction": _interaction(interaction), "context": context,
    }, values.Saved.read)


def item_get(
    item: str, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[values.Item]:
    return Call("keychain.get", {
        "item": item, "interaction": _interaction(interaction), "context": context,
    }, values.Item.read)


def item_delete(
    item: str, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[values.Saved]:
    return Call("keychain.delete", {
        "item": item, "interaction": _interaction(interaction), "context": context,
    }, values.Saved.read)


def keychain_rename(
    namespace: str, account: str, new_place: Mapping[str, object], group: Optional[str] = None,
    if_version: Optional[str] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[values.Saved]:
    return Call("keychain.rename", {
        "place": _object(namespace=namespace, account=account), "newPlace": new_place, "accessGroup": group,
        "ifVersion": if_version, "interaction": _interaction(interaction), "context": context,
    }, values.Saved.read)


def diagnose(
    service: Optional[Service] = None, form: Optional[Form] = None, context: Optional[Mapping[str, object]] = None,
) -> Call[Answer]:
    return Call("diagnose", {
        "service": _service(service), "form": _form(form), "context": context,
    }, _answer)


def credential_list(
    service: Optional[Service] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    cursor: Optional[str] = None,
) -> Call[Page[Answer]]:
    return Call("credential.list", {
        "service": _service(service), "interaction": _interaction(interaction), "context": context,
        "cursor": cursor,
    }, _page("credentials", _answer))


def credential_delete(
    credential: Optional[str] = None, service: Optional[Service] = None, user: Optional[str] = None,
    if_version: Optional[str] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[bool]:
    return Call("credential.delete", {
        "credential": credential, "service": _service(service), "user": user, "ifVersion": if_version,
        "interaction": _interaction(interaction), "context": context,
    }, lambda answer: answer["changed"])


def code_get(
    service: Optional[Service] = None, user: Optional[str] = None, credential: Optional[str] = None,
    interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[Answer]:
    return Call("code.get", {
        "service": _service(service), "user": user, "credential": credential,
        "interaction": _interaction(interaction), "context": context,
    }, _answer)


def code_set(
    uri: str, service: Optional[Service] = None, user: Optional[str] = None, credential: Optional[str] = None,
    if_version: Optional[str] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[values.Saved]:
    return Call("code.set", {
        "uri": uri, "service": _service(service), "user": user, "credential": credential, "ifVersion": if_version,
        "interaction": _interaction(interaction), "context": context,
    }, values.Saved.read)


def code_delete(
    service: Optional[Service] = None, user: Optional[str] = None, credential: Optional[str] = None,
    if_version: Optional[str] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[bool]:
    return Call("code.delete", {
        "service": _service(service), "user": user, "credential": credential, "ifVersion": if_version,
        "interaction": _interaction(interaction), "context": context,
    }, lambda answer: answer["changed"])


def verifier_set(
    namespace: str, account: str, password: str, group: Optional[str] = None, interaction: bool = True,
    context: Optional[Mapping[str, object]] = None,
) -> Call[values.Saved]:
    return Call("verifier.set", {
        "place": _object(namespace=namespace, account=account), "password": password, "accessGroup": group,
        "interaction": _interaction(interaction), "context": context,
    }, values.Saved.read)


def vault_unlock(
    interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[Answer]:
    return Call("vault.unlock", {
        "interaction": _interaction(interaction), "context": context,
    }, _answer)


def status() -> Call[Answer]:
    return Call("status", {}, _answer)


def offer_list(
    state: Optional[str] = None, context: Optional[Mapping[str, object]] = None, cursor: Optional[str] = None,
) -> Call[Page[Answer]]:
    return Call("offer.list", {
        "state": state, "context": context, "cursor": cursor,
    }, _page("offers", _answer))


def code_offer(
    service: Service, code: str,
) -> Call[Answer]:
    return Call("code.offer", {
        "service": _service(service), "code": code,
    }, _answer)


def keychain_request(
    items: Sequence[str], interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[Answer]:
    return Call("keychain.request", {
        "items": items, "interaction": _interaction(interaction), "context": context,
    }, _answer)


def verifier_check(
    namespace: str, account: str, password: str, group: Optional[str] = None,
) -> Call[bool]:
    return Call("verifier.check", {
        "place": _object(namespace=namespace, account=account), "password": password, "accessGroup": group,
    }, lambda answer: answer["matches"])


def verifier_delete(
    namespace: str, account: str, group: Optional[str] = None, interaction: bool = True,
    context: Optional[Mapping[str, object]] = None,
) -> Call[bool]:
    return Call("verifier.delete", {
        "place": _object(namespace=namespace, account=account), "accessGroup": group,
        "interaction": _interaction(interaction), "context": context,
    }, lambda answer: answer["changed"])


def sign_in_start(
    account: str, name: str, password: str, namespace: Optional[str] = None, interaction: bool = True,
    context: Optional[Mapping[str, object]] = None,
) -> Call[Answer]:
    return Call("signIn.start", {
        "place": _object(account=account, namespace=namespace), "name": name, "password": password,
        "interaction": _interaction(interaction), "context": context,
    }, _answer)


def sign_in_end(
    interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[bool]:
    return Call("signIn.end", {
        "interaction": _interaction(interaction), "context": context,
    }, lambda answer: answer["changed"])


def sign_in_status(
    interaction: bool = True, context: Optional[Mapping[str, object]] = None,
) -> Call[Answer]:
    return Call("signIn.status", {
        "interaction": _interaction(interaction), "context": context,
    }, _answer)
