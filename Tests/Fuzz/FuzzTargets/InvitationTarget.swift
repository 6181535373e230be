// SPDX-License-Identifier: Apache-2.0
import SyncFiles
import VaultFormat

/// Invitations and their answers: only those that were made with the code are read.
enum InvitationTarget {
    static var seeds: [[UInt8]] {
        get throws {
            let group = try SyncGroup.shared.get()
            return [group.invitation.file, group.answer]
        }
    }

    static func run(_ input: [UInt8]) throws {
        let group = try SyncGroup.shared.get()
        if (try? ReceivedInvitation(input, typed: group.invitation.code.grouped)) != nil {
            try require(input == group.invitation.file, "an invitation that nobody made is read")
        }
        var invitation = group.invitation
        if try invitation.read([input], now: 1) != nil {
            try require(input == group.answer, "an answer that nobody gave is read")
        }
    }
}
