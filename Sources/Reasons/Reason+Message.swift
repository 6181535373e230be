// SPDX-License-Identifier: Apache-2.0

extension Reason {
    /// Apple's text for all its causes that have to do with association and AutoFill (its code 2), to the letter.
    package static let appleCannotSave =
        """
        Cannot save passwords for this app. Make sure you have set up Associated Domains for your app and AutoFill \
        Passwords is enabled in Settings
        """

    /// What is wrong, in one line, the same for every app: it never holds a name, a domain or a secret.
    package var message: String {
        switch self {
        case .autoFillDisabled, .appNotRegistered, .registrationInvalid, .associatedDomainsMissing,
            .domainNotAssociated, .siteNotFetched, .siteFetchFailed, .siteNotListing:
            Self.appleCannotSave
        case .keychainDisabled: "Keychain is disabled"
        case .strongPasswordsDisabled: "Automatic Strong Passwords are turned off for this app"
        case .identityMismatch: "The calling program is not the app whose bundle ID it gave"
        case .appNotInstalled: "None of the programs that the app's registration names is on this machine"
        case .providerEntitlementMissing: "The app has no AutoFill credential provider entitlement"
        case .accessGroupNotEntitled: "The app is not entitled to this access group"
        case .codeSourceEntitlementMissing: "The app has no entitlement to hand over one-time codes"
        case .serviceTypeUnsupported: "Services of this type are not served yet"
        case .approvalMissing: "The user has to approve this app for this domain first"
        case .approvalDenied: "The user denied this app this domain"
        case .newPasswordFieldMissing: "No field of the form has the content type newPassword"
        case .fieldNotSecure: "The new password field does not have secure text entry on"
        case .usernameFieldMissing: "The sign-up form has no field with the content type username"
        case .passwordRulesUnsatisfiable: "No password can satisfy the password rules of the field"
        case .passwordRulesTooComplex: "The password rules of the field are too complex to be counted exactly"
        case .grantMissing: "The app has not been allowed to fill what is saved for this service"
        case .grantDenied: "The user denied this app what is saved for this service"
        case .consentDenied: "The user said no"
        case .interactionRequired: "The user has to be asked, and the request forbids it"
        case .saveUnconfirmed: "The user has to be asked whether to save it, and nobody can be asked"
        case .saveDisabled: "What is typed in this app is not to be saved"
        case .vaultMissing: "There is no vault yet"
        case .vaultLocked: "The vault is locked"
        case .vaultExists: "There is a vault already"
        case .vaultUnreadable: "The vault cannot be opened"
        case .vaultNewer: "The vault was written by a newer version"
        case .vaultReplaced: "The vault file was replaced while it was open"
        case .vaultBusy: "The whole vault is being worked on"
        case .vaultUnsound: "The vault is not sound; nothing was changed"
        case .recordDamaged: "The record was altered outside autofilld and was not used"
        case .storageFull: "There is no room on the disk; nothing was changed"
        case .storageReadOnly: "The vault cannot be written; nothing was changed"
        case .storageFailed: "The vault could not be read or written; nothing was changed"
        case .backupNotMade: "The backup could not be made"
        case .backupNotUsable: "The backup cannot be restored; nothing was changed"
        case .tooManyOffers: "Too many offered passwords wait to be accepted or declined"
        case .tooManyItems: "Too many keychain items or verifiers are kept"
        case .tooManyCodes: "Too many one-time codes wait to be filled"
        case .offerNotFound: "There is no such offer for this app"
        case .offerExpired: "The offer has expired"
        case .offerAlreadyAccepted: "The offer was accepted with other arguments"
        case .offerDeclined: "The offer was declined"
        case .credentialNotFound: "Nothing is saved here under that name"
        case .credentialTaken: "Another is saved for the same service and user"
        case .itemNotFound: "There is no such keychain item"
        case .itemExists: "That account has a keychain item already"
        case .verifierNotFound: "There is no such verifier"
        case .codeNotFound: "There is no such one-time code"
        case .versionMismatch: "The object has changed since that version"
        case .proofRequired: "This needs the passphrase or the key of the vault"
        case .proofWrong: "The passphrase or key does not open this vault"
        case .proofTooSoon: "Too many wrong tries"
        case .checkTooSoon: "Too many wrong passwords"
        case .keyDerivationBusy: "Too many passphrases are being checked already"
        case .recoveryKeyMistyped: "The recovery key is mistyped"
        case .passphraseTooShort: "The passphrase is too short"
        case .settingMandatory: "The administrator has fixed this setting"
        case .settingsInvalid: "The settings file has mistakes; nothing was changed"
        case .settingsNotWritten: "The settings file could not be written; nothing was changed"
        case .slotNotFound: "The vault has no such slot"
        case .slotLast: "The only slot of the vault cannot be removed"
        case .notOwn: "This belongs to another app"
        case .peerEnded: "The program that connected has ended"
        case .peerChanged: "The program that connected has become another"
        case .notPermitted: "The socket belongs to another user"
        case .cancelled: "The request was cancelled"
        case .stopping: "The service is stopping"
        case .tooManyRequests: "Too many requests of this connection wait"
        case .tooManyConnections: "Too many connections of this program are open"
        case .internalFault: "A fault in autofilld"
        }
    }
}
