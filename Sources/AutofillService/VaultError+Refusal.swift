// SPDX-License-Identifier: Apache-2.0
package import CredentialStorage
internal import Credentials
package import Reasons

/// A room's error becomes a reason here only.
extension VaultError {
    /// What the client is told.
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
                        "\(program ?? "another program") (process \(process.map(String.init) ?? "?")) holds it; stop that one"
                ])
        case .newer: Refusal(.vaultNewer)
        case .notAVault(let path): Refusal(.vaultUnreadable, [.detail: "Move \(path) away; it is no vault"])
        case .wrongSecret(let delay): Refusal(.proofWrong, retryAfterMilliseconds: Int64(delay))
        case .tooSoon(let delay): Refusal(.proofTooSoon, retryAfterMilliseconds: Int64(delay))
        case .noSuchSlot, .unusableSecret, .recoveryKeyMistyped: Refusal(.proofWrong)
        case .slotDamaged: Refusal(.vaultUnreadable, [.detail: "Open it with another slot, or restore a backup"])
        case .keyFile(let path, let fault): Refusal(.vaultUnreadable, [.detail: "Key file \(path): \(fault.text)"])
        case .notFound: Refusal(.credentialNotFound)
        case .versionConflict: Refusal(.versionMismatch)
        case .offerSettled(.declined): Refusal(.offerDeclined)
        case .offerSettled(.expired): Refusal(.offerExpired)
        case .offerSettled: Refusal(.offerAlreadyAccepted)
        case .storageFull: Refusal(.storageFull)
        case .readOnly, .permissionLost: Refusal(.storageReadOnly)
        case .replaced: Refusal(.vaultReplaced)
        case .damaged(let part): Refusal(.vaultUnreadable, [.detail: "Restore a backup: \(part) is damaged"])
        case .recordDamaged: Refusal(.recordDamaged)
        case .failed, .fileExists, .rekeying, .lastSlot, .alreadySaved, .tooLarge: Refusal(.storageFailed)
        }
    }
}

extension VaultError.KeyFileFault {
    /// What is wrong with the key file, and what mends it.
    package var text: String {
        switch self {
        case .absent: "it is not there"
        case .notAFile: "it is not a plain file"
        case .openToOthers: "others can read it; run chmod 600 on it"
        case .foreignOwner: "it belongs to another user"
        case .wrongLength: "it is not exactly 32 bytes"
        case .present: "it is there already"
        case .unreadable: "it cannot be read"
        }
    }
}

extension Refusal {
    /// The fix without the domain: in the journal it stands in AUTOFILL_DOMAIN only.
    package var fixForJournal: String {
        var parameters = parameters
        parameters[.domain] = nil
        return Refusal(reason, parameters, retryAfterMilliseconds: retryAfterMilliseconds).fix
    }
}
