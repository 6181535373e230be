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

    /// Prints the backups that a removed secret still opens, those that it may open, and the fix.
    func print(stillOpen backups: [String], unchecked: [String]) {
        print("The former secret still opens these backups:", backups)
        print(unchecked: unchecked)
        guard !backups.isEmpty || !unchecked.isEmpty else { return }
        print(
            "",
            hanging: "Delete those that you do not need. If someone else may have the secret: autofillctl vault rekey")
    }

    /// Prints the backups that could not be read.
    func print(unchecked backups: [String]) {
        print("These backups could not be read, and the former secret may open them:", backups)
    }

    /// Prints paths under a title; nothing for none.
    func print(_ title: String, _ paths: [String]) {
        guard !paths.isEmpty else { return }
        print(title)
        for path in paths { print("  \(path.printable)") }
    }
}
