# SPDX-License-Identifier: Apache-2.0
import contextlib
import importlib.util
import os
import sys
import time
import types
import unittest
from unittest import mock

from .stage import StageTest

try:
    from keyring import errors
except ImportError:
    errors = None
else:
    # Not in the `try`: an error of the backend itself must not skip the tests.
    from autofill_client import keyring as backend


@unittest.skipIf(errors is None, "keyring is not installed")
class LoadTests(unittest.TestCase):
    def test_it_is_loaded_with_each_name_of_the_properties(self):
        for name, other in (("keyring.compat", "keyring._compat"), ("keyring._compat", "keyring.compat")):
            compat = types.ModuleType(name)
            compat.properties = backend.properties
            specification = importlib.util.spec_from_file_location("autofill_client.loaded", backend.__file__)
            loaded = importlib.util.module_from_spec(specification)
            with self.subTest(name), mock.patch.dict(sys.modules, {name: compat, other: None}):
                specification.loader.exec_module(loaded)
                # keyring must not select this one.
                backend.KeyringBackend._classes.discard(loaded.AutofillKeyring)
                self.assertIs(loaded.properties, backend.properties)

    def test_no_error_holds_a_password_that_is_not_text(self):
        keyring = backend.AutofillKeyring()
        with self.assertRaises(errors.PasswordSetError) as caught:
            keyring.set_password("site", "ann", "hunter2\ud800")
        self.assertIsNone(caught.exception.__context__)
        self.assertNotIn("hunter2", repr(caught.exception))
        item = mock.Mock(data=b"hunter2\xff")
        with mock.patch.object(keyring, "_perform", return_value=item), self.assertRaises(errors.KeyringError) as caught:
            keyring.get_password("site", "ann")
        self.assertIsNone(caught.exception.__context__)
        self.assertNotIn("hunter2", repr(caught.exception))


@unittest.skipIf(errors is None, "keyring is not installed")
class KeyringTests(StageTest):
    """keyring's own exceptions are raised, at once."""

    def keyring(self, daemon, **properties):
        """Returns a backend as in a new process."""
        client = mock.patch.object(backend, "_session", backend._Session())
        environment = mock.patch.dict(os.environ, {"AUTOFILLD_SOCKET": daemon.socket, **properties})
        for patch in (client, environment):
            patch.start()
            self.addCleanup(patch.stop)
        self.addCleanup(self.close, backend._session)
        return backend.AutofillKeyring()

    @staticmethod
    def close(session):
        if session._client is not None:
            session._client.close()

    @contextlib.contextmanager
    def at_once(self, kind, *words):
        """A prompt would remain open for 120 seconds."""
        began = time.monotonic()
        with self.assertRaises(kind) as caught:
            yield
        self.assertLess(time.monotonic() - began, 60)
        for word in words:
            self.assertIn(word, str(caught.exception))
        self.assertNotIn("hunter2", repr(caught.exception) + repr(caught.exception.__cause__))

    def all_calls(self, keyring):
        return [
            lambda: keyring.get_password("site", "ann"), lambda: keyring.get_credential("site", None),
            lambda: keyring.set_password("site", "ann", "hunter2"), lambda: keyring.delete_password("site", "ann")]

    def test_a_stored_password_is_found(self):
        keyring = self.keyring(self.daemon("allow"))
        for name in ("ann", "", "\x01", "\x01x", "ä\u0308"):
            keyring.set_password("site", name, "hunter2 ä")
            self.assertEqual(keyring.get_password("site", name), "hunter2 ä")
            credential = keyring.get_credential("site", name)
            self.assertEqual((credential.username, credential.password), (name, "hunter2 ä"))
            self.assertEqual(keyring.get_credential("site", None).username, name)
            keyring.delete_password("site", name)
            self.assertIsNone(keyring.get_password("site", name))
        self.assertIsNone(keyring.get_credential("site", None))

    def test_of_several_users_the_last_changed_is_returned(self):
        keyring = self.keyring(self.daemon("allow"))
        for name in ("ann", "bob", "cat", "bob"):
            keyring.set_password("site", name, str(time.monotonic_ns()))
            time.sleep(0.002)
        self.assertEqual(keyring.get_credential("site", None).username, "bob")

    def test_it_is_selected_if_it_can_be_used(self):
        self.keyring(self.daemon())
        self.assertEqual(backend.AutofillKeyring.priority, backend.PRIORITY)
        self.assertTrue(backend.AutofillKeyring.viable)

    def test_without_a_daemon_a_vault_or_a_registration_it_is_not_selected(self):
        for daemon, word in [
            (self.daemon(is_ephemeral=False), "missing"), (self.daemon(registrations=False), "not registered"),
        ]:
            self.keyring(daemon)
            with self.at_once(RuntimeError, word):
                backend.AutofillKeyring.priority
            self.assertFalse(backend.AutofillKeyring.viable)
        daemon.kill()
        self.keyring(daemon)
        with self.at_once(RuntimeError, "autofilld is not running"):
            backend.AutofillKeyring.priority

    def test_it_prints_the_fix_without_a_vault_or_a_registration(self):
        for daemon, reason in [
            (self.daemon(is_ephemeral=False), "vault-missing"),
            (self.daemon("allow", registrations=False), "app-not-registered"),
        ]:
            for call in self.all_calls(self.keyring(daemon)):
                with self.at_once(errors.InitError, reason):
                    call()

    def test_it_raises_init_error_after_the_daemon_ended(self):
        daemon = self.daemon("allow")
        keyring = self.keyring(daemon)
        keyring.set_password("site", "ann", "hunter2")
        daemon.kill()
        for call in self.all_calls(keyring):
            with self.at_once(errors.InitError):
                call()

    def interactions(self):
        """Returns the `interaction` of all requests from now on."""
        client, seen = backend._session.get(), []
        perform = client.perform

        def watched(call):
            seen.append(call.params.get("interaction"))
            return perform(call)

        patch = mock.patch.object(client, "perform", watched)
        patch.start()
        self.addCleanup(patch.stop)
        return seen

    def test_a_locked_vault_is_reported_at_once_with_its_fix(self):
        daemon = self.daemon("allow")
        keyring = self.keyring(daemon)
        keyring.set_password("site", "ann", "hunter2")
        daemon.lock()
        interactions = self.interactions()
        for call in self.all_calls(keyring):
            with self.at_once(errors.KeyringLocked, "vault-locked", "autofillctl vault unlock"):
                call()
        # None of them may leave a prompt for the passphrase open.
        self.assertEqual(set(interactions), {None, "forbid"})
        self.assertTrue(backend.AutofillKeyring.viable)

    def test_a_locked_vault_is_unlocked_by_a_prompt_if_that_is_set(self):
        daemon = self.daemon("allow")
        self.keyring(daemon).set_password("site", "ann", "hunter2")
        daemon.lock()
        keyring = self.keyring(daemon, KEYRING_PROPERTY_UNLOCK="ask")
        interactions = self.interactions()
        # There is no user who could type it.
        with self.at_once(errors.KeyringLocked, "vault-locked"):
            keyring.get_password("site", "ann")
        self.assertEqual(interactions, ["allow"])

    def test_the_first_access_prompts_and_a_no_is_reported_at_once(self):
        for consent, outcome in (("allow", "hunter2"), ("deny", None)):
            daemon = self.daemon(consent)
            self.keyring(daemon).set_password("site", "ann", "hunter2")
            # Another process: the claim of an interpreter is not enough.
            other = self.keyring(daemon)
            if outcome:
                self.assertEqual(other.get_password("site", "ann"), outcome)
                self.assertEqual(other.get_credential("site", None).username, "ann")
            else:
                for call in self.all_calls(other):
                    with self.at_once(errors.KeyringLocked, "consent-denied"):
                        call()

    def test_without_a_prompt_it_fails_at_once(self):
        daemon = self.daemon()
        self.keyring(daemon).set_password("site", "ann", "hunter2")
        with self.at_once(errors.KeyringLocked, "grant-missing"):
            self.keyring(daemon).get_password("site", "ann")

    def test_a_password_that_cannot_be_stored_is_reported(self):
        keyring = self.keyring(self.daemon("allow"))
        for service, name, password in [
            ("site", "ann", "x" * 32_769), ("site", "n" * 1025, "x"), ("s" * 1025, "ann", "x"), ("a\0b", "ann", "x"),
            ("\ud800", "ann", "hunter2"), ("site", "\ud800", "hunter2"), ("site", "ann", "hunter2\ud800"),
        ]:
            with self.at_once(errors.PasswordSetError):
                keyring.set_password(service, name, password)
        keyring.set_password("site", "ann", "x" * 32_768)
        with self.at_once(errors.PasswordDeleteError):
            keyring.delete_password("site", "nobody")


if __name__ == "__main__":
    unittest.main()
