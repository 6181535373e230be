// SPDX-License-Identifier: Apache-2.0

extension Setting {
    /// The settings whose change takes something away that protected the person: such a change needs proof. Turning the
    /// keychain or AutoFill counts either way: off ends strong passwords, on gives out what was held back. So does another
    /// prompter, which is where the passphrase is typed. Whoever could raise the log level above information could hide
    /// what was given out or refused to it.
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
        case .journalDomains: new.journalDomains.tells > old.journalDomains.tells
        case .logLevel: new.logLevel > .info && new.logLevel > old.logLevel
        case .vaultKeyFile: new.vaultKeyFile != nil && new.vaultKeyFile != old.vaultKeyFile
        case .strongPasswordStyle, .offerLifetimeMinutes: false
        }
    }
}

extension DaemonSettings.JournalDomains {
    /// How much of a domain it gives away.
    fileprivate var tells: Int {
        switch self {
        case .hidden: 0
        case .hashed: 1
        case .full: 2
        }
    }
}

extension DaemonSettings.SiteAssociation {
    /// How little it asks for.
    fileprivate var rank: Int {
        switch self {
        case .required: 0
        case .requiredUnlessInstalled: 1
        case .advisory: 2
        }
    }
}
