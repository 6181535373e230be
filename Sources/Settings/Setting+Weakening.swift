// SPDX-License-Identifier: Apache-2.0

extension Setting {
    /// The settings whose change takes something away that protected the person: such a change needs proof. Turning the
    /// keychain or AutoFill counts either way: off ends strong passwords, on gives out what was held back.
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
        case .lockWhenIdleMinutes:
            new.lockWhenIdleMinutes != old.lockWhenIdleMinutes && old.lockWhenIdleMinutes != 0
                && (new.lockWhenIdleMinutes == 0 || new.lockWhenIdleMinutes > old.lockWhenIdleMinutes)
        case .vaultKeyFile: new.vaultKeyFile != nil && new.vaultKeyFile != old.vaultKeyFile
        case .automaticBackups: new.automaticBackups < old.automaticBackups
        case .keepDeletedDays: new.keepDeletedDays < old.keepDeletedDays
        case .strongPasswordStyle, .offerLifetimeMinutes, .logLevel: false
        }
    }
}
