// SPDX-License-Identifier: Apache-2.0

/// While the vault is locked its file is closed, but for the moments in which something is looked up in it or noted there.
/// So whatever is put in its place is what is opened next, and no log of the former file is left to be applied to it.
extension Vault {
    /// Gives `body` the file; one that was closed is opened for it, and closed again unless the vault is unlocked then.
    func whileOpen<Result>(
        _ body: (VaultDatabase) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        if let database = hold.database { return try body(database) }
        try wake()
        defer { rest() }
        return try body(try database)
    }

    /// Opens the file that was closed, or the one that is in its place now.
    private func wake() throws(VaultError) {
        guard let resting = hold.resting, case .directory(let path) = location else { throw .missing }
        if !resting.isUntouched { hold.noteReplaced() }
        let directory = VaultDirectory(path: path)
        guard try directory.hasVault() else { throw .missing }
        try open(directory)
    }

    /// Closes the file of a locked vault; its log is written back and gone. Where that cannot be, or another file has its
    /// place already, it stays open: it may be all that is left of the vault.
    func rest() {
        guard unlockedParts == nil, let database = hold.database, database.directory != nil else { return }
        guard (try? database.emptyLog()) != nil, !database.isReplaced else { return }
        let slots = try? slotRows()
        hold.rest(at: database.path, slots)
    }
}
