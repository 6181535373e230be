// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Reasons

/// The state of the service: the vault, the settings, and the app's associated domains.
extension AutofillSession {
    /// Returns the state of the service.
    public func status() async throws(AutofillError) -> AutofillStatus {
        AutofillStatus(try await perform(Status()))
    }

    /// Prompts the user to unlock the vault. An app never sees the passphrase.
    ///
    /// - Returns: whether it was locked.
    @discardableResult
    public func unlockVault(interaction: UserInteraction = .allowed) async throws(AutofillError) -> Bool {
        try await perform(VaultUnlock(interaction: interaction.wire), interaction).changed
    }

    /// Locks the vault: its keys are erased from the service's memory until the user unlocks it.
    ///
    /// - Returns: whether it was unlocked.
    @discardableResult
    public func lockVault() async throws(AutofillError) -> Bool { try await perform(VaultLock()).changed }

    /// Returns the events that concern the app, from now on.
    public func events() async throws(AutofillError) -> AutofillEvents { try await AutofillEvents(self) }

    // MARK: - Associated domains

    /// Returns the associated domains of the app's registration, and the state of each.
    public func associatedDomains() async throws(AutofillError) -> [AssociatedDomainState] {
        try await all({ DomainList(page: $0) }, { ($0.domains, $0.next) }, AssociatedDomainState.init)
    }

    /// Returns the state of one associated domain.
    public func associatedDomain(_ domain: String) async throws(AutofillError) -> AssociatedDomainState {
        try AssociatedDomainState(try await perform(DomainGet(bundleID: nil, domain: .name(domain), proof: nil)))
    }

    /// Fetches the site's association file again, for example after it was fixed, and returns the state.
    public func refreshAssociatedDomain(_ domain: String) async throws(AutofillError) -> AssociatedDomainState {
        try AssociatedDomainState(try await perform(DomainRefresh(bundleID: nil, domain: .name(domain), proof: nil)))
    }

    // MARK: - Settings: the switches that iOS has in Settings, Passwords

    /// Returns all settings.
    ///
    /// - Parameter interaction: whether the user may be prompted to show hidden values: those that name other apps or files.
    public func settings(interaction: UserInteraction = .forbidden) async throws(AutofillError) -> [AutofillSetting] {
        let proof: Proof? = interaction == .allowed ? .prompt : nil
        return try await perform(SettingList(proof: proof)).settings.map(AutofillSetting.init)
    }

    /// Returns one setting.
    ///
    /// - Parameters:
    ///   - name: `autoFill`, `strongPasswords` and others (autofilld-settings(5)).
    ///   - app: of `strongPasswords` the value for the app of this bundle ID; an app always gets its own.
    ///   - interaction: whether the user may be prompted, if the value names other apps or files.
    public func setting(
        _ name: AutofillSetting.ID, app: String? = nil, interaction: UserInteraction = .forbidden
    ) async throws(AutofillError) -> AutofillSetting {
        AutofillSetting(
            try await performProven(interaction) { proof in SettingGet(setting: name, app: app, proof: proof) })
    }

    /// Changes a setting of the user, with immediate effect. An app needs the user's consent for that. Repeatable.
    ///
    /// - Parameters:
    ///   - name: `autoFill`, `strongPasswords` and others (autofilld-settings(5)).
    ///   - value: nil for the administrator's value, or the default.
    ///   - app: changes `strongPasswords` for the app of this bundle ID only.
    ///   - interaction: whether the user may be prompted.
    /// - Returns: whether it had another value before.
    @discardableResult
    public func setSetting(
        _ name: AutofillSetting.ID, to value: AutofillSetting.Value?, app: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await performProven(interaction) { proof in
            SettingSet(setting: name, value: value?.wire, app: app, proof: proof)
        }.changed
    }

    /// Makes a call, and repeats it with a prompt as proof if it needs proof and the user may be prompted.
    private func performProven<Call: MethodCall>(
        _ interaction: UserInteraction, _ call: (Proof?) -> Call
    ) async throws(AutofillError) -> Call.Answer {
        do throws(AutofillError) {
            return try await perform(call(nil))
        } catch {
            guard interaction == .allowed, error.isRefused(for: .init(.proofRequired)) else { throw error }
        }
        return try await perform(call(.prompt))
    }
}
