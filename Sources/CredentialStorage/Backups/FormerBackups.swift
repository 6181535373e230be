// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import Glibc
internal import VaultFormat

/// Which files the secrets of former slots still open. Backups elsewhere than beside the vault may be on a file system that does not
/// answer: they are to be read when the vault is back, so that nobody waits for them.
package struct FormerBackups: Sendable {
    /// The slots as they were.
    private let slots: [SlotRow]
    /// The paths of the files beside the vault that the secrets open.
    package private(set) var opened: [String] = []
    /// The paths of those that could not be read.
    package private(set) var unread: [String] = []
    /// The paths of the backups elsewhere, which `opens` reads.
    package let elsewhere: [String]

    /// Reads the files beside the vault.
    init(of slots: [SlotRow], beside kept: [String], elsewhere: [String]) {
        self.slots = slots
        self.elsewhere = elsewhere
        for path in kept {
            switch opens(path) {
            case true?: opened.append(path)
            case false?: break
            case nil: unread.append(path)
            }
        }
    }

    /// Whether one of the secrets opens the file at `path`; nil where it, or a part that may have the slot, cannot be read. Runs
    /// on any thread.
    package func opens(_ path: String) -> Bool? {
        do throws(VaultError) {
            let (found, isWhole) = try Self.slots(of: path)
            let opens = found.contains { one in slots.contains { $0.kind == one.kind && $0.salt == one.salt } }
            // It may be among what the disk cannot read.
            return opens || isWhole ? opens : nil
        } catch {
            // There is no file.
            return error == .absent(path: path) || error == .failed(code: EINVAL) ? false : nil
        }
    }

    /// The slots of a file, and whether these are all that it has.
    private static func slots(of path: String) throws(VaultError) -> (found: [SlotRow], isWhole: Bool) {
        let found = try? VaultSnapshot.read(path) { (snapshot) throws(VaultError) in try snapshot.slots() }
        if let found { return (found, true) }
        // What can be salvaged of a damaged one is still in it.
        let pages = try DatabasePages(of: path)
        return (try pages.slots(), !pages.hasReadError)
    }
}
