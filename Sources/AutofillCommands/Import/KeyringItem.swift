// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import FoundationEssentials
import SecretMemory

/// An item of another keyring, as its service returns it.
struct KeyringItem {
    let label: String
    let attributes: [String: String]
    let secret: SecretBytes
    let contentType: String
    /// Seconds since 1970; 0 if unknown.
    let created: UInt64
    let modified: UInt64
    /// The label of its keyring.
    let keyring: String

    var schema: String { attributes[SecretServiceNames.schema] ?? "" }

    /// The attributes that it is stored with: an item without any gets those that autofill-secrets sets for such items.
    var keptAttributes: [String: String] {
        attributes.isEmpty ? SecretServiceNames.noAttributes : attributes
    }

    /// When it was created and last changed, for keychain.set.
    var times: ItemTimes {
        let last = Self.instant(modified)
        let first = last == nil ? created : min(created, modified)
        return ItemTimes(created: Self.instant(first), modified: last)
    }

    /// `2020-02-29T09:30:00.000Z`; nil if unknown, or out of range.
    private static func instant(_ seconds: UInt64) -> String? {
        guard seconds > 0, seconds < 253_402_300_800 else { return nil }
        return Date(timeIntervalSince1970: Double(seconds)).wire
    }

    /// Why the vault cannot store it; nil if it can.
    var obstacle: String? {
        let bytes = attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        let longest = attributes.flatMap { [$0.key.utf8.count, $0.value.utf8.count] }.max() ?? 0
        if secret.count > Limits.itemDataBytes { return "its secret has more than \(Limits.itemDataBytes) bytes" }
        if label.utf8.count > Limits.itemNameBytes { return "its label has more than \(Limits.itemNameBytes) bytes" }
        if attributes.count > Limits.itemAttributes { return "it has more than \(Limits.itemAttributes) attributes" }
        if bytes > Limits.itemAttributesBytes || longest > Limits.itemNameBytes {
            return "its attributes are too long"
        }
        if attributes[""] != nil { return "it has an attribute without a name" }
        if attributes.keys.contains(where: { $0.hasPrefix(SecretServiceNames.hiddenPrefix) }) {
            return "it has a reserved attribute (\(SecretServiceNames.hiddenPrefix)…)"
        }
        return nil
    }
}

/// A keyring of another service, as far as it could be read.
struct ReadKeyring {
    /// Its label; the file's name if it could not be opened.
    let name: String
    let file: String
    /// nil if it could not be opened.
    let items: [KeyringItem]?
    /// Why it could not be opened.
    let problem: CommandFailure.Problem?
}
