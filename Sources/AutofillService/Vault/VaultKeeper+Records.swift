// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Reading and writing records, for readers and writers.
extension VaultKeeper {
    /// Throws where the vault is not open, or the request continues in another turn.
    func withVault<Result>(_ body: (Vault) throws(VaultError) -> Result) throws(Unsettled) -> Result {
        let open = try unlocked()
        do throws(VaultError) { return try body(open) } catch { throw Unsettled(reading: error) }
    }

    func read<Result>(_ body: (VaultReaders) throws(VaultError) -> Result) throws(Unsettled) -> Result {
        let open = try unlocked()
        do throws(VaultError) { return try body(open.readers) } catch { throw Unsettled(reading: error) }
    }

    /// Changes the vault. It never waits: nothing that writes reads a whole list.
    func change<Result>(_ body: (Vault) throws(VaultError) -> Result) throws(Refusal) -> Result {
        do throws(Unsettled) { return try withVault(body) } catch { throw error.refusal }
    }

    /// - Parameter body: receives the time of the wall clock.
    func write<Result>(_ body: (VaultWriters, Timestamp) throws(VaultError) -> Result) throws(Refusal) -> Result {
        let now = clock.now
        return try change { vault throws(VaultError) in try body(vault.writers, now) }
    }
}

extension VaultKeeper {
    /// Why the vault cannot be used as it is; nil where it is open, or at work and soon back.
    var refusal: Refusal? {
        do throws(Unsettled) {
            _ = try unlocked()
            return nil
        } catch {
            return error.refusals?.first
        }
    }
}
