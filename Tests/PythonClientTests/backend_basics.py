# SPDX-License-Identifier: Apache-2.0
"""keyring's own tests of a backend, against the wheel that is installed."""

from keyring.testing.backend import BackendBasicTests

from autofill_client.keyring import AutofillKeyring


class TestAutofillKeyring(BackendBasicTests):
    def init_keyring(self):
        return AutofillKeyring()
