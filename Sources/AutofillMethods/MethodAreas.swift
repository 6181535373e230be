// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import AutofillService

/// The areas, made once.
package struct MethodAreas: MethodTable {
    private let credentials: CredentialMethods
    private let codes: CodeMethods
    private let offers: OfferMethods
    private let forms: FormMethods
    private let keychain: KeychainMethods
    private let verifiers: VerifierMethods
    private let administration: AdministrationAreas

    package init(_ stores: ServiceStores, _ services: RequestServices) {
        let (vault, events, audit) = (stores.vault, stores.events, stores.audit)
        let (access, quotas) = (services.access, services.quotas)
        let sites = Sites(stores.apps, stores.associations)
        let saved = CredentialReader(vault, stores.apps)
        credentials = CredentialMethods(
            CredentialViews(saved, access, sites, QuotaReader(quotas)),
            vault, events, quotas, audit)
        codes = CodeMethods(credentials, stores.sessions.codes, vault)
        offers = OfferMethods(credentials, OfferReader(vault, quotas), vault, stores.settings)
        forms = FormMethods(codes, offers, services.generators, SettingReader(stores.settings), access.policy, audit)
        keychain = KeychainMethods(ItemReader(vault), KeychainAccess(access), vault, quotas, audit)
        verifiers = VerifierMethods(KeychainAccess(access), vault, quotas, events, audit)
        administration = AdministrationAreas(stores, services, sites, saved)
    }

    /// One line a method.
    package func start(_ received: ReceivedRequest, on engine: isolated AutofillEngine) {
        switch received.method {
        // The engine itself cancels.
        case .requestCancel: break
        case .hello: engine.run(Hello.self, in: administration.session, received)
        case .rpcDiscover: engine.run(RPCDiscover.self, in: administration.session, received)
        case .status: engine.run(Status.self, in: administration.session, received)
        case .diagnose: engine.run(Diagnose.self, in: forms, received)
        case .autofillSuggest: engine.run(AutofillSuggest.self, in: forms, received)
        case .autofillFill: engine.run(AutofillFill.self, in: forms, received)
        case .autofillAccept: engine.run(AutofillAccept.self, in: offers, received)
        case .autofillDecline: engine.run(AutofillDecline.self, in: offers, received)
        case .autofillSubmit: engine.run(AutofillSubmit.self, in: offers, received)
        case .autofillConfirm: engine.run(AutofillConfirm.self, in: offers, received)
        case .autofillWithdraw: engine.run(AutofillWithdraw.self, in: offers, received)
        case .offerList: engine.run(OfferList.self, in: offers, received)
        case .credentialSave: engine.run(CredentialSave.self, in: credentials, received)
        case .credentialGet: engine.run(CredentialGet.self, in: credentials, received)
        case .credentialList: engine.run(CredentialList.self, in: credentials, received)
        case .credentialUpdate: engine.run(CredentialUpdate.self, in: credentials, received)
        case .credentialDelete: engine.run(CredentialDelete.self, in: credentials, received)
        case .credentialRestore: engine.run(CredentialRestore.self, in: credentials, received)
        case .codeSet: engine.run(CodeSet.self, in: codes, received)
        case .codeGet: engine.run(CodeGet.self, in: codes, received)
        case .codeDelete: engine.run(CodeDelete.self, in: codes, received)
        case .codeExport: engine.run(CodeExport.self, in: codes, received)
        case .codeOffer: engine.run(CodeOffer.self, in: codes, received)
        case .keychainSet: engine.run(KeychainSet.self, in: keychain, received)
        case .keychainGet: engine.run(KeychainGet.self, in: keychain, received)
        case .keychainRename: engine.run(KeychainRename.self, in: keychain, received)
        case .keychainDelete: engine.run(KeychainDelete.self, in: keychain, received)
        case .keychainSearch: engine.run(KeychainSearch.self, in: keychain, received)
        case .keychainRequest: engine.run(KeychainRequest.self, in: keychain, received)
        case .verifierSet: engine.run(VerifierSet.self, in: verifiers, received)
        case .verifierCheck: engine.run(VerifierCheck.self, in: verifiers, received)
        case .verifierDelete: engine.run(VerifierDelete.self, in: verifiers, received)
        case .verifierExport: engine.run(VerifierExport.self, in: verifiers, received)
        case .importBegin: engine.run(ImportBegin.self, in: administration.imports, received)
        case .importAdd: engine.run(ImportAdd.self, in: administration.imports, received)
        case .importReview: engine.run(ImportReview.self, in: administration.imports, received)
        case .importCommit: engine.run(ImportCommit.self, in: administration.imports, received)
        case .importUndo: engine.run(ImportUndo.self, in: administration.imports, received)
        case .exportBegin: engine.run(ExportBegin.self, in: administration.exports, received)
        case .exportRead: engine.run(ExportRead.self, in: administration.exports, received)
        case .syncStart: engine.run(SyncStart.self, in: administration.sync, received)
        case .syncJoin: engine.run(SyncJoin.self, in: administration.sync, received)
        case .syncInvite: engine.run(SyncInvite.self, in: administration.sync, received)
        case .syncAnswer: engine.run(SyncAnswer.self, in: administration.sync, received)
        case .syncAdmit: engine.run(SyncAdmit.self, in: administration.sync, received)
        case .syncStatus: engine.run(SyncStatus.self, in: administration.sync, received)
        case .syncConflicts: engine.run(SyncConflicts.self, in: administration.sync, received)
        case .syncRemove: engine.run(SyncRemove.self, in: administration.sync, received)
        case .syncRename: engine.run(SyncRename.self, in: administration.sync, received)
        case .syncResume: engine.run(SyncResume.self, in: administration.sync, received)
        case .syncStop: engine.run(SyncStop.self, in: administration.sync, received)
        case .signInStart: engine.run(SignInStart.self, in: verifiers, received)
        case .signInEnd: engine.run(SignInEnd.self, in: verifiers, received)
        case .signInStatus: engine.run(SignInStatus.self, in: verifiers, received)
        case .vaultCreate: engine.run(VaultCreate.self, in: administration.vault, received)
        case .vaultUnlock: engine.run(VaultUnlock.self, in: administration.vault, received)
        case .vaultLock: engine.run(VaultLock.self, in: administration.vault, received)
        case .vaultCheck: engine.run(VaultCheck.self, in: administration.vault, received)
        case .vaultAssess: engine.run(VaultAssess.self, in: administration.vault, received)
        case .vaultBackup: engine.run(VaultBackup.self, in: administration.vault, received)
        case .vaultRestore: engine.run(VaultRestore.self, in: administration.vault, received)
        case .vaultQuarantine: engine.run(VaultQuarantine.self, in: administration.vault, received)
        case .vaultRekey: engine.run(VaultRekey.self, in: administration.vault, received)
        case .backupList: engine.run(BackupList.self, in: administration.vault, received)
        case .slotList: engine.run(SlotList.self, in: administration.vault, received)
        case .slotAdd: engine.run(SlotAdd.self, in: administration.vault, received)
        case .slotChange: engine.run(SlotChange.self, in: administration.vault, received)
        case .slotRemove: engine.run(SlotRemove.self, in: administration.vault, received)
        case .grantAllow: engine.run(GrantAllow.self, in: administration.grants, received)
        case .grantDeny: engine.run(GrantDeny.self, in: administration.grants, received)
        case .grantList: engine.run(GrantList.self, in: administration.grants, received)
        case .grantRevoke: engine.run(GrantRevoke.self, in: administration.grants, received)
        case .prompterAttach: engine.run(PrompterAttach.self, in: administration.session, received)
        case .terminalLock: engine.run(TerminalLock.self, in: administration.session, received)
        case .domainList: engine.run(DomainList.self, in: administration.domains, received)
        case .domainGet: engine.run(DomainGet.self, in: administration.domains, received)
        case .domainRefresh: engine.run(DomainRefresh.self, in: administration.domains, received)
        case .domainApprove: engine.run(DomainApprove.self, in: administration.domains, received)
        case .domainDeny: engine.run(DomainDeny.self, in: administration.domains, received)
        case .settingList: engine.run(SettingList.self, in: administration.settings, received)
        case .settingGet: engine.run(SettingGet.self, in: administration.settings, received)
        case .settingSet: engine.run(SettingSet.self, in: administration.settings, received)
        case .eventSubscribe: engine.run(EventSubscribe.self, in: administration.session, received)
        case .releaseList: engine.run(ReleaseList.self, in: administration.session, received)
        case .limitList: engine.run(LimitList.self, in: administration.session, received)
        }
    }
}

/// The areas of the daemon itself, and of what the user has decided.
private struct AdministrationAreas {
    let session: SessionMethods
    let vault: VaultMethods
    let imports: ImportMethods
    let exports: ExportMethods
    let sync: SyncMethods
    let grants: GrantMethods
    let domains: DomainMethods
    let settings: SettingMethods

    init(
        _ stores: ServiceStores, _ services: RequestServices, _ sites: Sites, _ saved: CredentialReader
    ) {
        let status = StatusReader(stores.vault, stores.apps, stores.settings, stores.sessions, services.terminals)
        session = SessionMethods(
            SessionViews(
                settings: SettingReader(stores.settings), status: status, policy: services.access.policy,
                sites: sites, releases: ReleaseReader(stores.vault)),
            stores.apps, stores.associations, stores.events, services.attachment, services.terminals)
        vault = VaultMethods(stores.vault, services.care, stores.apps, stores.events)
        imports = ImportMethods(Imports(stores.vault, services.care, stores.events, stores.settings), sites)
        exports = ExportMethods(saved, services.access, sites, stores.environment.clock, stores.audit)
        sync = SyncMethods(services.sync)
        grants = GrantMethods(stores.apps, sites, stores.vault, services.consents, stores.sessions)
        domains = DomainMethods(stores.associations, stores.apps, saved, services.consents)
        settings = SettingMethods(stores.settings, SettingsAnnouncer(stores.audit, stores.events))
    }
}
