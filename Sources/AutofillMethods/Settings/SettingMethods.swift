// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import ConfigurationFiles
internal import Settings

/// The methods `setting.*`.
struct SettingMethods: MethodArea {
    let views: SettingViews
    /// For `setting.set`, which waits for a file.
    let settings: SettingsInForce
    let announcer: SettingsAnnouncer

    init(_ settings: SettingsInForce, _ announcer: SettingsAnnouncer) {
        views = SettingViews(settings: SettingReader(settings))
        self.settings = settings
        self.announcer = announcer
    }

    func effects(for request: RequestContext) -> NoEffects { NoEffects() }
}

struct SettingViews {
    let settings: SettingReader
}

extension SettingViews {
    func report(_ setting: Setting, isProven: Bool) -> SettingReport {
        let layers = settings.layers
        let isHidden = setting.isPrivate && !isProven
        return SettingReport(
            setting: setting.name, value: isHidden ? nil : SettingValue(layers.effective.value(of: setting)),
            isHidden: isHidden, standard: SettingValue(setting.defaultValue),
            source: layers.source(of: setting).rawValue, isMandatory: layers.isMandatory(setting),
            summary: setting.summary)
    }

    /// The setting that a call names, and the app that it is for; only strong passwords are set by app.
    static func named(
        _ name: String, for app: String?
    ) throws(RefusedRequest) -> (setting: Setting, app: BundleIdentifier?) {
        guard let setting = Setting(rawValue: name) else {
            throw .invalid("setting", "one of " + Setting.allCases.map(\.name).joined(separator: ", "))
        }
        guard let app else { return (setting, nil) }
        guard setting == .strongPasswords else {
            throw .invalid(
                "bundleID", because: "Only strongPasswords is set by app.",
                fix: "Leave \"bundleID\" out, or name strongPasswords"
            )
        }
        do throws(BundleIdentifierError) { return (setting, try BundleIdentifier(app)) } catch {
            throw .invalid("bundleID", because: error.reason, fix: error.fix)
        }
    }
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
