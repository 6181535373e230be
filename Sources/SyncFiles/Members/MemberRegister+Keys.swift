// SPDX-License-Identifier: Apache-2.0
package import SyncMerge

extension MemberRegister {
    /// The last sequence that counts of each device that is no member, for `SyncState.setCuts`: of one whose admission does not count
    /// (any more) nothing does, be it merged already or not.
    package var cuts: [DeviceID: UInt64] {
        var cuts = list.cuts
        for device in admitted where cuts[device] == nil && !list.contains(device) { cuts[device] = 0 }
        return cuts
    }

    /// The key that seals new files, where it counts and was given to this machine; else one has to be drawn.
    package func currentKey(of keys: KeyPairs) -> EpochKey? {
        guard list.contains(keys.publicKeys.device) else { return nil }
        return epochKeys.current.flatMap { epochKey($0, of: keys) }
    }

    /// The key of an epoch, if some statement gives it to this machine: old files stay readable.
    package func epochKey(_ id: EpochID, of keys: KeyPairs) -> EpochKey? {
        let device = keys.publicKeys.device
        return grants(of: id).lazy.compactMap { grant in
            grant.sealed[device].flatMap { SealedEpochKey.open($0, id, with: keys, in: group) }
        }.first
    }

    /// The same with the recovery key.
    package func epochKey(_ id: EpochID, recovery keys: KeyPairs) -> EpochKey? {
        grants(of: id).lazy.compactMap { SealedEpochKey.open($0.recovery, id, with: keys, in: group) }.first
    }

    /// Draws a key and seals it to all present members and to the recovery key. Nil where this machine is no member.
    package func newEpoch(
        by keys: KeyPairs, sequence: UInt64, using entropy: inout any RandomNumberGenerator
    ) throws(KeyFailure) -> (key: EpochKey, statement: SignedStatement)? {
        let device = keys.publicKeys.device, members = list.members.compactMap { publicKeys(of: $0) }
        guard list.contains(device), members.count <= SyncFileLimits.members else { return nil }
        let key = try EpochKey.random(using: &entropy)
        var grant = try EpochGrant(key, to: members, recovery: recovery, in: group)
        try grant.prove(with: key, by: device, sequence, in: group)
        let statement = try SignedStatement(
            .epoch(grant), group: group, signer: .device(device), sequence: sequence, keys: keys)
        return (key, statement)
    }

    private func grants(of id: EpochID) -> [EpochGrant] {
        statements.compactMap { statement in
            if case .epoch(let grant) = statement.content, grant.epoch == id { grant } else { nil }
        }
    }
}
