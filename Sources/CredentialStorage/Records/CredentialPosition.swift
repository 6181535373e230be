// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// A position in the list of a service's credentials: the most recently used first, then the most recently changed; ids make the
/// order total. It stays valid when the credential that it is of is used, changed or deleted.
package struct CredentialPosition: Hashable, Sendable {
    var lastUsed: Timestamp?
    private let changed: Timestamp
    private let id: ObjectID

    init(of credential: CredentialSummary) {
        lastUsed = credential.lastUsed
        changed = credential.changed
        id = credential.id
    }
}

extension CredentialPosition: Comparable {
    /// Whether `first` is nearer to the beginning of the list.
    package static func < (first: CredentialPosition, second: CredentialPosition) -> Bool {
        let one = (first.lastUsed?.milliseconds ?? .min, first.changed.milliseconds)
        let other = (second.lastUsed?.milliseconds ?? .min, second.changed.milliseconds)
        return one == other ? first.id < second.id : one > other
    }
}

extension CredentialPosition: LosslessStringConvertible {
    /// `LASTUSED:CHANGED:ID`: milliseconds since 1970, `-` for a credential that was never used, and the id as it is written.
    package var description: String {
        "\(lastUsed.map { String($0.milliseconds) } ?? "-"):\(changed.milliseconds):\(id)"
    }

    /// nil where the text is not what `description` writes.
    package init?(_ text: String) {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 3, let changed = Int64(fields[1]), let id = ObjectID(String(fields[2])) else {
            return nil
        }
        lastUsed = Int64(fields[0]).map { Timestamp(milliseconds: $0) }
        self.changed = Timestamp(milliseconds: changed)
        self.id = id
        guard description == text else { return nil }
    }
}
