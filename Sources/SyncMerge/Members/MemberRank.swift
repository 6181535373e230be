// SPDX-License-Identifier: Apache-2.0

/// The seniority of a device: the admissions from the founder to it. A device precedes all that it admitted, and those that they
/// admitted.
struct MemberRank: Comparable, Sendable {
    private var path: [Admission] = []

    /// A twin may have signed two statements with one sequence: the device decides between them.
    private struct Admission: Comparable, Sendable {
        let sequence: UInt64
        let device: DeviceID

        static func < (left: Admission, right: Admission) -> Bool {
            (left.sequence, left.device) < (right.sequence, right.device)
        }
    }

    /// The founder's.
    static let founder = MemberRank()

    /// Of a device that the device of this rank admits.
    func admitting(_ device: DeviceID, at sequence: UInt64) -> MemberRank {
        var rank = self
        rank.path.append(Admission(sequence: sequence, device: device))
        return rank
    }

    static func < (left: MemberRank, right: MemberRank) -> Bool { left.path.lexicographicallyPrecedes(right.path) }
}
