# SPDX-License-Identifier: Apache-2.0
# Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
"""The calls of Client."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence, Tuple, TypeVar

from . import calls, values
from ._call import Call, Form, Page, Service
from ._wire import Answer

T = TypeVar("T")


class ClientCalls:
    """A method for each request of the protocol that is for apps."""

    def perform(self, call: Call[T]) -> T:
        raise NotImplementedError

    def _pages(self, call: Callable[[Optional[str]], Call[Page[T]]]) -> Tuple[T, ...]:
        raise NotImplementedError

    def suggest(
        self, service: Service, form: Form, *, context: Optional[Mapping[str, object]] = None, **more: Any,
    ) -> values.Suggestions:
        """Returns what can be filled into the form that the app shows.

        :param service: The site.
        :param form: The form.
        :param context: The page, and the window that a prompt belongs to.
        :param more: Other parameters, by their names in protocol.md.
        """
        return self.perform(calls.suggest(service, form, context, **more))

    def fill(
        self, *, offer: Optional[str] = None, credential: Optional[str] = None, code: Optional[str] = None,
        service: Optional[Service] = None, user: Optional[str] = None, form: Optional[Form] = None,
        interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> values.Filled:
        """Returns the password of an offer or of a saved credential, and the fields for it: a recorded release. With a
        service the user selects the account.

        :param offer: The offer whose password it is.
        :param credential: The credential whose password it is.
        :param code: The one-time code, from a suggestion.
        :param service: The site, instead of an id: the user selects the account if there are several.
        :param user: Beside the site: the user name of the account; then the user does not select.
        :param form: The form; for an offer of this connection that of `autofill.suggest` if it is absent.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.fill(offer, credential, code, service, user, form, interaction, context))

    def accept(
        self, offer: str, user: Optional[str] = None, *, replaces: Optional[str] = None, interaction: bool = True,
        context: Optional[Mapping[str, object]] = None,
    ) -> values.Saved:
        """Reports that the site accepted the password: the offer becomes a credential.

        :param offer: The offer.
        :param user: The user name.
        :param replaces: The credential whose password the offer replaces, in a change-of-password form.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.accept(offer, user, replaces, interaction, context))

    def decline(
        self, offer: str, *, context: Optional[Mapping[str, object]] = None,
    ) -> values.Saved:
        """Declines an offer. The password can still be found, but is not offered again.

        :param offer: The offer.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.decline(offer, context))

    def submit(
        self, service: Service, form: Form, *, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> Answer:
        """Reports that a form was sent. Nothing is saved before `autofill.confirm`, which reports that the site accepted
        it.

        :param service: The site.
        :param form: The form.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.submit(service, form, interaction, context))

    def confirm(
        self, submission: str, *, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> values.Saved:
        """Reports that the site accepted a form that was sent: what the user typed is saved, or the user is prompted
        whether it should be.

        :param submission: What `autofill.submit` returned.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.confirm(submission, interaction, context))

    def withdraw(
        self, submission: str,
    ) -> values.Saved:
        """Reports that the site refused a form that was sent. Nothing of it is saved.

        :param submission: What `autofill.submit` returned.
        """
        return self.perform(calls.withdraw(submission))

    def save(
        self, service: Service, user: str, password: str, *, interaction: bool = True,
        context: Optional[Mapping[str, object]] = None, **more: Any,
    ) -> values.Saved:
        """Saves what the user typed, or a new password for a saved user name.

        :param service: The site.
        :param user: The user name.
        :param password: The password.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        :param more: Other parameters, by their names in protocol.md.
        """
        return self.perform(calls.save(service, user, password, interaction, context, **more))

    def update(
        self, credential: Optional[str] = None, *, service: Optional[Service] = None, user: Optional[str] = None,
        new_user: Optional[str] = None, if_version: Optional[str] = None, interaction: bool = True,
        context: Optional[Mapping[str, object]] = None, **more: Any,
    ) -> bool:
        """Sets what a credential has besides its password, and renames it.

        :param credential: The credential's id.
        :param service: Instead of the id: the site, or one of a list's `services`.
        :param user: Beside the site: the user name.
        :param new_user: The new user name; refused with `credential-taken` if one is saved with it.
        :param if_version: Refuse with `version-mismatch` unless this is the version.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        :param more: Other parameters, by their names in protocol.md.
        """
        return self.perform(calls.update(credential, service, user, new_user, if_version, interaction, context, **more))

    def credential(
        self, service: Optional[Service] = None, user: Optional[str] = None, *, credential: Optional[str] = None,
        interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> values.Credential:
        """Returns a saved credential with its password: a recorded release.

        :param service: Instead of the id: the site, or one of a list's `services`.
        :param user: Beside the site: the user name.
        :param credential: The credential's id.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.credential(service, user, credential, interaction, context))

    def keychain_set(
        self, namespace: str, account: str, data: bytes, *, group: Optional[str] = None, interaction: bool = True,
        context: Optional[Mapping[str, object]] = None,
    ) -> values.Saved:
        """Stores secret bytes: Apple's generic password.

        :param namespace: The app's name for what it stores.
        :param account: The account.
        :param data: The item's bytes; needed without `item`.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.keychain_set(namespace, account, data, group, interaction, context))

    def keychain_get(
        self, namespace: str, account: str, *, group: Optional[str] = None, interaction: bool = True,
        context: Optional[Mapping[str, object]] = None,
    ) -> values.Item:
        """Returns an item with its bytes: a recorded release.

        :param namespace: The app's name for what it stores.
        :param account: The account.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.keychain_get(namespace, account, group, interaction, context))

    def keychain_delete(
        self, namespace: str, account: str, *, group: Optional[str] = None, interaction: bool = True,
        context: Optional[Mapping[str, object]] = None,
    ) -> values.Saved:
        """Deletes an item permanently.

        :param namespace: The app's name for what it stores.
        :param account: The account.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.keychain_delete(namespace, account, group, interaction, context))

    def keychain_list(
        self, namespace: str, *, group: Optional[str] = None, interaction: bool = True,
        context: Optional[Mapping[str, object]] = None,
    ) -> Tuple[values.Item, ...]:
        """Lists the items of a namespace, or those that have all the given attributes, without their bytes, page by page.

        :param namespace: The app's name for what it stores.
        :param group: Only this group. Absent: with `place` the app's own, else all groups that the app may access. A
        proof needs one, except for all items of all groups.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self._pages(lambda cursor: calls.keychain_list(namespace, group, interaction, context, cursor=cursor))

    def keychain_search(
        self, attributes: Optional[Mapping[str, str]] = None, *, collection: Optional[str] = None,
        group: Optional[str] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> Tuple[values.Item, ...]:
        """Lists the items of a namespace, or those that have all the given attributes, without their bytes, page by page.

        :param attributes: The attributes that an item must have; without any, all items that the program may read.
        :param collection: Only items of this collection.
        :param group: Only this group. Absent: with `place` the app's own, else all groups that the app may access. A
        proof needs one, except for all items of all groups.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self._pages(lambda cursor: calls.keychain_search(attributes, collection, group, interaction, context, cursor=cursor))

    def item_add(
        self, data: bytes, attributes: Mapping[str, str], *, label: Optional[str] = None, group: Optional[str] = None,
        replace: Optional[bool] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> values.Saved:
        """Stores secret bytes: Apple's generic password.

        :param data: The item's bytes; needed without `item`.
        :param attributes: All attributes that the item is found by: names and values.
        :param label: The name for people.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param replace: Whether an item with this `place`, or just these attributes, is changed: true with `place`, else
        false.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.item_add(data, attributes, label, group, replace, interaction, context))

    def item_change(
        self, item: str, *, data: Optional[bytes] = None, attributes: Optional[Mapping[str, str]] = None,
        label: Optional[str] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> values.Saved:
        """Stores secret bytes: Apple's generic password.

        :param item: The id of an existing item.
        :param data: The item's bytes; needed without `item`.
        :param attributes: All attributes that the item is found by: names and values.
        :param label: The name for people.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.item_change(item, data, attributes, label, interaction, context))

    def item_get(
        self, item: str, *, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> values.Item:
        """Returns an item with its bytes: a recorded release.

        :param item: The item's id.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.item_get(item, interaction, context))

    def item_delete(
        self, item: str, *, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> values.Saved:
        """Deletes an item permanently.

        :param item: The item's id.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.item_delete(item, interaction, context))

    def keychain_rename(
        self, namespace: str, account: str, new_place: Mapping[str, object], *, group: Optional[str] = None,
        if_version: Optional[str] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> values.Saved:
        """Changes the namespace and account of an item.

        :param namespace: The app's name for what it stores.
        :param account: The account.
        :param new_place: The new namespace and account; refused with `item-exists` if an item has them.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param if_version: Refuse with `version-mismatch` unless this is the version.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.keychain_rename(namespace, account, new_place, group, if_version, interaction, context))

    def diagnose(
        self, service: Optional[Service] = None, *, form: Optional[Form] = None,
        context: Optional[Mapping[str, object]] = None,
    ) -> Answer:
        """Lists every condition of AutoFill for the calling app, met or not, with evidence and fix.

        :param service: The site; without it the conditions about it are left out.
        :param form: The form; without it the conditions about it are left out.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.diagnose(service, form, context))

    def credential_list(
        self, service: Optional[Service] = None, *, interaction: bool = True,
        context: Optional[Mapping[str, object]] = None,
    ) -> Tuple[Answer, ...]:
        """Lists saved credentials, without secrets, page by page.

        :param service: All services when absent, which only a proof permits.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self._pages(lambda cursor: calls.credential_list(service, interaction, context, cursor=cursor))

    def credential_delete(
        self, credential: Optional[str] = None, *, service: Optional[Service] = None, user: Optional[str] = None,
        if_version: Optional[str] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> bool:
        """Deletes a credential. It can be restored for 30 days.

        :param credential: The credential's id.
        :param service: Instead of the id: the site, or one of a list's `services`.
        :param user: Beside the site: the user name.
        :param if_version: Refuse with `version-mismatch` unless this is the version.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.credential_delete(credential, service, user, if_version, interaction, context))

    def code_get(
        self, service: Optional[Service] = None, user: Optional[str] = None, *, credential: Optional[str] = None,
        interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> Answer:
        """Returns the current one-time code: a recorded release.

        :param service: Instead of the id: the site, or one of a list's `services`.
        :param user: Beside the site: the user name.
        :param credential: The credential's id.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.code_get(service, user, credential, interaction, context))

    def code_set(
        self, uri: str, *, service: Optional[Service] = None, user: Optional[str] = None,
        credential: Optional[str] = None, if_version: Optional[str] = None, interaction: bool = True,
        context: Optional[Mapping[str, object]] = None,
    ) -> values.Saved:
        """Sets the secret of a saved credential's one-time codes.

        :param uri: The secret and its parameters, `otpauth://…`.
        :param service: Instead of the id: the site, or one of a list's `services`.
        :param user: Beside the site: the user name.
        :param credential: The credential's id.
        :param if_version: Refuse with `version-mismatch` unless this is the version.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.code_set(uri, service, user, credential, if_version, interaction, context))

    def code_delete(
        self, service: Optional[Service] = None, user: Optional[str] = None, *, credential: Optional[str] = None,
        if_version: Optional[str] = None, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> bool:
        """Deletes the one-time codes of a credential.

        :param service: Instead of the id: the site, or one of a list's `services`.
        :param user: Beside the site: the user name.
        :param credential: The credential's id.
        :param if_version: Refuse with `version-mismatch` unless this is the version.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.code_delete(service, user, credential, if_version, interaction, context))

    def verifier_set(
        self, namespace: str, account: str, password: str, *, group: Optional[str] = None, interaction: bool = True,
        context: Optional[Mapping[str, object]] = None,
    ) -> values.Saved:
        """Stores what a password can be checked against, and not the password.

        :param namespace: The app's name for what it stores.
        :param account: The account.
        :param password: The password.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.verifier_set(namespace, account, password, group, interaction, context))

    def vault_unlock(
        self, *, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> Answer:
        """Unlocks the vault. Apps send no secret: the daemon prompts the user.

        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.vault_unlock(interaction, context))

    def status(
        self,
    ) -> Answer:
        """Returns the state of the daemon: to an app without a registration, or in a sandbox, that of the vault alone. It
        shows how much data there is, and none of the data."""
        return self.perform(calls.status())

    def offer_list(
        self, *, state: Optional[str] = None, context: Optional[Mapping[str, object]] = None,
    ) -> Tuple[Answer, ...]:
        """Lists offered passwords: the app's own pending ones, or with proof those of all apps, the declined and expired
        ones included.

        :param state: None for pending ones. Others need proof.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self._pages(lambda cursor: calls.offer_list(state, context, cursor=cursor))

    def code_offer(
        self, service: Service, code: str,
    ) -> Answer:
        """Hands over a code that was received, by mail or modem, for any app that shows a form of that site.

        :param service: The site that sent it.
        :param code: The code as it was received.
        """
        return self.perform(calls.code_offer(service, code))

    def keychain_request(
        self, items: Sequence[str], *, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> Answer:
        """Prompts the user once for several items, and returns which of them may be read. It releases none.

        :param items: The items' ids, one at least.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.keychain_request(items, interaction, context))

    def verifier_check(
        self, namespace: str, account: str, password: str, *, group: Optional[str] = None,
    ) -> bool:
        """Returns whether a password is the one that was set.

        :param namespace: The app's name for what it stores.
        :param account: The account.
        :param password: The password.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        """
        return self.perform(calls.verifier_check(namespace, account, password, group))

    def verifier_delete(
        self, namespace: str, account: str, *, group: Optional[str] = None, interaction: bool = True,
        context: Optional[Mapping[str, object]] = None,
    ) -> bool:
        """Deletes a verifier permanently.

        :param namespace: The app's name for what it stores.
        :param account: The account.
        :param group: The access group; the app's own, its bundle ID, if it is absent.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.verifier_delete(namespace, account, group, interaction, context))

    def sign_in_start(
        self, account: str, name: str, password: str, *, namespace: Optional[str] = None, interaction: bool = True,
        context: Optional[Mapping[str, object]] = None,
    ) -> Answer:
        """Signs a user in: stores a verifier of the password, and makes the user the current one.

        :param account: The account, for example an e-mail address.
        :param name: The name of the user.
        :param password: The password.
        :param namespace: The app's bundle ID when it is absent.
        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.sign_in_start(account, name, password, namespace, interaction, context))

    def sign_in_end(
        self, *, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> bool:
        """Signs the user out: deletes the verifier, then there is no current user.

        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.sign_in_end(interaction, context))

    def sign_in_status(
        self, *, interaction: bool = True, context: Optional[Mapping[str, object]] = None,
    ) -> Answer:
        """Returns whether a user is signed in, and which one.

        :param interaction: Whether the user may be prompted.
        :param context: The page, and the window that a prompt belongs to.
        """
        return self.perform(calls.sign_in_status(interaction, context))
