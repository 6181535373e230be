// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
package import AutofillProtocol
package import Settings

/// The settings in force, for those that only read.
package struct SettingReader {
    private let settings: SettingsInForce

    package init(_ settings: SettingsInForce) { self.settings = settings }

    package var layers: SettingsLayers { settings.layers }
    package var effective: DaemonSettings { settings.effective }
    /// The user's file, for messages.
    package var path: String { settings.path }

    /// The settings that decide about an app, for it alone.
    package func appSettings(of app: BundleIdentifier?) -> AppSettings { settings.appSettings(of: app) }
}
