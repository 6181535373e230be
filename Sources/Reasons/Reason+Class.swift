// SPDX-License-Identifier: Apache-2.0

extension Reason {
    /// Which audience can fix it.
    package enum Audience: String, Sendable {
        case user, developer, administrator
    }

    /// When the same request may succeed.
    package enum Retry: String, Sendable {
        case never, now, afterChange, afterEvent, afterDelay
    }

    package var audience: Audience {
        switch self {
        case .keychainDisabled,
            .autoFillDisabled,
            .appNotInstalled,
            .strongPasswordsDisabled,
            .approvalMissing,
            .approvalDenied,
            .grantMissing,
            .grantDenied,
            .consentDenied,
            .interactionRequired,
            .saveUnconfirmed,
            .saveDisabled,
            .vaultMissing,
            .vaultLocked,
            .vaultExists,
            .vaultBusy,
            .vaultCorrupt,
            .vaultOlder,
            .recordDamaged,
            .storageFull,
            .backupNotMade,
            .backupNotUsable,
            .credentialNotFound,
            .credentialTaken,
            .recoveryKeyMistyped,
            .slotNotFound,
            .slotLast,
            .syncOff,
            .syncOn,
            .syncUndecided,
            .syncIncomplete,
            .machineRemoved,
            .updateNeeded,
            .invitationNotValid,
            .deviceNotRemovable,
            .codeNotFound,
            .checkTooSoon,
            .tooManyItems,
            .tooManyCredentials,
            .proofRequired,
            .proofWrong,
            .proofTooSoon,
            .keyDerivationBusy,
            .passphraseTooShort,
            .passphraseTooCommon,
            .settingsInvalid,
            .settingsNotWritten:
            .user
        case .browserEntitlementMissing,
            .helperEntitlementMissing,
            .vaultUnreadable,
            .vaultNewer,
            .vaultReplaced,
            .storageReadOnly,
            .storageFailed,
            .notPermitted,
            .settingMandatory,
            .internalFault:
            .administrator
        default: .developer
        }
    }

    package var retry: Retry {
        switch self {
        case .serviceTypeUnsupported,
            .originOpaque,
            .vaultExists,
            .offerNotFound,
            .offerExpired,
            .offerAlreadyAccepted,
            .offerDeclined,
            .submissionNotFound,
            .notOwn,
            .notPermitted,
            .outsideSandboxOnly,
            .answerTooLong:
            .never
        case .consentDenied,
            .vaultBusy,
            .storageFailed,
            .proofTooSoon,
            .checkTooSoon,
            .tooManyCodes,
            .keyDerivationBusy,
            .stopping,
            .tooManyRequests,
            .tooManyConnections,
            .internalFault:
            .afterDelay
        case .vaultLocked, .siteNotFetched, .siteFetchFailed, .siteNotListing:
            .afterEvent
        case .versionMismatch,
            .proofRequired,
            .proofWrong,
            .recoveryKeyMistyped,
            .passphraseTooShort,
            .passphraseTooCommon,
            .peerEnded,
            .peerChanged,
            .cancelled:
            .now
        default: .afterChange
        }
    }

    /// The event after which to try again, when `retry` is `afterEvent`.
    package var event: String? {
        switch self {
        case .vaultLocked: "vaultUnlocked"
        case .siteNotFetched, .siteFetchFailed, .siteNotListing: "associationChanged"
        default: nil
        }
    }

    /// A fault is an error of this machine (journal priority error); all others are expected refusals (notice).
    package var isFault: Bool {
        switch self {
        case .vaultUnreadable,
            .vaultNewer,
            .vaultReplaced,
            .vaultCorrupt,
            .vaultOlder,
            .recordDamaged,
            .storageFull,
            .storageReadOnly,
            .storageFailed,
            .internalFault:
            true
        default: false
        }
    }
}
