// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Reading and writing records, for readers and writers.
extension VaultKeeper {
    /// Throws where the vault is not open, or the request continues in another turn.
    func read<Result>(_ body: (Vault) throws(VaultError) -> Result) throws(Unsettled) -> Result {
        let open = try unlocked()
        return try attempting { () throws(VaultError) in try body(open) }
    }

    /// Changes the vault. It never waits: nothing that writes reads a whole list.
    ///
    /// - Parameter body: receives the time of the wall clock.
    func write<Result>(_ body: (Vault, Timestamp) throws(VaultError) -> Result) throws(Refusal) -> Result {
        let now = clock.now
        do throws(Unsettled) {
            return try read { vault throws(VaultError) in try body(vault, now) }
        } catch {
            throw error.settled.refusals.first ?? Refusal(.internalFault)
        }
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
