// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Reasons

/// What the service does: the switches that iOS has in Settings, Passwords.
extension AutofillSession {
    /// All settings.
    ///
    /// - Parameter interaction: whether the person may be asked to show what is hidden otherwise: what tells of other apps
    ///   or of files.
    public func settings(interaction: UserInteraction = .forbidden) async throws(AutofillError) -> [AutofillSetting] {
        let proof: Proof? = interaction == .allowed ? .prompt : nil
        return try await perform(SettingList(proof: proof)).settings.map(AutofillSetting.init)
    }

    /// One setting.
    ///
    /// - Parameters:
    ///   - name: `autoFill`, `strongPasswords` and others (protocol.md, "Settings").
    ///   - app: of `strongPasswords` what holds for the app of this bundle ID; for its own an app is always told.
    ///   - interaction: whether the person may be asked, where it tells of other apps or of files.
    public func setting(
        _ name: AutofillSetting.ID, app: String? = nil, interaction: UserInteraction = .forbidden
    ) async throws(AutofillError) -> AutofillSetting {
        AutofillSetting(
            try await performProven(interaction) { proof in SettingGet(setting: name, app: app, proof: proof) })
    }

    /// Changes a setting of the user; it holds at once. An app needs the person's word for that. May be repeated.
    ///
    /// - Parameters:
    ///   - name: `autoFill`, `strongPasswords` and others (protocol.md, "Settings").
    ///   - value: nil to go back to the administrator's value, or to the default.
    ///   - app: changes `strongPasswords` for the app of this bundle ID alone.
    ///   - interaction: whether the person may be asked.
    /// - Returns: whether it was another before.
    @discardableResult
    public func setSetting(
        _ name: AutofillSetting.ID, to value: AutofillSetting.Value?, app: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await performProven(interaction) { proof in
            SettingSet(setting: name, value: value?.wire, app: app, proof: proof)
        }.changed
    }

    /// Makes a call, and where it needs proof once more with the person's word, if the person may be asked.
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
