# SPDX-License-Identifier: Apache-2.0
"""The calls that are generated from the declarations, against the daemon."""

import inspect
import unittest

import autofill_client as autofill
from autofill_client import _aio_calls, _client_calls, calls
from .stage import StageTest

SITE = "shop.example.com"


class GeneratedCallTests(StageTest):
    def test_the_vault_and_its_settings_are_shown(self):
        client = self.client(self.daemon())
        self.assertEqual(client.status()["vault"], "unlocked")
        unlocked = client.vault_unlock(context={"parentWindow": "x11:7"})
        self.assertFalse(unlocked["changed"])
        self.assertNotIn("warnings", unlocked)
        conditions = client.diagnose(SITE, form=[{"id": "new", "contentType": "newPassword", "secure": True}])["conditions"]
        self.assertGreater(len(conditions), 5)

    def test_a_credential_and_its_codes_are_listed_and_deleted(self):
        client = self.client(self.daemon("allow"))
        saved = client.save(SITE, "ann", "hunter2")
        self.assertTrue(client.code_set("otpauth://totp/ann?secret=GEZDGNBVGY3TQOJQ", service=SITE, user="ann").changed)
        self.assertEqual(len(client.code_get(SITE, user="ann")["code"]), 6)
        self.assertTrue(client.code_delete(SITE, "ann"))
        self.assertEqual([each["credential"] for each in client.credential_list(SITE)], [saved.id])
        self.assertEqual(client.credential(credential=saved.id).password, "hunter2")
        self.assertTrue(client.update(saved.id, new_user="ann@example.com"))
        self.assertEqual(client.credential(SITE, "ann@example.com").password, "hunter2")
        self.assertEqual(client.offer_list(), ())
        form = [{"id": "pw", "contentType": "password", "secure": True, "value": "hunter3"}]
        sent = client.submit(SITE, form)["submission"]
        self.assertTrue(client.withdraw(sent).changed)
        sent = client.submit(SITE, form)["submission"]
        self.assertEqual(client.confirm(sent), autofill.Saved(saved.id, True))
        self.assertTrue(client.credential_delete(saved.id))

    def test_verifiers_sign_in_and_renaming_have_a_service_and_an_account(self):
        client = self.client(self.daemon())
        client.verifier_set("login", "ann", "hunter2")
        self.assertEqual(
            [client.verifier_check("login", "ann", password) for password in ("hunter2", "hunter3")], [True, False])
        self.assertTrue(client.verifier_delete("login", "ann"))
        client.sign_in_start("ann@example.com", "Ann", "hunter2")
        self.assertEqual(client.sign_in_status()["user"]["name"], "Ann")
        self.assertTrue(client.sign_in_end())
        client.keychain_set("tokens", "ann", b"secret")
        client.keychain_rename("tokens", "ann", {"namespace": "tokens", "account": "bob"})
        self.assertEqual(client.keychain_get("tokens", "bob").data, b"secret")


class SignatureTests(unittest.TestCase):
    def test_both_clients_have_the_same_calls(self):
        def signatures(kind):
            return {
                name: [str(each) for each in inspect.signature(method).parameters.values()]
                for name, method in vars(kind).items() if name in calls.__all__}

        synchronous = signatures(_client_calls.ClientCalls)
        self.assertEqual(synchronous, signatures(_aio_calls.AsyncClientCalls))
        self.assertGreater(len(synchronous), 35)
        self.assertFalse(set(synchronous) & set(vars(autofill.Client)))
