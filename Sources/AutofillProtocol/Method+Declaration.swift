// SPDX-License-Identifier: Apache-2.0

extension Method {
    /// The type of its parameters, which has its declaration and the type of its answer.
    package var call: any MethodCall.Type {
        switch self {
        case .hello: Hello.self
        case .rpcDiscover: RPCDiscover.self
        case .status: Status.self
        case .diagnose: Diagnose.self
        case .requestCancel: RequestCancel.self
        case .autofillSuggest: AutofillSuggest.self
        case .autofillFill: AutofillFill.self
        case .autofillAccept: AutofillAccept.self
        case .autofillDecline: AutofillDecline.self
        case .autofillSubmit: AutofillSubmit.self
        case .autofillConfirm: AutofillConfirm.self
        case .autofillWithdraw: AutofillWithdraw.self
        case .offerList: OfferList.self
        case .credentialSave: CredentialSave.self
        case .credentialGet: CredentialGet.self
        case .credentialList: CredentialList.self
        case .credentialUpdate: CredentialUpdate.self
        case .credentialDelete: CredentialDelete.self
        case .credentialRestore: CredentialRestore.self
        case .codeSet: CodeSet.self
        case .codeGet: CodeGet.self
        case .codeDelete: CodeDelete.self
        case .codeExport: CodeExport.self
        case .codeOffer: CodeOffer.self
        case .keychainSet: KeychainSet.self
        case .keychainGet: KeychainGet.self
        case .keychainRename: KeychainRename.self
        case .keychainDelete: KeychainDelete.self
        case .keychainSearch: KeychainSearch.self
        case .keychainRequest: KeychainRequest.self
        case .verifierSet: VerifierSet.self
        case .verifierCheck: VerifierCheck.self
        case .verifierDelete: VerifierDelete.self
        case .verifierExport: VerifierExport.self
        case .importBegin: ImportBegin.self
        case .importAdd: ImportAdd.self
        case .importReview: ImportReview.self
        case .importCommit: ImportCommit.self
        case .importUndo: ImportUndo.self
        case .exportBegin: ExportBegin.self
        case .exportRead: ExportRead.self
        case .signInStart: SignInStart.self
        case .signInEnd: SignInEnd.self
        case .signInStatus: SignInStatus.self
        case .syncStart: SyncStart.self
        case .syncJoin: SyncJoin.self
        case .syncInvite: SyncInvite.self
        case .syncAnswer: SyncAnswer.self
        case .syncAdmit: SyncAdmit.self
        case .syncStatus: SyncStatus.self
        case .syncConflicts: SyncConflicts.self
        case .syncRemove: SyncRemove.self
        case .syncRename: SyncRename.self
        case .syncResume: SyncResume.self
        case .syncStop: SyncStop.self
        case .vaultCreate: VaultCreate.self
        case .vaultUnlock: VaultUnlock.self
        case .vaultLock: VaultLock.self
        case .vaultCheck: VaultCheck.self
        case .vaultAssess: VaultAssess.self
        case .vaultBackup: VaultBackup.self
        case .vaultRestore: VaultRestore.self
        case .vaultQuarantine: VaultQuarantine.self
        case .vaultRekey: VaultRekey.self
        case .backupList: BackupList.self
        case .slotList: SlotList.self
        case .slotAdd: SlotAdd.self
        case .slotChange: SlotChange.self
        case .slotRemove: SlotRemove.self
        case .grantAllow: GrantAllow.self
        case .grantDeny: GrantDeny.self
        case .grantList: GrantList.self
        case .grantRevoke: GrantRevoke.self
        case .prompterAttach: PrompterAttach.self
        case .terminalLock: TerminalLock.self
        case .domainList: DomainList.self
        case .domainGet: DomainGet.self
        case .domainRefresh: DomainRefresh.self
        case .domainApprove: DomainApprove.self
        case .domainDeny: DomainDeny.self
        case .settingList: SettingList.self
        case .settingGet: SettingGet.self
        case .settingSet: SettingSet.self
        case .eventSubscribe: EventSubscribe.self
        case .releaseList: ReleaseList.self
        case .limitList: LimitList.self
        }
    }

    /// The declaration: what it does, and which programs may call it.
    package var declaration: MethodDeclaration { call.declaration }

    /// Whether it may be sent without an id, and then has no answer.
    package var isNotification: Bool { self == .requestCancel }
}
