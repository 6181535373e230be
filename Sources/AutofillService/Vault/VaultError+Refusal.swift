// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
internal import Credentials
internal import Glibc
package import Reasons

/// An error of the vault becomes a reason here only.
extension VaultError {
    /// The refusal that the client receives.
    package var refusal: Refusal {
        switch self {
        case .missing: Refusal(.vaultMissing)
        case .exists: Refusal(.vaultExists)
        case .locked: Refusal(.vaultLocked)
        case .held(let process, let program):
            Refusal(
                .vaultUnreadable,
                [
                    .detail:
                        "Stop \(program ?? "another program") (process \(process.map(String.init) ?? "?")), which holds it"
                ])
        case .newer: Refusal(.vaultNewer)
        case .notAVault(let path):
            Refusal(
                .vaultUnreadable,
                [
                    .detail:
                        "Recover its content: autofillctl vault salvage. If \(path) never was a vault, move it away"
                ])
        case .wrongSecret(let delay): Refusal(.proofWrong, retryAfterMilliseconds: Int64(delay))
        case .tooSoon(let delay): Refusal(.proofTooSoon, waiting: Int64(delay))
        case .unusableSecret(.blankPassphrase): Refusal(.passphraseTooCommon, [.detail: "it consists of blanks only"])
        case .unusableSecret(.commonPassphrase):
            Refusal(
                .passphraseTooCommon,
                [.detail: "it is a common word, a name, a date or a row of keys, maybe with digits around it"])
        case .unusableSecret(.tooManyPassphrases):
            Refusal(
                .storageFailed,
                [.detail: "it has so many passphrases that trying them all takes too long; remove one first"])
        case .noSuchSlot, .unusableSecret: Refusal(.proofWrong)
        case .recoveryKeyMistyped: Refusal(.recoveryKeyMistyped)
        case .slotTooCostly(let slot):
            Refusal(
                .vaultUnreadable,
                [
                    .detail:
                        "Open it with another slot, or restore a backup: the file was altered, and slot "
                        + "\(slot) needs more memory or time than any valid slot"
                ])
        case .slotDamaged: Refusal(.vaultUnreadable, [.detail: "Open it with another slot, or restore a backup"])
        case .keyFile(let path, let fault): Refusal(.vaultUnreadable, [.detail: fault.fix(for: path)])
        case .notFound: Refusal(.credentialNotFound)
        case .versionConflict: Refusal(.versionMismatch)
        case .offerSettled(.declined): Refusal(.offerDeclined)
        case .offerSettled(.expired): Refusal(.offerExpired)
        case .offerSettled: Refusal(.offerAlreadyAccepted)
        case .storageFull: Refusal(.storageFull)
        case .readOnly: Refusal(.storageReadOnly)
        case .permissionLost(let path):
            Refusal(.vaultUnreadable, [.detail: VaultError.advice(onPermissionsOf: path)])
        case .notPlain(let path): Refusal(.vaultUnreadable, [.detail: "Move \(path) away: it is not a plain file"])
        case .replaced: Refusal(.vaultReplaced)
        // The vault is open and readable; only changes need what is damaged.
        case .damaged(let object)
        where object.hasPrefix("manifest") || object.hasPrefix("record ") || object == "vault" || object == "every slot":
            Refusal(.vaultCorrupt)
        case .damaged(let object):
            Refusal(.vaultUnreadable, [.detail: "Recover its content: autofillctl vault salvage (\(object))"])
        case .outdated: Refusal(.vaultOlder)
        case .recordDamaged: Refusal(.recordDamaged)
        case .lastSlot: Refusal(.slotLast)
        case .alreadySaved: Refusal(.credentialTaken)
        case .cancelled: Refusal(.cancelled)
        case .rekeying, .unfinished: .vaultBusy
        case .failed(let code): Refusal(.storageFailed, [.detail: "SQLite or the system returned error \(code)"])
        case .tooLarge(let limit): Refusal(.storageFailed, [.detail: "it is longer than \(limit) bytes"])
        case .fileExists(let path): Refusal(.storageFailed, [.detail: "\(path) already exists"])
        case .absent(let path): Refusal(.storageFailed, [.detail: "\(path) does not exist"])
        case .backupDamaged: Refusal(.storageFailed, [.detail: "what was read back differs from what was written"])
        }
    }
}

extension VaultError {
    /// The refusal of the making of a backup at a path.
    var refusalOfBackup: Refusal {
        switch self {
        case .fileExists(let path): Refusal(.backupNotMade, [.detail: "Choose another name: \(path) already exists"])
        case .absent(let path): Refusal(.backupNotMade, [.detail: "Make the folder of \(path) first"])
        case .permissionLost(let path): Refusal(.backupNotMade, [.detail: "Choose a folder that you own for \(path)"])
        case .readOnly: Refusal(.backupNotMade, [.detail: "Choose a file system that is not read-only"])
        case .storageFull: Refusal(.backupNotMade, [.detail: "Free space there, or choose another file system"])
        case .backupDamaged:
            Refusal(.backupNotMade, [.detail: "Use another disk: what was read back differs from what was written"])
        default: refusal
        }
    }

    /// The refusal of a backup that was to be restored.
    var refusalOfRestore: Refusal {
        switch self {
        case .absent(let path): Refusal(.backupNotUsable, [.detail: "Name a backup: \(path) does not exist"])
        case .permissionLost(let path): Refusal(.backupNotUsable, [.detail: VaultError.advice(onPermissionsOf: path)])
        case .notAVault(let path):
            Refusal(
                .backupNotUsable,
                [.detail: "Name a backup: \(path) is not one; if it is damaged: autofillctl vault salvage FILE"]
            )
        case .backupDamaged, .damaged, .recordDamaged:
            Refusal(
                .backupNotUsable,
                [
                    .detail:
                        "Recover its content, as it is damaged: autofillctl vault salvage FILE; or choose another"
                ])
        case .wrongSecret, .noSuchSlot:
            Refusal(
                .backupNotUsable,
                [.detail: "Give a passphrase or key from the time of the backup: this one opens none of its slots"]
            )
        case .newer: Refusal(.vaultNewer)
        case .failed: Refusal(.backupNotUsable, [.detail: "Name a backup that is a plain file and can be read"])
        default: refusal
        }
    }
}

extension VaultError {
    /// The refusal of a damaged file that was to be salvaged.
    var refusalOfSalvage: Refusal { refusalOfSalvage(to: nil) }

    /// The same, where the new file is named.
    func refusalOfSalvage(to target: String?) -> Refusal {
        switch self {
        case .absent(let path) where path == target: refusalOfBackup
        case .noSuchSlot:
            Refusal(
                .backupNotUsable,
                [.detail: "Give another passphrase or key of the vault: the file has no slot left for this one"])
        case .backupDamaged, .damaged, .recordDamaged, .notAVault:
            Refusal(.backupNotUsable, [.detail: "Choose another file: nothing of a vault is left in this one"])
        case .fileExists, .readOnly: refusalOfBackup
        default: refusalOfRestore
        }
    }

    /// The refusal of a record in quarantine that was to be restored.
    var refusalOfTakingBack: Refusal {
        if case .damaged(let object) = self, object.hasPrefix("record ") { Refusal(.recordDamaged) } else { refusal }
    }
}

extension VaultError.KeyFileFault {
    /// The fix, and the fault.
    package func fix(for path: String) -> String {
        switch self {
        case .absent: "Put the key file back: \(path) does not exist"
        case .notAFile: "Name a plain file as the key file: \(path) is not one"
        case .openToOthers: "Run chmod 600 \(path): others can read the key file"
        case .foreignOwner: "Have the administrator run chown \(geteuid()) \(path): the key file is another user's"
        case .wrongLength: "Name another key file: \(path) is not exactly 32 bytes"
        case .present: "Choose another name for the key file: \(path) already exists"
        case .unreadable: "Make the key file readable for yourself: chmod u+r \(path)"
        }
    }
}

extension Refusal {
    /// The fix without the domain: in the journal the domain is in AUTOFILL_DOMAIN only. A report on a site names it too.
    package var fixForJournal: String {
        var parameters = parameters
        parameters[.domain] = nil
        if parameters.removeValue(forKey: .site) != nil { parameters[.detail] = nil }
        return Refusal(reason, parameters, retryAfterMilliseconds: retryAfterMilliseconds).fix
    }
}

extension Refusal {
    /// Soon, as the repeated request waits too.
    static var vaultBusy: Refusal { Refusal(.vaultBusy, retryAfterMilliseconds: 1000) }

    /// For what may be tried again after a time, which the fix names in seconds.
    init(_ reason: Reason, waiting milliseconds: Int64) {
        let seconds = max(1, (milliseconds + 999) / 1000)
        self.init(
            reason, [.limit: seconds == 1 ? "a second" : "\(seconds) seconds"], retryAfterMilliseconds: milliseconds)
    }
}
