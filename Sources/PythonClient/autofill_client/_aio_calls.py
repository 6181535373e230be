# SPDX-License-Identifier: Apache-2.0
# Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
"""The calls of AsyncClient."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence, Tuple, TypeVar

from . import calls, values
from ._call import Call, Fields, Page, Service
from ._wire import Answer

T = TypeVar("T")


class AsyncClientCalls:
    """A method for each request of the protocol that is for apps."""

    async def perform(self, call: Call[T]) -> T:
        raise NotImplementedError

    async def _pages(self, call: Callable[[Optional[str]], Call[Page[T]]]) -> Tuple[T, ...]:
        raise NotImplementedError

    async def suggest(
        self, service: Service, fields: Optional[Fields] = None, form: Optional[str] = None, **more: Any,
    ) -> values.Suggestions:
        """Returns what can be filled into the form that the app shows.

        :param service: The site.
        :param fields: The form's fields; of a declared form those that differ from the declaration now.
        :param form: The client's name for this form, a random UUID; the same form gets the same offer.
        :param more: Other parameters, by their names in protocol.md.
        """
        return await self.perform(calls.suggest(service, fields, form, **more))

    async def fill(
        self, *, offer: Optional[str] = None, credential: Optional[str] = None, code: Optional[str] = None,
        service: Optional[Service] = None, fields: Optional[Fields] = None, interaction: bool = True,
    ) -> values.Filled:
        """Returns the password of an offer or of a saved credential, and the fields for it: a recorded release. With a
        service the user selects the account.

        :param offer: The offer whose password it is.
        :param credential: The credential whose password it is.
        :param code: The one-time code, from a suggestion.
        :param service: The site, instead of an id: the user selects the account if there are several.
        :param fields: The form's fields; for an offer of this connection those of `autofill.suggest` where both are
        absent.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.fill(offer, credential, code, service, fields, interaction))

    async def accept(
        self, offer: str, user: Optional[str] = None, *, replaces: Optional[str] = None, interaction: bool = True,
    ) -> values.Saved:
        """Reports that the site accepted the password: the offer becomes a credential.

        :param offer: The offer.
        :param user: The user name.
        :param replaces: The credential whose password the offer replaces, in a change-of-password form.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.accept(offer, user, replaces, interaction))

    async def decline(
        self, offer: str,
    ) -> values.Saved:
        """Declines an offer. The password can still be found, but is not offered again.

        :param offer: The offer.
        """
        return await self.perform(calls.decline(offer))

    async def submitted(
        self, service: Service, fields: Fields, form: Optional[str] = None, *, interaction: bool = True,
    ) -> values.Saved:
        """Reports that the site accepted what the user typed: it is saved, or the user is prompted whether it should be.

        :param service: The site.
        :param fields: The form's fields; of a declared form those that differ from the declaration now.
        :param form: The client's name for this form, a random UUID; the same form gets the same offer.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.submitted(service, fields, form, interaction))

    async def save(
        self, service: Service, user: str, password: str, *, interaction: bool = True, **more: Any,
    ) -> values.Saved:
        """Saves what the user typed, or a new password for a saved user name.

        :param service: The site.
        :param user: The user name.
        :param password: The password.
        :param interaction: Whether the user may be prompted.
        :param more: Other parameters, by their names in protocol.md.
        """
        return await self.perform(calls.save(service, user, password, interaction, **more))

    async def update(
        self, credential: str, *, if_version: Optional[str] = None, interaction: bool = True, **more: Any,
    ) -> bool:
        """Sets what a credential has besides user and password.

        :param credential: The credential.
        :param if_version: Refuse with `version-mismatch` unless this is the version.
        :param interaction: Whether the user may be prompted.
        :param more: Other parameters, by their names in protocol.md.
        """
        return await self.perform(calls.update(credential, if_version, interaction, **more))

    async def credential(
        self, service: Service, user: Optional[str] = None, *, interaction: bool = True,
    ) -> values.Credential:
        """Returns a saved credential with its password: a recorded release.

        :param service: The site.
        :param user: The user name; if it is absent, the last used one, or an incoming code.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.credential(service, user, interaction))

    async def keychain_set(
        self, service: str, account: str, data: bytes, *, group: Optional[str] = None, interaction: bool = True,
    ) -> values.Saved:
        """Stores secret bytes: Apple's generic password.

        :param service: The app's name for what it stores.
        :param account: The account.
        :param data: The item's bytes; needed without `item`.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.keychain_set(service, account, data, group, interaction))

    async def keychain_get(
        self, service: str, account: str, *, group: Optional[str] = None, interaction: bool = True,
    ) -> values.Item:
        """Returns an item with its bytes: a recorded release.

        :param service: The app's name for what it stores.
        :param account: The account.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.keychain_get(service, account, group, interaction))

    async def keychain_delete(
        self, service: str, account: str, *, group: Optional[str] = None, interaction: bool = True,
    ) -> values.Saved:
        """Deletes an item permanently.

        :param service: The app's name for what it stores.
        :param account: The account.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.keychain_delete(service, account, group, interaction))

    async def keychain_list(
        self, service: str, *, group: Optional[str] = None, interaction: bool = True,
    ) -> Tuple[values.Item, ...]:
        """Lists the items of a service, without their bytes, page by page.

        :param service: The app's name for what it stores.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param interaction: Whether the user may be prompted.
        """
        return await self._pages(lambda cursor: calls.keychain_list(service, group, interaction, cursor=cursor))

    async def keychain_search(
        self, attributes: Optional[Mapping[str, str]] = None, *, collection: Optional[str] = None,
        group: Optional[str] = None, interaction: bool = True,
    ) -> Tuple[values.Item, ...]:
        """Lists the items that have all the given attributes, without their bytes, page by page.

        :param attributes: The attributes that an item must have; without any, all items that the program may read.
        :param collection: Only items of this collection.
        :param group: Only this group; all groups that the app may access if it is absent. A proof needs one.
        :param interaction: Whether the user may be prompted.
        """
        return await self._pages(lambda cursor: calls.keychain_search(attributes, collection, group, interaction, cursor=cursor))

    async def item_add(
        self, data: bytes, attributes: Mapping[str, str], *, label: Optional[str] = None, group: Optional[str] = None,
        replace: Optional[bool] = None, interaction: bool = True,
    ) -> values.Saved:
        """Stores secret bytes: Apple's generic password.

        :param data: The item's bytes; needed without `item`.
        :param attributes: All attributes that the item is found by: names and values.
        :param label: The name for people.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param replace: Whether an item with this `place`, or just these attributes, is changed: true with `place`, else
        false.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.item_add(data, attributes, label, group, replace, interaction))

    async def item_change(
        self, item: str, *, data: Optional[bytes] = None, attributes: Optional[Mapping[str, str]] = None,
        label: Optional[str] = None, interaction: bool = True,
    ) -> values.Saved:
        """Stores secret bytes: Apple's generic password.

        :param item: The id of an existing item.
        :param data: The item's bytes; needed without `item`.
        :param attributes: All attributes that the item is found by: names and values.
        :param label: The name for people.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.item_change(item, data, attributes, label, interaction))

    async def item_get(
        self, item: str, *, interaction: bool = True,
    ) -> values.Item:
        """Returns an item with its bytes: a recorded release.

        :param item: The item's id.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.item_get(item, interaction))

    async def item_delete(
        self, item: str, *, interaction: bool = True,
    ) -> values.Saved:
        """Deletes an item permanently.

        :param item: The item's id.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.item_delete(item, interaction))

    async def keychain_rename(
        self, service: str, account: str, new_place: Mapping[str, object], *, group: Optional[str] = None,
        if_version: Optional[str] = None, interaction: bool = True,
    ) -> values.Saved:
        """Changes the service and account of an item.

        :param service: The app's name for what it stores.
        :param account: The account.
        :param new_place: The new service and account; refused with `item-exists` if an item has them.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param if_version: Refuse with `version-mismatch` unless this is the version.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.keychain_rename(service, account, new_place, group, if_version, interaction))

    async def diagnose(
        self, service: Optional[Service] = None, *, fields: Optional[Fields] = None,
        declared_form: Optional[str] = None,
    ) -> Answer:
        """Lists every condition of AutoFill for the calling app, met or not, with evidence and fix.

        :param service: The site; without it the conditions about it are left out.
        :param fields: The form; without it the conditions about it are left out.
        :param declared_form: The form of this name in the app's registration.
        """
        return await self.perform(calls.diagnose(service, fields, declared_form))

    async def credential_list(
        self, service: Optional[Service] = None, *, interaction: bool = True,
    ) -> Tuple[Answer, ...]:
        """Lists saved credentials, without secrets, page by page.

        :param service: All services when absent, which only a proof permits.
        :param interaction: Whether the user may be prompted.
        """
        return await self._pages(lambda cursor: calls.credential_list(service, interaction, cursor=cursor))

    async def code_get(
        self, service: Service, user: Optional[str] = None, *, interaction: bool = True,
    ) -> Answer:
        """Returns the current one-time code: a recorded release.

        :param service: The site.
        :param user: The user name; if it is absent, the last used one, or an incoming code.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.code_get(service, user, interaction))

    async def vault_unlock(
        self, *, interaction: bool = True,
    ) -> Answer:
        """Unlocks the vault. Apps send no secret: the daemon prompts the user.

        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.vault_unlock(interaction))

    async def status(
        self,
    ) -> Answer:
        """Returns the state of the daemon. It shows how much data there is, and none of the data."""
        return await self.perform(calls.status())

    async def offer_list(
        self, *, state: Optional[str] = None,
    ) -> Tuple[Answer, ...]:
        """Lists offered passwords: the app's own pending ones, or with proof those of all apps, the declined and expired
        ones included.

        :param state: None for pending ones. Others need proof.
        """
        return await self._pages(lambda cursor: calls.offer_list(state, cursor=cursor))

    async def credential_delete(
        self, credential: str, *, if_version: Optional[str] = None, interaction: bool = True,
    ) -> bool:
        """Deletes a credential. It can be restored for 30 days.

        :param credential: The credential.
        :param if_version: Refuse with `version-mismatch` unless this is the version.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.credential_delete(credential, if_version, interaction))

    async def code_set(
        self, service: Service, uri: str, *, user: Optional[str] = None, if_version: Optional[str] = None,
        interaction: bool = True,
    ) -> values.Saved:
        """Sets the secret of a saved credential's one-time codes.

        :param service: The site.
        :param uri: The secret and its parameters, `otpauth://…`.
        :param user: The user name; the account of the URI if it is absent.
        :param if_version: Refuse with `version-mismatch` unless this is the version.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.code_set(service, uri, user, if_version, interaction))

    async def code_delete(
        self, service: Service, user: str, *, if_version: Optional[str] = None, interaction: bool = True,
    ) -> bool:
        """Deletes the one-time codes of a credential.

        :param service: The site.
        :param user: The user name.
        :param if_version: Refuse with `version-mismatch` unless this is the version.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.code_delete(service, user, if_version, interaction))

    async def code_offer(
        self, service: Service, code: str,
    ) -> Answer:
        """Hands over a code that was received, by mail or modem, for any app that shows a form of that site.

        :param service: The site that sent it.
        :param code: The code as it was received.
        """
        return await self.perform(calls.code_offer(service, code))

    async def keychain_request(
        self, items: Sequence[str], *, parent_window: Optional[str] = None, interaction: bool = True,
    ) -> Answer:
        """Prompts the user once for several items, and returns which of them may be read. It releases none.

        :param items: The items' ids, one at least.
        :param parent_window: The window that the prompt belongs to, `x11:…` or `wayland:…`; other values are ignored.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.keychain_request(items, parent_window, interaction))

    async def verifier_set(
        self, service: str, account: str, password: str, *, group: Optional[str] = None, interaction: bool = True,
    ) -> Answer:
        """Stores what a password can be checked against, and not the password.

        :param service: The app's name for what it stores.
        :param account: The account.
        :param password: The password.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.verifier_set(service, account, password, group, interaction))

    async def verifier_check(
        self, service: str, account: str, password: str, *, group: Optional[str] = None,
    ) -> bool:
        """Returns whether a password is the one that was set.

        :param service: The app's name for what it stores.
        :param account: The account.
        :param password: The password.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        """
        return await self.perform(calls.verifier_check(service, account, password, group))

    async def verifier_delete(
        self, service: str, account: str, *, group: Optional[str] = None, interaction: bool = True,
    ) -> bool:
        """Deletes a verifier permanently.

        :param service: The app's name for what it stores.
        :param account: The account.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.verifier_delete(service, account, group, interaction))

    async def sign_in_start(
        self, account: str, name: str, password: str, *, service: Optional[str] = None, interaction: bool = True,
    ) -> Answer:
        """Signs a user in: stores a verifier of the password, and makes the user the current one.

        :param account: The account, for example an e-mail address.
        :param name: The name of the user.
        :param password: The password.
        :param service: The app's bundle ID when it is absent.
        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.sign_in_start(account, name, password, service, interaction))

    async def sign_in_end(
        self, *, interaction: bool = True,
    ) -> bool:
        """Signs the user out: deletes the verifier, then there is no current user.

        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.sign_in_end(interaction))

    async def sign_in_status(
        self, *, interaction: bool = True,
    ) -> Answer:
        """Returns whether a user is signed in, and which one.

        :param interaction: Whether the user may be prompted.
        """
        return await self.perform(calls.sign_in_status(interaction))

    async def setting_get(
        self, setting: str, *, app: Optional[str] = None,
    ) -> Answer:
        """Returns one setting; of `strongPasswords` also the value for one app.

        :param setting: The name of the setting.
        :param app: With `strongPasswords`: what holds for this app. Its own an app may know.
        """
        return await self.perform(calls.setting_get(setting, app))
