// SPDX-License-Identifier: Apache-2.0

/// Which keys seal new files: a key counts only if nobody but present members was ever given it.
package struct EpochKeys: Sendable, Equatable {
    /// The key to use; nil where one has to be drawn and given to `recipients`.
    package let current: EpochID?
    /// The present members.
    package let recipients: Set<DeviceID>

    package init(_ list: MemberList, statements: some Sequence<MemberStatement>) {
        let members = Set(list.members)
        var given: [EpochID: Set<DeviceID>] = [:], stated: [(origin: FileOrigin, key: EpochID)] = []
        for statement in statements {
            guard case .epoch(let key, let recipients) = statement.content,
                case .device(let device) = statement.signer
            else { continue }
            given[key, default: []].formUnion(recipients)
            // A removed device chooses the sequence of what it signs, and may know a key that it gives to members alone.
            if list.contains(device) { stated.append((FileOrigin(device: device, sequence: statement.sequence), key)) }
        }
        recipients = members
        // Any order that every machine computes in the same way; later sequences first, as they are more often newer.
        current =
            stated.filter { given[$0.key] == members }
            .max { ($0.origin.sequence, $0.origin.device, $0.key) < ($1.origin.sequence, $1.origin.device, $1.key) }?
            .key
    }
}
