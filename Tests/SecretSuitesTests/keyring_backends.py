# SPDX-License-Identifier: Apache-2.0
"""keyring's own tests of a backend, for both that use Secret Service."""
from keyring.backends import SecretService, libsecret
from keyring.testing.backend import BackendBasicTests


class TestSecretStorage(BackendBasicTests):
    def init_keyring(self):
        return SecretService.Keyring()


class TestLibsecret(BackendBasicTests):
    def init_keyring(self):
        return libsecret.Keyring()
