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
    case grantList = "grant.list"
    case grantRevoke = "grant.revoke"
    case settingList = "setting.list"
    case settingGet = "setting.get"
    case settingSet = "setting.set"
    case eventSubscribe = "event.subscribe"
    case releaseList = "release.list"

    /// Whether it may be sent without an id, and then has no answer.
    package var isNotification: Bool { self == .requestCancel }
}
