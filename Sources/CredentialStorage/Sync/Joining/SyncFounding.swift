// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory
internal import SyncFiles
internal import VaultFormat

/// Founds a group of machines.
package enum SyncFounding {
    /// Starts sync in a vault as the first machine of a new group.
    ///
    /// - Returns: the group's recovery key, which is stored nowhere.
    package static func found(
        in vault: Vault, deviceName: String, at now: Timestamp
    ) throws(SyncFailure) -> RecoveryKey {
        let store = vault.store
        let recovery = RecoveryKey.random(using: &store.entropy)
        guard let recoveryKeys = KeyPairs(recovery: WrittenKey(bytes: recovery.bytes)) else { throw .keys }
        let keys: KeyPairs, founding: SignedStatement
        do throws(KeyFailure) {
            keys = try KeyPairs.random(using: &store.entropy)
            founding = try SignedStatement.founding(by: keys, recovery: recoveryKeys.publicKeys, using: &store.entropy)
        } catch { throw .keys }
        guard var members = MemberRegister(founding: founding) else { throw .keys }
        do throws(KeyFailure) {
            if let epoch = try members.newEpoch(by: keys, sequence: 1, using: &store.entropy) {
                members.insert([epoch.statement])
            }
        } catch { throw .keys }
        try vault.sync.start(keys, members, deviceName: deviceName, at: now)
        return recovery
    }
}

extension StoredSync.Remover {
    /// The group's recovery key, as the user typed it.
    package static func recoveryKey(typed text: SecretBytes) throws(SyncFailure) -> Self {
        guard let key = WrittenKey(typed: text) else { throw .vault(.recoveryKeyMistyped) }
        guard let keys = KeyPairs(recovery: key) else { throw .keys }
        return .recoveryKey(keys)
    }
}

extension Vault {
    /// Sync in this vault, unlocked.
    package var sync: StoredSync {
        get throws(SyncFailure) {
            do throws(VaultError) { return try writers.sync } catch { throw .vault(error) }
        }
    }
}
