// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import FoundationEssentials
import SecretMemory

/// An item of another keyring, as its service tells it.
struct KeyringItem {
    let label: String
    let attributes: [String: String]
    let secret: SecretBytes
    let contentType: String
    /// Seconds since 1970; 0 where it is not told.
    let created: UInt64
    let modified: UInt64
    /// What people call the keyring that it lies in.
    let keyring: String

    var schema: String { attributes[SecretServiceNames.schema] ?? "" }

    /// The attributes that it is kept with: one that has none gets what autofill-secrets gives such items.
    var keptAttributes: [String: String] {
        attributes.isEmpty ? SecretServiceNames.noAttributes : attributes
    }

    /// When it was made and last changed, as keychain.set has it.
    var times: ItemTimes {
        let last = Self.instant(modified)
        let first = last == nil ? created : min(created, modified)
        return ItemTimes(created: Self.instant(first), modified: last)
    }

    /// `2020-02-29T09:30:00.000Z`; nil for what is not told, and for what no calendar here has.
    private static func instant(_ seconds: UInt64) -> String? {
        guard seconds > 0, seconds < 253_402_300_800 else { return nil }
        return Date(timeIntervalSince1970: Double(seconds)).wire
    }

    /// Why the vault cannot have it; nil where it can.
    var obstacle: String? {
        let bytes = attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        let longest = attributes.flatMap { [$0.key.utf8.count, $0.value.utf8.count] }.max() ?? 0
        if secret.count > Limits.itemDataBytes { return "it holds over \(Limits.itemDataBytes) bytes" }
        if label.utf8.count > Limits.itemNameBytes { return "its label has over \(Limits.itemNameBytes) bytes" }
        if attributes.count > Limits.itemAttributes { return "it has over \(Limits.itemAttributes) attributes" }
        if bytes > Limits.itemAttributesBytes || longest > Limits.itemNameBytes {
            return "its attributes are too long"
        }
        if attributes[""] != nil { return "it has an attribute without a name" }
        if attributes.keys.contains(where: { $0.hasPrefix(SecretServiceNames.hiddenPrefix) }) {
            return "it has an attribute of the service's own (\(SecretServiceNames.hiddenPrefix)…)"
        }
        return nil
    }
}

/// A keyring of another service's, and how far it was read.
struct ReadKeyring {
    /// What people call it; the file's name where it could not be opened.
    let name: String
    let file: String
    /// nil where it stays closed.
    let items: [KeyringItem]?
    /// What keeps it closed.
    let problem: CommandFailure.Problem?
}
