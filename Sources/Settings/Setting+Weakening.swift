// SPDX-License-Identifier: Apache-2.0

extension Setting {
    /// The settings whose change removes a protection of the user: such a change needs proof. A change of the keychain
    /// or of AutoFill needs it in both directions: off ends strong passwords, on releases what was held back. So does
    /// another prompter, which is where the passphrase is typed. With a log level above information, releases and
    /// refusals would not be logged.
    package static func weakened(from old: DaemonSettings, to new: DaemonSettings) -> [Setting] {
        allCases.filter { $0.isWeakened(from: old, to: new) }
    }

    private func isWeakened(from old: DaemonSettings, to new: DaemonSettings) -> Bool {
        switch self {
        case .keychain: old.keychain != new.keychain
        case .autoFill: old.autoFill != new.autoFill
        case .strongPasswords: old.strongPasswords && !new.strongPasswords
        case .strongPasswordsByApp:
            Set(old.strongPasswordsByApp.keys).union(new.strongPasswordsByApp.keys).contains {
                (old.strongPasswordsByApp[$0] ?? old.strongPasswords)
                    && !(new.strongPasswordsByApp[$0] ?? new.strongPasswords)
            }
        case .strongPasswordBits: new.strongPasswordBits < old.strongPasswordBits
        case .siteAssociation: new.siteAssociation.rank > old.siteAssociation.rank
        case .lockWhenIdleMinutes:
            new.lockWhenIdleMinutes != old.lockWhenIdleMinutes && old.lockWhenIdleMinutes != 0
                && (new.lockWhenIdleMinutes == 0 || new.lockWhenIdleMinutes > old.lockWhenIdleMinutes)
        case .terminalProofMinutes: new.terminalProofMinutes > old.terminalProofMinutes
        case .askBeforeFill: old.askBeforeFill == .everyTime && new.askBeforeFill == .once
        case .askInBrowser: old.askInBrowser == .perSite && new.askInBrowser == .once
        case .secretServiceIsolation: old.secretServiceIsolation == .apps && new.secretServiceIsolation == .none
        case .prompter: new.prompter != old.prompter
        case .lockOnSessionLock: old.lockOnSessionLock && !new.lockOnSessionLock
        case .lockBeforeSleep: old.lockBeforeSleep && !new.lockBeforeSleep
        case .saveSubmitted: new.saveSubmitted == .always && old.saveSubmitted != .always
        case .automaticBackups: new.automaticBackups < old.automaticBackups
        case .keepDeletedDays: new.keepDeletedDays < old.keepDeletedDays
        case .journalDomains: new.journalDomains.detail > old.journalDomains.detail
        case .logLevel: new.logLevel > .info && new.logLevel > old.logLevel
        case .vaultKeyFile: new.vaultKeyFile != nil && new.vaultKeyFile != old.vaultKeyFile
        case .strongPasswordStyle, .offerLifetimeMinutes: false
        }
    }
}

extension DaemonSettings.JournalDomains {
    /// How much of a domain it reveals.
    fileprivate var detail: Int {
        switch self {
        case .hidden: 0
        case .hashed: 1
        case .full: 2
        }
    }
}

extension DaemonSettings.SiteAssociation {
    /// How little it asks the user.
    fileprivate var rank: Int {
        switch self {
        case .required: 0
        case .requiredUnlessInstalled: 1
        case .advisory: 2
        }
    }
}
