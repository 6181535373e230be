// SPDX-License-Identifier: Apache-2.0

/// What a member states about the group, signed. Statements are a set: their order of arrival has no meaning.
package struct MemberStatement: Hashable, Sendable {
    package let signer: Signer
    /// In the signer's sequence of files; of the recovery key, any.
    package let sequence: UInt64
    package let content: Content

    /// Whose signature was verified.
    package enum Signer: Hashable, Sendable {
        case device(DeviceID)
        case recoveryKey
    }

    package enum Content: Hashable, Sendable {
        case admission(of: DeviceID)
        /// With the last sequence of the removed device that counts.
        case removal(of: DeviceID, last: UInt64)
        /// A new key, and all who were given it.
        case epoch(EpochID, recipients: Set<DeviceID>)
    }

    package init(signer: Signer, sequence: UInt64, content: Content) {
        self.signer = signer
        self.sequence = sequence
        self.content = content
    }
}
