// SPDX-License-Identifier: Apache-2.0
import SyncFiles

/// Statements: only those that were signed are accepted, and they are passed on as they are.
enum StatementTarget {
    static var seeds: [[UInt8]] {
        get throws { try SyncGroup.shared.get().members.statements.map(\.bytes) }
    }

    static func run(_ input: [UInt8]) throws {
        let group = try SyncGroup.shared.get()
        guard let statement = SignedStatement(input) else { return }
        try require(statement.bytes == input, "a statement that is passed on with other bytes")
        guard let founding = group.members.statements.first, var members = MemberRegister(founding: founding) else {
            throw FuzzFind("the founding statement is refused")
        }
        _ = MemberRegister(founding: statement)
        for added in members.insert(group.members.statements.dropFirst() + [statement]).added {
            let isGenuine = group.members.statements.contains { $0.content == added.content }
            try require(isGenuine, "a statement that nobody signed is accepted")
        }
        try require(members.list == group.members.list, "other members")
    }
}
