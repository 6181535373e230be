// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
package import CredentialStorage
package import Credentials
internal import EventLoop
internal import Reasons

/// The vault, or why it cannot be opened now: then it is tried again, so that the daemon recovers when the cause is gone.
package final class VaultSource {
    package typealias Open = (_ opensVault: Bool) throws(VaultError) -> Vault

    package let location: VaultLocation
    /// Does not change an existing file when it is passed false.
    private let open: Open
    private(set) var state: Result<Vault, VaultError>
    /// When it was last tried, in milliseconds of the steady clock; nil at the start.
    private var tried: Int64?

    /// Throws only what keeps the daemon from starting at all: another one holds the vault.
    package init(at location: VaultLocation, open: @escaping Open) throws(VaultError) {
        self.location = location
        self.open = open
        state = Self.attempt(open)
        if case .failure(.held(let process, let program)) = state {
            throw .held(processID: process, program: program)
        }
    }

    /// nil where it cannot be opened.
    var vault: Vault? { if case .success(let vault) = state { vault } else { nil } }

    private static func attempt(_ open: Open) -> Result<Vault, VaultError> {
        Result { () throws(VaultError) in try open(true) }
    }

    /// One that is opened without the file that is there, to be restored into.
    func openAside() throws(VaultError) -> Vault { try open(false) }

    /// A restore has made a vault that can be opened of one that could not.
    func adopt(_ vault: Vault) {
        if case .failure = state, vault.state != .missing { state = .success(vault) }
    }

    /// Tries again after a failure, at most once a second; opens the file where one is there though none is open, as after an
    /// error in the middle of replacing it.
    ///
    /// - Parameter now: of the steady clock.
    func retry(at now: @autoclosure () -> Int64, evenIfJustTried: Bool = false) {
        if case .success(let vault) = state, vault.state != .missing { return }
        let now = now()
        if let tried, !evenIfJustTried, now - tried < 1000 { return }
        switch state {
        case .failure:
            tried = now
            if !evenIfJustTried { state = Self.attempt(open) }
        case .success(let vault):
            tried = now
            do throws(VaultError) { try vault.openIfThere() } catch { state = .failure(error) }
        }
    }

    /// The file, for `status`.
    var path: String? { directory.map { $0 + "/vault.sqlite" } }

    /// The directory that it is in; nil for a vault in memory.
    var directory: String? {
        switch location {
        case .directory(let directory): directory
        case .memory: nil
        }
    }
}
