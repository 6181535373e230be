// SPDX-License-Identifier: Apache-2.0

/// The methods of the wire, `noun.verb`. A name is never reused.
package enum Method: String, CaseIterable, Sendable {
    case hello
    case status
    case diagnose
    case requestCancel = "request.cancel"
    case autofillSuggest = "autofill.suggest"
    case autofillFocus = "autofill.focus"
    case autofillFill = "autofill.fill"
    case autofillAccept = "autofill.accept"
    case autofillDecline = "autofill.decline"
    case autofillSubmitted = "autofill.submitted"
    case offerList = "offer.list"
    case credentialSave = "credential.save"
    case credentialGet = "credential.get"
    case credentialList = "credential.list"
    case credentialDelete = "credential.delete"
    case credentialRestore = "credential.restore"
    case codeSet = "code.set"
    case codeGet = "code.get"
    case codeDelete = "code.delete"
    case codeExport = "code.export"
    case codeOffer = "code.offer"
    case keychainSet = "keychain.set"
    case keychainGet = "keychain.get"
    case keychainRename = "keychain.rename"
    case keychainDelete = "keychain.delete"
    case keychainList = "keychain.list"
    case verifierSet = "verifier.set"
    case verifierCheck = "verifier.check"
    case verifierDelete = "verifier.delete"
    case verifierExport = "verifier.export"
    case verifierImport = "verifier.import"
    case signInStart = "signIn.start"
    case signInEnd = "signIn.end"
    case signInStatus = "signIn.status"
    case vaultCreate = "vault.create"
    case vaultUnlock = "vault.unlock"
    case vaultLock = "vault.lock"
    case vaultCheck = "vault.check"
    case vaultBackup = "vault.backup"
    case vaultRestore = "vault.restore"
    case vaultRekey = "vault.rekey"
    case backupList = "backup.list"
    case slotList = "slot.list"
    case slotAdd = "slot.add"
    case slotChange = "slot.change"
    case slotRemove = "slot.remove"
    case grantAllow = "grant.allow"
    case grantDeny = "grant.deny"
    case grantList = "grant.list"
    case grantRevoke = "grant.revoke"
    case prompterAttach = "prompter.attach"
    case domainList = "domain.list"
    case domainGet = "domain.get"
    case domainRefresh = "domain.refresh"
    case domainApprove = "domain.approve"
    case domainDeny = "domain.deny"
    case settingList = "setting.list"
    case settingGet = "setting.get"
    case settingSet = "setting.set"
    case eventSubscribe = "event.subscribe"
    case releaseList = "release.list"

    /// Whether the same call, sent again because its answer was lost, does no more than once would: then clients do that
    /// by themselves.
    package var isRepeatable: Bool {
        switch self {
        case .hello, .requestCancel, .codeGet, .keychainRename, .verifierCheck, .vaultCreate, .vaultBackup,
            .vaultRestore, .vaultRekey, .slotAdd, .slotChange, .slotRemove,
            .prompterAttach:
            false
        // Named one by one, so that a new method is not sent twice by mistake.
        case .status, .diagnose, .autofillSuggest, .autofillFocus, .autofillFill, .autofillAccept, .autofillDecline,
            .autofillSubmitted, .offerList, .credentialSave, .credentialGet, .credentialList, .credentialDelete,
            .credentialRestore, .codeSet, .codeDelete, .codeExport, .codeOffer, .keychainSet, .keychainGet,
            .keychainDelete, .keychainList, .verifierSet, .verifierDelete, .verifierExport, .verifierImport,
            .signInStart, .signInEnd, .signInStatus, .vaultUnlock, .vaultLock, .vaultCheck, .backupList, .slotList,
            .grantAllow, .grantDeny, .grantList, .grantRevoke, .domainList, .domainGet, .domainRefresh,
            .domainApprove, .domainDeny, .settingList, .settingGet, .settingSet, .eventSubscribe, .releaseList:
            true
        }
    }

    /// Whether it may be sent without an id, and then has no answer.
    package var isNotification: Bool { self == .requestCancel }
}
