# SPDX-License-Identifier: Apache-2.0
# Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
"""What the protocol declares of its methods."""

#: Methods whose requests must not be sent again when the answer was lost.
ONCE = frozenset({
    "hello", "request.cancel", "autofill.confirm", "code.get", "keychain.rename", "verifier.check",
    "admin.import.add", "admin.import.commit", "admin.sync.start", "admin.sync.join", "admin.sync.invite",
    "admin.sync.admit", "admin.sync.remove", "admin.vault.create", "admin.vault.backup", "admin.vault.restore",
    "admin.vault.rekey", "admin.slot.add", "admin.slot.change", "admin.slot.remove", "admin.prompter.attach",
})
