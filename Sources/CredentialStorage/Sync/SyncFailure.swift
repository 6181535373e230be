// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SyncFiles

/// Why something of sync was not done; no save and no unlock fails by it.
package enum SyncFailure: Error, Equatable {
    case vault(VaultError)
    case file(SyncFileError)
    /// Sync was not started in this vault.
    case notStarted
    /// It was started already.
    case started
    /// The vault replaced another one, or was repaired: the user decides first whether others' newer changes count.
    case restored
    /// Files of these machines are missing that others have merged.
    case incomplete([String])
    /// What carries the files of this vault is not known on this machine: its backup was restored on another one.
    case notOrdered
    /// No key counts that this machine was given, or one is unusable.
    case keys
    /// The file is in this machine's own directory.
    case own
    /// The sequence is at its end.
    case noSequence
    /// Another machine's autofilld is newer: this one has to be updated before it merges anything.
    case needsUpdate
    /// This machine is no member of the group (any more).
    case notMember
    /// The device is no member.
    case unknownDevice
    /// The device is a member, or was one: its keys cannot come in again.
    case admittedBefore
    /// The device is this machine.
    case itself
    /// The device came in before this machine: only the recovery key removes it.
    case senior
    /// These keys are not those of the group's recovery key.
    case otherRecoveryKey
    /// The group has as many members as it may have.
    case tooManyMembers
    /// The group has as many statements as it may have.
    case tooManyStatements
    case invitation(InvitationError)
    /// A snapshot of this vault would have more than is accepted of one file.
    case limit(Limit)

    /// What is limited in one file.
    package enum Limit: Sendable, Equatable, CaseIterable {
        case entries, bytes
    }
}
