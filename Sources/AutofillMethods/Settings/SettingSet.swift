// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import ConfigurationFiles
internal import Prompting
internal import Reasons
internal import Settings

extension SettingSet: AsyncCall {
    func promptText(_ area: SettingMethods) -> String? {
        let target = "the setting \(shown(setting))" + (app.map { " for the app \(shown($0))" } ?? "")
        return value.map { "change \(target) to \(shown($0.text))" } ?? "reset \(target) to its default"
    }

    func perform(_ area: SettingMethods, _ request: RequestContext) async throws(RefusedRequest) -> Changed {
        let named = try SettingViews.named(self.setting, for: self.app)
        let (setting, app) = (named.app == nil ? named.setting : .strongPasswordsByApp, named.app)
        try request.willWait()
        // One change at a time: each begins from the one before.
        guard await area.settings.changes.enter() else { throw RefusedRequest(.cancelled) }
        defer { area.settings.changes.leave() }
        let layers = try await area.settings.current()
        var value = value.map(ConfigurationValue.init)
        if let app { value = try Self.value(value, of: app, in: layers.user.settings.strongPasswordsByApp) }
        let changed = try Self.changing(layers, setting, to: value)
        if setting == .prompter, let prompter = changed.user.settings.prompter,
            let refusal = changed.prompters.refusal(of: prompter.text)
        {
            throw .invalid("value", because: refusal, fix: "Send \"value\" as the path of a prompter on the list")
        }
        guard !layers.isMandatory(setting) else {
            throw RefusedRequest(.settingMandatory, [.detail: setting.name])
        }
        if !request.view.isProven {
            let weakened = Setting.weakened(from: layers.effective, to: changed.effective)
            guard request.view.isCommandLine, weakened.isEmpty else { throw RefusedRequest(.proofRequired) }
        }
        guard changed != layers else {
            area.announcer.announce(area.settings.apply(layers), causedBy: request)
            return Changed(false)
        }
        try await area.settings.write(setting, value)
        area.announcer.announce(area.settings.apply(changed), causedBy: request)
        return Changed(true)
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
            throw .invalid(
                "value", because: error.mistakes.map(\.reason).joined(separator: " "),
                fix: error.mistakes.map { Self.sent($0.fix) }.joined(separator: " "))
        }
    }
}

extension SettingSet {
    /// The fix of a file, written for what is sent.
    private static func sent(_ fix: String) -> String {
        let (written, guessed) = ("Write ", "Did you mean ")
        if fix.hasPrefix(written) { return "Send \"value\" as " + fix.dropFirst(written.count) }
        return fix.hasPrefix(guessed) && fix.hasSuffix("?")
            ? "Send \"value\" as " + fix.dropFirst(guessed.count).dropLast() : fix
    }
}

extension SettingValue {
    /// For a prompt.
    fileprivate var text: String {
        switch self {
        case .bool(let isOn): isOn ? "on" : "off"
        case .integer(let number): "\(number)"
        case .string(let text): text
        case .switches(let switches):
            switches.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value ? "on" : "off")" }.joined(separator: ", ")
        }
    }
}
