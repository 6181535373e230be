// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// Printing slots.
extension Console {
    /// Prints what a slot protects against, and what not.
    func print(_ slot: SlotReport) {
        let name =
            switch slot.kind {
            case "key": "key file"
            case "recoveryKey": "recovery key"
            default: slot.kind
            }
        for line in hanging("", "\(name): \(slot.protects)", indent: 2, within: width ?? 100) { print(line) }
    }

    /// Prints the recovery key, which is never shown again.
    func print(recoveryKey: SecretBytes) {
        print("The recovery key is shown only once; write it down now:")
        print("")
        print("  " + recoveryKey.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        print("")
    }

    /// Prints the backups that a removed secret still opens, and the fix.
    func print(stillOpen backups: [String]) {
        guard !backups.isEmpty else { return }
        print("The former secret still opens these backups:")
        for backup in backups { print("  \(backup.printable)") }
        print(
            "",
            hanging: "Delete those that you do not need. If someone else may have the secret: autofillctl vault rekey")
    }
}
