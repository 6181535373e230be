// SPDX-License-Identifier: Apache-2.0
package import SyncMerge
internal import VaultFormat

extension SignedStatement {
    /// Founds a group. The id follows from what is stated.
    package static func founding(
        by keys: KeyPairs, recovery: PublicKeys, using entropy: inout any RandomNumberGenerator
    ) throws(KeyFailure) -> SignedStatement {
        let random = UInt128(entropy.next() as UInt64) << 64 | UInt128(entropy.next() as UInt64)
        let content = StatementContent.founding(keys.publicKeys, recovery: recovery, random: random)
        return try SignedStatement(
            content, group: content.foundedGroup, signer: .device(keys.publicKeys.device), sequence: 1, keys: keys)
    }

    /// Admits a machine that has answered an invitation.
    package static func admission(
        of new: PublicKeys, to group: GroupID, by keys: KeyPairs, sequence: UInt64
    ) throws(KeyFailure) -> SignedStatement {
        try SignedStatement(
            .admission(new), group: group, signer: .device(keys.publicKeys.device), sequence: sequence, keys: keys)
    }

    /// Removes a machine: by this machine, which is it or has to be senior to it, or by the recovery key.
    package static func removal(
        of device: DeviceID, last: UInt64, from group: GroupID, by remover: Remover, sequence: UInt64
    ) throws(KeyFailure) -> SignedStatement {
        let (signer, keys): (MemberStatement.Signer, KeyPairs) =
            switch remover {
            case .device(let keys): (.device(keys.publicKeys.device), keys)
            case .recoveryKey(let keys): (.recoveryKey, keys)
            }
        return try SignedStatement(
            .removal(of: device, last: last), group: group, signer: signer, sequence: sequence, keys: keys)
    }

    /// Whose keys sign a removal.
    package enum Remover: Sendable {
        case device(KeyPairs)
        case recoveryKey(KeyPairs)
    }
}

extension StatementContent {
    /// The id of the group that such a statement founds.
    var foundedGroup: GroupID {
        let bytes = BinaryWriter.bytes { write(to: &$0) }
        return GroupID(rawValue: SyncHash.id("autofilld sync 1 group", bytes))
    }
}
