// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
package import ConfigurationFiles
internal import PeerIdentity
internal import Reasons
internal import Settings

/// The settings: what is in force, and how it is changed.
extension AutofillBroker {
    /// Reads the settings and the registrations again. Where a settings file has mistakes, the settings in force stay.
    package func reload() -> ConfigurationFileProblem? {
        generation += 1
        reloadRegistrations()
        guard let files = configuration.settingsFiles else { return nil }
        do throws(ConfigurationFileProblem) {
            take(try files.load())
            return nil
        } catch {
            return error
        }
    }

    /// Puts settings into force, and tells who may know.
    func take(_ layers: SettingsLayers) {
        let before = configuration.layers
        configuration.layers = layers
        let changed = layers.differences(from: before)
        guard !changed.isEmpty else { return }
        generation += 1
        let names = changed.map(\.name)
        log(.notice, "[AutoFill] Settings changed", settings: names.joined(separator: " "))
        announce(.settingsChanged(names, before: before.effective))
    }

    /// Whether a remembered yes does not do.
    var asksEveryTime: Bool { configuration.settings.askBeforeFill == .everyTime }

    /// What the user's settings file says to no effect.
    var overruledSettings: [String] {
        configuration.layers.overruled.map {
            "\(configuration.settingsPath): \($0.name): It has no effect: the administrator has fixed it. Take it out."
        }
    }

    /// The settings that decide about an app, for it alone.
    func appSettings(of client: Client, in settings: DaemonSettings? = nil) -> AppSettings {
        let settings = settings ?? configuration.settings
        return AppSettings(
            keychain: settings.keychain, autoFill: settings.autoFill,
            strongPasswords: client.app.map { settings.offersStrongPasswords(to: $0.bundleID) }
                ?? settings.strongPasswords)
    }

    func listSettings(
        _ call: SettingList, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> SettingList.Answer {
        SettingList.Answer(settings: Setting.allCases.map { report($0, isProven) })
    }

    func getSetting(
        _ call: SettingGet, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> SettingReport {
        let setting = try self.setting(named: call.setting)
        guard let app = try self.app(call.app, of: setting) else {
            guard isProven || !setting.isPrivate else { throw RefusedRequest(.proofRequired) }
            return report(setting, isProven)
        }
        // An app may know what holds for itself.
        guard isProven || client.app?.bundleID == app else { throw RefusedRequest(.proofRequired) }
        let layers = configuration.layers
        let isListed = layers.effective.strongPasswordsByApp[app] != nil
        let decisive: Setting = isListed ? .strongPasswordsByApp : .strongPasswords
        return SettingReport(
            setting: setting.name, value: .bool(layers.effective.offersStrongPasswords(to: app)), isHidden: false,
            standard: SettingValue(setting.defaultValue), source: layers.source(of: decisive).rawValue,
            isMandatory: layers.isMandatory(.strongPasswordsByApp), summary: setting.summary)
    }

    func setSetting(_ call: SettingSet, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> Changed {
        var setting = try self.setting(named: call.setting)
        let app = try self.app(call.app, of: setting)
        if app != nil { setting = .strongPasswordsByApp }
        // The file may have been edited since it was read.
        let layers = try currentLayers()
        var value = call.value.map(ConfigurationValue.init)
        if let app { value = try Self.value(value, of: app, in: layers.user.settings.strongPasswordsByApp) }
        let changed = try Self.changing(layers, setting, to: value)
        guard !layers.isMandatory(setting) else {
            throw RefusedRequest(.settingMandatory, [.detail: setting.name])
        }
        if !isProven {
            let weakened = Setting.weakened(from: layers.effective, to: changed.effective)
            guard isCommandLine(client), weakened.isEmpty else { throw RefusedRequest(.proofRequired) }
        }
        guard changed != layers else {
            take(layers)
            return Changed(false)
        }
        try write(setting, value)
        take(changed)
        return Changed(true)
    }

    /// Whether the client is `autofillctl`, or another program that no evidence contradicts when it says so.
    func isCommandLine(_ client: Client) -> Bool {
        guard let app = client.app, case .success = app.identity else { return false }
        return app.bundleID.text == Self.commandLineBundleID
    }

    private func report(_ setting: Setting, _ isProven: Bool) -> SettingReport {
        let layers = configuration.layers
        let isHidden = setting.isPrivate && !isProven
        return SettingReport(
            setting: setting.name, value: isHidden ? nil : SettingValue(layers.effective.value(of: setting)),
            isHidden: isHidden, standard: SettingValue(setting.defaultValue),
            source: layers.source(of: setting).rawValue, isMandatory: layers.isMandatory(setting),
            summary: setting.summary)
    }

    private func setting(named name: String) throws(RefusedRequest) -> Setting {
        guard let setting = Setting(rawValue: name) else {
            throw .invalid("setting", "one of " + Setting.allCases.map(\.name).joined(separator: ", "))
        }
        return setting
    }

    /// The app that is meant; only strong passwords are set by app.
    private func app(_ name: String?, of setting: Setting) throws(RefusedRequest) -> BundleIdentifier? {
        guard let name else { return nil }
        guard setting == .strongPasswords else { throw .invalid("app", "nothing, but for strongPasswords") }
        do throws(BundleIdentifierError) {
            return try BundleIdentifier(name)
        } catch {
            throw .invalid("app", "\(error.reason) \(error.fix)")
        }
    }

    /// The switches of all apps, with one of them changed; nil where none is left.
    private static func value(
        _ value: ConfigurationValue?, of app: BundleIdentifier, in switches: [BundleIdentifier: Bool]
    ) throws(RefusedRequest) -> ConfigurationValue? {
        var settings = DaemonSettings()
        settings.strongPasswordsByApp = switches
        switch value {
        case nil: settings.strongPasswordsByApp[app] = nil
        case .bool(let isOn): settings.strongPasswordsByApp[app] = isOn
        default: throw .invalid("value", "true or false")
        }
        return settings.strongPasswordsByApp.isEmpty ? nil : settings.value(of: .strongPasswordsByApp)
    }

    private static func changing(
        _ layers: SettingsLayers, _ setting: Setting, to value: ConfigurationValue?
    ) throws(RefusedRequest) -> SettingsLayers {
        do throws(ConfigurationMistakes) {
            return try layers.changing(setting, to: value)
        } catch {
            throw .invalid("value", error.mistakes.map { "\($0.reason) \($0.fix)" }.joined(separator: " "))
        }
    }

    private func currentLayers() throws(RefusedRequest) -> SettingsLayers {
        guard let files = configuration.settingsFiles else { return configuration.layers }
        do throws(ConfigurationFileProblem) {
            return try files.load()
        } catch {
            throw RefusedRequest(.settingsInvalid, [.settings: error.file, .detail: error.mistakesInWords])
        }
    }

    private func write(_ setting: Setting, _ value: ConfigurationValue?) throws(RefusedRequest) {
        do throws(ConfigurationFileProblem) {
            try configuration.settingsFiles?.write(setting, value)
        } catch {
            throw RefusedRequest(.settingsNotWritten, [.settings: error.file, .detail: error.mistakesInWords])
        }
    }
}

extension ConfigurationFileProblem {
    fileprivate var mistakesInWords: String { mistakes.map(\.description).joined(separator: " ") }
}

extension ConfigurationValue {
    init(_ value: SettingValue) {
        self =
            switch value {
            case .bool(let bool): .bool(bool)
            case .integer(let integer): .integer(integer)
            case .string(let text): .string(text)
            case .switches(let switches):
                .object(switches.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: .bool($0.value)) })
            }
    }
}

extension SettingValue {
    /// nil for null, and for what no setting is.
    init?(_ value: ConfigurationValue) {
        switch value {
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .integer(integer)
        case .string(let text): self = .string(text)
        case .object(let members):
            var switches: [String: Bool] = [:]
            for member in members { if case .bool(let bool) = member.value { switches[member.name] = bool } }
            self = .switches(switches)
        case .null, .otherNumber, .array: return nil
        }
    }
}
