// SPDX-License-Identifier: Apache-2.0

/// Why the vault did not do what it was asked. One case a cause, and none holds a secret or a name that is sealed.
package enum VaultError: Error, Hashable, Sendable {
    // The state of the vault.

    /// There is no vault here yet; nothing was created.
    case missing
    /// A vault is here already; it is never overwritten.
    case exists
    /// The keys are not in memory.
    case locked
    /// Another process has the vault open. The content of its lock file; nil where the file could not be read.
    case held(processID: Int32?, program: String?)
    /// The vault was written by a later version; it was left untouched. `found` is that version's last migration.
    case newer(found: String)
    /// The file is no vault of ours.
    case notAVault(path: String)

    // Slots and their secrets.

    /// No slot opens with this secret. The next attempt is refused for this long.
    case wrongSecret(retryAfterMilliseconds: Int)
    /// An attempt before the last failure's delay is over; nothing was tried.
    case tooSoon(retryAfterMilliseconds: Int)
    case noSuchSlot
    /// The only slot left is never removed.
    case lastSlot
    /// The slot's own check sum is wrong: the secret may well be right.
    case slotDamaged(Slot.ID)
    /// The slot asks for more work than any that a vault is made with: it was not tried.
    case slotTooCostly(Slot.ID)
    /// What the slot was made for does not fit: an empty passphrase, a key that is not 32 bytes, a cost below the least.
    case unusableSecret(SecretFault)
    case keyFile(path: String, KeyFileFault)
    /// The check sum of a recovery key shows a mistyped character or group.
    case recoveryKeyMistyped

    // Objects.

    case notFound(ObjectID)
    /// `ifVersion` named another version than the current one (0: there is none).
    case versionConflict(current: UInt64)
    /// There is a credential for this service and user already.
    case alreadySaved(ObjectID)
    /// The offer is no longer pending, and was not settled as asked now.
    case offerSettled(Offer.State)
    /// The object's plain text is longer than the vault accepts, in bytes.
    case tooLarge(limit: Int)

    // The file.

    /// No space: the disk, a quota or a limit on file size. Nothing of the refused change is stored.
    case storageFull
    /// The file system is mounted read-only.
    case readOnly
    /// The file's or the directory's permissions keep the daemon out.
    case permissionLost(path: String)
    /// What is at this path is no plain file, but a FIFO, a folder or a device.
    case notPlain(path: String)
    /// Another file is at this path now, or none: nothing was written to either.
    case replaced(path: String)
    /// SQLite or the kernel failed in another way; SQLite's extended result code, or errno where SQLite was not involved.
    case failed(code: Int32)
    /// A backup is not what was backed up, or is corrupt; it was left as it is, and so was the vault.
    case backupDamaged
    /// A part of the file cannot be read or was tampered with; `part` is its description.
    case damaged(String)
    /// The vault is older than its last change, or nothing states any more how new it is: nothing of it is returned before
    /// the user accepts it as it is.
    case outdated
    /// One object cannot be read or was tampered with; the others are readable.
    case recordDamaged(ObjectID)
    /// A backup is never written over an existing file.
    case fileExists(path: String)
    /// Another long change of the whole vault is under way.
    case rekeying
    /// Long work on the whole vault was stopped; nothing has changed.
    case cancelled
    /// More is to be read than one turn of the event loop may read. The progress is kept: the same call continues from there.
    case unfinished
    /// A backup's path, or a folder on it, is not there.
    case absent(path: String)

    /// What is wrong with the secret for a new slot.
    package enum SecretFault: String, Sendable {
        case emptyPassphrase, blankPassphrase, commonPassphrase, keyNot32Bytes, costTooLow, costTooHigh, noSlot
        /// All passphrases together would take longer to try than is tried at once.
        case tooManyPassphrases
    }

    /// What is wrong with a key file.
    package enum KeyFileFault: String, Sendable {
        /// Not there.
        case absent
        case notAFile
        /// Someone else can read or change it; its mode must give group and others nothing.
        case openToOthers
        /// Neither the user's nor root's.
        case foreignOwner
        /// It must be exactly 32 bytes.
        case wrongLength
        /// There already, where a new one was to be made.
        case present
        case unreadable
    }
}
