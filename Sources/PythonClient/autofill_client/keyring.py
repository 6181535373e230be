# SPDX-License-Identifier: Apache-2.0
"""A backend of Python's `keyring` over the keychain of autofilld: for pip, twine, poetry and others.

All programs that use keyring are one app for the daemon, BUNDLE_ID. For what that means see README.md, "As a keyring".

Without a daemon, a vault or a registration it is not viable, and keyring selects another backend. Any other failure raises
one of keyring's own exceptions, at once, so that the program can prompt by itself:

- KeyringLocked: the vault is locked, or the user said no or cannot be prompted. With KEYRING_PROPERTY_UNLOCK=ask in the
  environment a prompt asks for the passphrase, and the call waits for it.
- InitError: the daemon is not available, or cannot be used.
- PasswordSetError, PasswordDeleteError, KeyringError: for the reasons in their text.
"""

from __future__ import annotations

import threading
from typing import Callable, Optional, Type, TypeVar

from keyring.backend import KeyringBackend
from keyring.credentials import SimpleCredential
from keyring.errors import InitError, KeyringError, KeyringLocked, PasswordDeleteError, PasswordSetError

try:
    from keyring.compat import properties
except ImportError:
    # Its name before keyring 25.
    from keyring._compat import properties  # type: ignore[import-not-found, no-redef]

from . import errors
from ._registration import BUNDLE_ID
from .client import Client

T = TypeVar("T")
#: Above the 5 of Secret Service, below the 10 of the chainer.
PRIORITY = 6
#: Precedes an empty name, and one that begins with it: the daemon stores no empty names.
ESCAPE = "\x01"
#: The user must be prompted, and was not, or said no.
CLOSED = ("vault-locked", "consent-denied", "grant-denied", "grant-missing", "interaction-required")
#: Nothing can be stored at present.
UNUSABLE = (
    "vault-missing", "vault-unreadable", "vault-newer", "app-not-registered", "registration-invalid",
    "identity-mismatch", "keychain-disabled",
)


class _Session:
    """The client of this process. What it writes it reads without a prompt."""

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
    """Stores each password as a keychain item with its service and user name."""

    #: `ask`: a locked vault is unlocked by a prompt.
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
            raise RuntimeError(f"autofilld has no usable vault: {state}")
        return PRIORITY

    def get_password(self, service: str, username: str) -> Optional[str]:
        return self._password(service, _escaped(username))

    def set_password(self, service: str, username: str, password: str) -> None:
        data = _encoded(password)
        if data is None:
            raise PasswordSetError("The password is not text of Unicode")
        self._perform(
            lambda client, may_prompt: client.keychain_set(_escaped(service), _escaped(username), data, interaction=may_prompt),
            PasswordSetError)

    def delete_password(self, service: str, username: str) -> None:
        deleted = self._perform(
            lambda client, may_prompt: client.keychain_delete(_escaped(service), _escaped(username), interaction=may_prompt),
            PasswordDeleteError)
        if not deleted.changed:
            raise PasswordDeleteError("There is no such password")

    def get_credential(self, service: str, username: Optional[str]) -> Optional[SimpleCredential]:
        """If there are several users, the one whose password was changed last."""
        account = None if username is None else _escaped(username)
        if account is None:
            items = self._perform(
                lambda client, may_prompt: client.keychain_list(_escaped(service), interaction=may_prompt), KeyringError)
            if not items:
                return None
            account = max(items, key=lambda item: item.modified.timestamp() if item.modified else 0.0).account
        password = self._password(service, account)
        return None if password is None else SimpleCredential(_plain(account), password)

    def _password(self, service: str, account: str) -> Optional[str]:
        try:
            item = self._perform(
                lambda client, may_prompt: client.keychain_get(_escaped(service), account, interaction=may_prompt), KeyringError)
        except KeyringError as error:
            cause = error.__cause__
            if isinstance(cause, errors.AutofillError) and cause.is_for("item-not-found"):
                return None
            raise
        password = _decoded(item.data or b"")
        if password is None:
            raise KeyringError("The stored bytes are not text")
        return password

    def _perform(self, request: Callable[[Client, bool], T], refused: Type[KeyringError]) -> T:
        """Performs it. The user may be prompted, but not for the passphrase: with a locked vault it fails at once."""
        try:
            client = _session.get()
            may_prompt = self.unlock == "ask" or client.call("status")["vault"] != "locked"
            return request(client, may_prompt)
        except errors.Refused as error:
            raise _translated(error, refused) from error
        except errors.AutofillError as error:
            raise InitError(str(error)) from error


def _translated(error: errors.Refused, refused: Type[KeyringError]) -> KeyringError:
    if error.is_for(*UNUSABLE):
        return InitError(str(error))
    return KeyringLocked(str(error)) if error.is_for(*CLOSED) else refused(str(error))


# A UnicodeError holds the password. These return None, so that it is not the `__context__` of the error that is raised.


def _encoded(password: str) -> Optional[bytes]:
    try:
        return password.encode()
    except UnicodeEncodeError:
        return None


def _decoded(data: bytes) -> Optional[str]:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _escaped(name: str) -> str:
    return ESCAPE + name if name == "" or name.startswith(ESCAPE) else name


def _plain(name: str) -> str:
    return name[len(ESCAPE):] if name.startswith(ESCAPE) else name
