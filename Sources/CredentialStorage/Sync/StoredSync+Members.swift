// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SyncFiles
package import SyncMerge

/// Who belongs to the group. What is stated is published by this machine's next file; the snapshot that a new key needs is written by
/// `tidy`.
extension StoredSync {
    /// Whose keys remove a machine.
    package enum Remover: Sendable {
        case thisDevice
        case recoveryKey(KeyPairs)
    }

    /// An invitation for one machine: it states this machine's name, and what it has merged.
    ///
    /// - Parameter steady: the present time of the steady clock, in milliseconds.
    package func invite(at steady: Int64) throws(SyncFailure) -> Invitation {
        let sync = try deciding
        let merged = VersionVector(vector.sequences.filter { $0.value > 0 })
        do throws(InvitationError) {
            return try Invitation(
                to: sync.members, from: sync.deviceName, vector: merged, now: steady, using: &store.entropy)
        } catch { throw .invitation(error) }
    }

    /// Lets in the machine that answered an invitation, and draws a key for all, in one transaction.
    ///
    /// - Throws: `admittedBefore` where its keys were in the group already, `tooManyMembers`, and `notMember` where this machine is none.
    package func admit(_ answer: InvitationAnswer, at now: Timestamp) throws(SyncFailure) {
        let former = try deciding
        var sync = former
        let device = answer.publicKeys.device
        guard sync.members.publicKeys(of: device) == nil else { throw .admittedBefore }
        guard sync.members.list.members.count < SyncFileLimits.members else { throw .tooManyMembers }
        let statement = try statement { () throws(KeyFailure) in
            try .admission(
                of: answer.publicKeys, to: sync.members.group, by: sync.keys, sequence: sync.progress.next)
        }
        try state(statement, &sync)
        try drawKey(&sync)
        sync.progress.met[device] = SyncProgress.Met(name: answer.deviceName)
        _ = try adopt(sync, over: former, at: now)
    }

    /// Removes a machine: what it wrote counts up to the last file that is merged here, and up to the last of which others' files
    /// brought something; also what it stated of this machine's own admission. Draws a key for those who stay, in the same
    /// transaction. Returns the credentials that are changed by it.
    ///
    /// - Throws: `unknownDevice` where it is no member, `itself`, `senior` where only the recovery key removes it, and
    ///   `otherRecoveryKey`.
    @discardableResult
    package func remove(
        _ device: DeviceID, by remover: Remover, at now: Timestamp
    ) throws(SyncFailure) -> [Saved] {
        let former = try decided
        var sync = former
        guard device != sync.device else { throw .itself }
        guard sync.members.list.contains(device) else { throw .unknownDevice }
        let signer: SignedStatement.Remover
        switch remover {
        case .thisDevice:
            guard sync.members.list.contains(sync.device) else { throw .notMember }
            guard sync.members.list.removable(by: sync.device).contains(device) else { throw .senior }
            signer = .device(sync.keys)
        case .recoveryKey(let keys):
            guard keys.publicKeys == sync.members.recovery else { throw .otherRecoveryKey }
            signer = .recoveryKey(keys)
        }
        let stored = try vault { () throws(VaultError) in
            try store.read { records throws(VaultError) in
                try SyncReader(records: records).greatestSequence(of: device)
            }
        }
        let last = max(sync.progress.merged.greatest(of: device), stored, sync.admissions(by: device))
        let statement = try statement { () throws(KeyFailure) in
            try .removal(of: device, last: last, from: sync.members.group, by: signer, sequence: sync.progress.next)
        }
        try state(statement, &sync)
        if sync.members.list.contains(sync.device) { try drawKey(&sync) }
        return try adopt(sync, over: former, at: now)
    }

    /// Draws a key for all members where none counts that this machine was given. Returns whether it did.
    @discardableResult
    package func drawKeyIfNone(at now: Timestamp) throws(SyncFailure) -> Bool {
        let former = try decided
        guard isMember, former.writer == nil else { return false }
        var sync = former
        try drawKey(&sync)
        _ = try adopt(sync, over: former, at: now)
        return true
    }

    /// Stores statements that were received by another way than a file. Returns the credentials that are changed by them.
    @discardableResult
    package func accept(_ statements: [SignedStatement], at now: Timestamp) throws(SyncFailure) -> [Saved] {
        guard let former = store.sync else { throw .notStarted }
        var sync = former
        sync.members.insert(statements)
        return try adopt(sync, over: former, at: now)
    }

    /// What the files in the folder state of the group, once they let this machine in and give it a key; nil until then.
    ///
    /// - Parameters:
    ///   - keys: those with which this machine answered the invitation.
    ///   - spool: that to which the carrier brings the group's files.
    package static func joined(
        _ invitation: ReceivedInvitation, keys: KeyPairs, files spool: SyncSpool
    ) -> MemberRegister? {
        var members = invitation.members
        let group = invitation.group
        for device in spool.devices(in: group) {
            for name in spool.received(of: device, in: group) {
                guard let bytes = spool.readReceived(name, of: device, in: group),
                    let file = try? SyncFile(bytes, name: name, group: group, device: device)
                else { continue }
                members.insert(file.statements, isVouched: false)
            }
        }
        return members.currentKey(of: keys) == nil ? nil : members
    }

    /// What is needed to let a machine in: this machine is a member.
    private var deciding: VaultSync {
        get throws(SyncFailure) {
            let sync = try updated
            guard sync.members.list.contains(sync.device) else { throw .notMember }
            return sync
        }
    }

    private func statement(
        _ make: () throws(KeyFailure) -> SignedStatement
    ) throws(SyncFailure) -> SignedStatement {
        do throws(KeyFailure) { return try make() } catch { throw .keys }
    }

    /// Adds a statement, which is refused only where a group has as many as it may have.
    private func state(_ statement: SignedStatement, _ sync: inout VaultSync) throws(SyncFailure) {
        guard sync.members.insert([statement]).refused.isEmpty else { throw .tooManyStatements }
    }

    /// Draws a key for the present members.
    private func drawKey(_ sync: inout VaultSync) throws(SyncFailure) {
        let drawn: (key: EpochKey, statement: SignedStatement)?
        do throws(KeyFailure) {
            drawn = try sync.members.newEpoch(by: sync.keys, sequence: sync.progress.next, using: &store.entropy)
        } catch { throw .keys }
        guard let drawn else { throw .keys }
        try state(drawn.statement, &sync)
    }
}

extension VaultSync {
    /// The last statement of a device on which the membership of this machine depends; 0 where none does.
    fileprivate func admissions(by device: DeviceID) -> UInt64 {
        var needed: Set = [self.device], last: UInt64 = 0, isComplete = false
        while !isComplete {
            isComplete = true
            for statement in members.statements {
                guard case .admission(let keys) = statement.content, needed.contains(keys.device),
                    case .device(let signer) = statement.signer
                else { continue }
                if signer == device { last = max(last, statement.sequence) }
                if needed.insert(signer).inserted { isComplete = false }
            }
        }
        return last
    }
}
