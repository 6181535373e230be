// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// What is told of slots.
extension Console {
    /// What a slot protects from, and what not.
    func print(_ slot: SlotReport) {
        let name =
            switch slot.kind {
            case "key": "key file"
            case "recoveryKey": "recovery key"
            default: slot.kind
            }
        for line in hanging("", "\(name): \(slot.protects)", indent: 2, within: width ?? 100) { print(line) }
    }

    /// The recovery key, which nothing shows again.
    func print(recoveryKey: SecretBytes) {
        print("The recovery key, shown this once; write it down now:")
        print("")
        print("  " + recoveryKey.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        print("")
    }

    /// The backups that a secret opens which the vault is rid of, and what to do about them.
    func print(stillOpen backups: [String]) {
        guard !backups.isEmpty else { return }
        print("The former secret still opens these backups:")
        for backup in backups { print("  \(backup.printable)") }
        print("", hanging: "Delete those that you do not need. If somebody else may know it: autofillctl vault rekey")
    }
}
