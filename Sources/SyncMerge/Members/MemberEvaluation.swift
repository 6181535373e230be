// SPDX-License-Identifier: Apache-2.0

/// Visits the devices by rank, so that whoever a device can remove is visited after it.
struct MemberEvaluation {
    private(set) var ranks: [DeviceID: MemberRank] = [:]
    private(set) var cuts: [DeviceID: UInt64] = [:]
    private var statements: [DeviceID: [MemberStatement]] = [:]
    private var waiting: [DeviceID: MemberRank]

    init(founder: DeviceID, statements all: some Sequence<MemberStatement>) {
        ranks[founder] = .founder
        waiting = [founder: .founder]
        for statement in all {
            switch (statement.signer, statement.content) {
            case (.device(let device), _): statements[device, default: []].append(statement)
            case (.recoveryKey, .removal(let device, let last)): cut(device, at: last)
            case (.recoveryKey, _): break
            }
        }
    }

    mutating func run() {
        while let (device, rank) = waiting.min(by: { $0.value < $1.value }) {
            waiting[device] = nil
            let last = cuts[device] ?? .max
            let own = (statements[device] ?? []).filter { $0.sequence <= last }
            for sequence in Set(own.map(\.sequence)).sorted() {
                let together = own.filter { $0.sequence == sequence }
                for statement in together { admit(statement, by: rank) }
                for statement in together { remove(statement, by: rank) }
            }
        }
    }

    /// The first admission counts. The order of those with one sequence has no effect: the rank contains the device.
    private mutating func admit(_ statement: MemberStatement, by rank: MemberRank) {
        guard case .admission(let device) = statement.content, ranks[device] == nil else { return }
        let new = rank.admitting(device, at: statement.sequence)
        ranks[device] = new
        waiting[device] = new
    }

    /// Only of the device itself, and of one that is junior, or was not admitted yet: whoever admits it is visited later.
    private mutating func remove(_ statement: MemberStatement, by rank: MemberRank) {
        guard case .removal(let device, let last) = statement.content, ranks[device].map({ rank <= $0 }) ?? true
        else { return }
        cut(device, at: last)
    }

    private mutating func cut(_ device: DeviceID, at last: UInt64) {
        cuts[device] = min(cuts[device] ?? .max, last)
    }
}
