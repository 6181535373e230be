# SPDX-License-Identifier: Apache-2.0
"""A backend of Python's `keyring` over the keychain of autofilld: for pip, twine, poetry and whatever else uses it.

All that speaks through keyring is one app to the daemon, BUNDLE_ID. What that is worth: see README.md, "As a keyring".

Where there is no daemon, no vault or no registration it is not viable, and keyring takes another backend. All else is
told by keyring's own exceptions, at once, so that the program goes on to ask:

- KeyringLocked: the vault is locked, or the person said no or cannot be asked. With KEYRING_PROPERTY_UNLOCK=ask in the
  environment a prompt asks for the passphrase, and is waited for.
- InitError: the daemon went away, or is not to be used.
- PasswordSetError, PasswordDeleteError, KeyringError: for the reasons that they name.
"""

from __future__ import annotations

import threading
from typing import Callable, Optional, Type, TypeVar

from keyring.backend import KeyringBackend
from keyring.compat import properties
from keyring.credentials import SimpleCredential
from keyring.errors import InitError, KeyringError, KeyringLocked, PasswordDeleteError, PasswordSetError

from . import errors
from ._registration import BUNDLE_ID
from .client import Client

T = TypeVar("T")
#: Above Secret Service's 5, below the chainer's 10.
PRIORITY = 6
#: Stands before an empty name, and before one that begins with it: the daemon keeps no empty names.
ESCAPE = "\x01"
#: That the person has to be asked, and was not, or said no.
CLOSED = ("vault-locked", "consent-denied", "grant-denied", "grant-missing", "interaction-required")
#: That nothing can be kept here as things are.
UNUSABLE = (
    "vault-missing", "vault-unreadable", "vault-newer", "app-not-registered", "registration-invalid",
    "identity-mismatch", "keychain-disabled",
)


class _Session:
    """The client of this process: what is written over it is read over it without asking."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._client: Optional[Client] = None

    def get(self) -> Client:
        with self._lock:
            if self._client is None:
                self._client = Client(BUNDLE_ID)
            return self._client


_session = _Session()


class AutofillKeyring(KeyringBackend):
    """Keeps each password as a keychain item of its service and user name."""

    #: `ask` has a prompt open a locked vault.
    unlock = "never"

    @properties.classproperty
    def priority(cls) -> float:
        try:
            state = _session.get().call("status")["vault"]
            reasons = _session.get().greeting.answer["app"].get("reasonNames") or ()
        except errors.AutofillError as error:
            raise RuntimeError(str(error)) from None
        if "app-not-registered" in reasons or "registration-invalid" in reasons:
            raise RuntimeError(f"{BUNDLE_ID} is not registered: see python3 -m autofill_client")
        if state not in ("locked", "unlocked"):
            raise RuntimeError(f"autofilld has no vault that can be used: {state}")
        return PRIORITY

    def get_password(self, service: str, username: str) -> Optional[str]:
        return self._password(service, _escaped(username))

    def set_password(self, service: str, username: str, password: str) -> None:
        data = password.encode()
        self._perform(
            lambda client, asks: client.keychain_set(_escaped(service), _escaped(username), data, interaction=asks),
            PasswordSetError)

    def delete_password(self, service: str, username: str) -> None:
        deleted = self._perform(
            lambda client, asks: client.keychain_delete(_escaped(service), _escaped(username), interaction=asks),
            PasswordDeleteError)
        if not deleted.changed:
            raise PasswordDeleteError("There is no such password")

    def get_credential(self, service: str, username: Optional[str]) -> Optional[SimpleCredential]:
        """Of several users the one whose password was changed last."""
        account = None if username is None else _escaped(username)
        if account is None:
            items = self._perform(
                lambda client, asks: client.keychain_list(_escaped(service), interaction=asks), KeyringError)
            if not items:
                return None
            account = max(items, key=lambda item: item.modified.timestamp() if item.modified else 0.0).account
        password = self._password(service, account)
        return None if password is None else SimpleCredential(_plain(account), password)

    def _password(self, service: str, account: str) -> Optional[str]:
        try:
            item = self._perform(
                lambda client, asks: client.keychain_get(_escaped(service), account, interaction=asks), KeyringError)
        except KeyringError as error:
            cause = error.__cause__
            if isinstance(cause, errors.AutofillError) and cause.is_for("item-not-found"):
                return None
            raise
        try:
            return (item.data or b"").decode()
        except UnicodeDecodeError:
            raise KeyringError("What is kept there is no text") from None

    def _perform(self, request: Callable[[Client, bool], T], refused: Type[KeyringError]) -> T:
        """Performs it; has the person asked, but for the passphrase: who waits for that in vain should be told so at once."""
        try:
            client = _session.get()
            asks = self.unlock == "ask" or client.call("status")["vault"] != "locked"
            return request(client, asks)
        except errors.Refused as error:
            raise _translated(error, refused) from error
        except errors.AutofillError as error:
            raise InitError(str(error)) from error


def _translated(error: errors.Refused, refused: Type[KeyringError]) -> KeyringError:
    if error.is_for(*UNUSABLE):
        return InitError(str(error))
    return KeyringLocked(str(error)) if error.is_for(*CLOSED) else refused(str(error))


def _escaped(name: str) -> str:
    return ESCAPE + name if name == "" or name.startswith(ESCAPE) else name


def _plain(name: str) -> str:
    return name[len(ESCAPE):] if name.startswith(ESCAPE) else name
