// SPDX-License-Identifier: Apache-2.0

/// Who belongs to the group: a function of the set of statements.
///
/// A device removes itself, and those that were admitted after it, by rank: the path of admissions from the founder. The recovery key
/// removes any device, and its removals are evaluated first. Without a rank, two devices that remove each other have no meaning, and
/// a stolen machine could remove everyone after its own removal.
package struct MemberList: Sendable, Equatable {
    /// The members by rank, the most senior first.
    package let members: [DeviceID]
    /// The last sequence of each removed device that counts, for `SyncState.setCuts`.
    package let cuts: [DeviceID: UInt64]

    package init(founder: DeviceID, statements: some Sequence<MemberStatement>) {
        var evaluation = MemberEvaluation(founder: founder, statements: statements)
        evaluation.run()
        let cuts = evaluation.cuts
        self.cuts = cuts
        members = evaluation.ranks.filter { cuts[$0.key] == nil }.sorted { $0.value < $1.value }.map(\.key)
    }

    package func contains(_ device: DeviceID) -> Bool { members.contains(device) }

    /// Whether a statement of this signer and sequence counts.
    package func counts(_ statement: MemberStatement) -> Bool {
        guard case .device(let device) = statement.signer else { return true }
        return cuts[device].map { statement.sequence <= $0 } ?? true
    }

    /// The devices that `device` can remove with its own signature.
    package func removable(by device: DeviceID) -> [DeviceID] {
        guard let position = members.firstIndex(of: device) else { return [] }
        return Array(members[(position + 1)...])
    }
}
