// SPDX-License-Identifier: Apache-2.0

/// The methods of the wire, `noun.verb`. A name is never reused.
package enum Method: String, CaseIterable, Sendable {
    // What an app needs.
    case hello
    case rpcDiscover = "rpc.discover"
    case diagnose
    case requestCancel = "request.cancel"
    case autofillSuggest = "autofill.suggest"
    case autofillFill = "autofill.fill"
    case autofillAccept = "autofill.accept"
    case autofillDecline = "autofill.decline"
    case autofillSubmit = "autofill.submit"
    case autofillConfirm = "autofill.confirm"
    case autofillWithdraw = "autofill.withdraw"
    case credentialSave = "credential.save"
    case credentialGet = "credential.get"
    case eventSubscribe = "event.subscribe"
    // What apps may also use.
    case status
    case offerList = "offer.list"
    case credentialList = "credential.list"
    case credentialUpdate = "credential.update"
    case credentialDelete = "credential.delete"
    case codeSet = "code.set"
    case codeGet = "code.get"
    case codeDelete = "code.delete"
    case codeOffer = "code.offer"
    case keychainSet = "keychain.set"
    case keychainGet = "keychain.get"
    case keychainRename = "keychain.rename"
    case keychainDelete = "keychain.delete"
    case keychainSearch = "keychain.search"
    case keychainRequest = "keychain.request"
    case verifierSet = "verifier.set"
    case verifierCheck = "verifier.check"
    case verifierDelete = "verifier.delete"
    case signInStart = "signIn.start"
    case signInEnd = "signIn.end"
    case signInStatus = "signIn.status"
    case vaultUnlock = "vault.unlock"
    // Administration: no app calls these.
    case credentialRestore = "admin.credential.restore"
    case codeExport = "admin.code.export"
    case verifierExport = "admin.verifier.export"
    case importBegin = "admin.import.begin"
    case importAdd = "admin.import.add"
    case importReview = "admin.import.review"
    case importCommit = "admin.import.commit"
    case importUndo = "admin.import.undo"
    case exportBegin = "admin.export.begin"
    case exportRead = "admin.export.read"
    case syncStart = "admin.sync.start"
    case syncJoin = "admin.sync.join"
    case syncInvite = "admin.sync.invite"
    case syncAnswer = "admin.sync.answer"
    case syncAdmit = "admin.sync.admit"
    case syncStatus = "admin.sync.status"
    case syncConflicts = "admin.sync.conflicts"
    case syncRemove = "admin.sync.remove"
    case syncRename = "admin.sync.rename"
    case syncResume = "admin.sync.resume"
    case syncStop = "admin.sync.stop"
    case vaultCreate = "admin.vault.create"
    case vaultLock = "admin.vault.lock"
    case vaultCheck = "admin.vault.check"
    case vaultAssess = "admin.vault.assess"
    case vaultBackup = "admin.vault.backup"
    case vaultRestore = "admin.vault.restore"
    case vaultQuarantine = "admin.vault.quarantine"
    case vaultRekey = "admin.vault.rekey"
    case backupList = "admin.backup.list"
    case slotList = "admin.slot.list"
    case slotAdd = "admin.slot.add"
    case slotChange = "admin.slot.change"
    case slotRemove = "admin.slot.remove"
    case grantAllow = "admin.grant.allow"
    case grantDeny = "admin.grant.deny"
    case grantList = "admin.grant.list"
    case grantRevoke = "admin.grant.revoke"
    case prompterAttach = "admin.prompter.attach"
    case terminalLock = "admin.terminal.lock"
    case domainList = "admin.domain.list"
    case domainGet = "admin.domain.get"
    case domainRefresh = "admin.domain.refresh"
    case domainApprove = "admin.domain.approve"
    case domainDeny = "admin.domain.deny"
    case settingList = "admin.setting.list"
    case settingGet = "admin.setting.get"
    case settingSet = "admin.setting.set"
    case releaseList = "admin.release.list"
    case limitList = "admin.limit.list"
}

extension Method {
    /// The document that has it: what an app needs, what apps may also use, or administration.
    package enum Audience: CaseIterable, Sendable { case everyApp, someApps, administration }

    package var audience: Audience {
        switch self {
        case .hello, .rpcDiscover, .diagnose, .requestCancel, .autofillSuggest, .autofillFill, .autofillAccept,
            .autofillDecline, .autofillSubmit, .autofillConfirm, .autofillWithdraw, .credentialSave, .credentialGet,
            .eventSubscribe:
            .everyApp
        default: rawValue.hasPrefix("admin.") ? .administration : .someApps
        }
    }
}
