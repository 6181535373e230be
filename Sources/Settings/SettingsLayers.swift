// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

/// The settings in force, and the source of each: the user's file overrides the administrator's, which overrides the
/// default, but the administrator's mandatory settings override the user's.
package struct SettingsLayers: Hashable, Sendable {
    package enum Source: String, Sendable {
        case standard = "default"
        case administrator, user
    }

    package let administrator: SettingsDocument
    package let user: SettingsDocument
    package let effective: DaemonSettings

    package init(administrator: SettingsDocument = SettingsDocument(), user: SettingsDocument = SettingsDocument()) {
        self.administrator = administrator
        self.user = user
        var effective = DaemonSettings()
        for setting in administrator.named { effective.take(setting, from: administrator.settings) }
        for setting in user.named.subtracting(administrator.mandatory) {
            effective.take(setting, from: user.settings)
        }
        self.effective = effective
    }

    package func isMandatory(_ setting: Setting) -> Bool { administrator.mandatory.contains(setting) }

    /// The source of the value in force.
    package func source(of setting: Setting) -> Source {
        if user.named.contains(setting), !isMandatory(setting) { return .user }
        return administrator.named.contains(setting) ? .administrator : .standard
    }

    /// The settings of the user's file without effect.
    package var overruled: [Setting] { Setting.allCases.filter { user.named.contains($0) && isMandatory($0) } }

    /// The settings in force after a change of the user's file; nil removes the setting from it.
    package func changing(
        _ setting: Setting, to value: ConfigurationValue?
    ) throws(ConfigurationMistakes) -> SettingsLayers {
        var changed = user
        try changed.set(setting, to: value)
        return SettingsLayers(administrator: administrator, user: changed)
    }

    /// The settings whose value in force differs.
    package func differences(from other: SettingsLayers) -> [Setting] {
        Setting.allCases.filter { effective.value(of: $0) != other.effective.value(of: $0) }
    }
}
