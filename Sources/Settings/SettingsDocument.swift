// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

/// The content of one settings file: the settings that it names and, in the administrator's, those that users may not
/// change.
package struct SettingsDocument: Hashable, Sendable {
    package enum Owner: Sendable {
        case administrator, user
    }

    /// The values of what is named; defaults elsewhere.
    package private(set) var settings = DaemonSettings()
    package private(set) var named: Set<Setting> = []
    /// One that is mandatory and not named has its default.
    package private(set) var mandatory: Set<Setting> = []
    /// The programs that the setting `prompter` may name besides the pinentries.
    package private(set) var prompters: [AbsolutePath] = []

    private static let prompterLimit = 32

    /// An empty one.
    package init() {}

    /// The content of a user's file that results in these settings.
    package init(_ settings: DaemonSettings) {
        self.settings = settings
        let standard = DaemonSettings()
        named = Set(Setting.allCases.filter { settings.value(of: $0) != standard.value(of: $0) })
    }

    /// Reads a file strictly: a member for each setting, none of them required; `mandatory`, a list of names, and
    /// `prompters`, a list of programs, in the administrator's only. All mistakes are reported at once.
    package init(_ value: ConfigurationValue, of owner: Owner) throws(ConfigurationMistakes) {
        var findings = ConfigurationFindings()
        let others = owner == .administrator ? ["$schema", "mandatory", "prompters"] : ["$schema"]
        let object = ConfigurationObject(value, knowing: others + Setting.allCases.map(\.name), &findings)
        _ = object?["$schema"]?.string(at: .file["$schema"], &findings)
        for setting in Setting.allCases {
            guard let member = object?[setting.name] else { continue }
            settings.read(setting, from: member, at: .file[setting.name], &findings)
            named.insert(setting)
        }
        if owner == .administrator, let list = object?["mandatory"] {
            let path = ConfigurationPath.file["mandatory"]
            for (elementPath, element) in list.elements(atMost: Setting.allCases.count, at: path, &findings) {
                if let setting = Self.setting(element, at: elementPath, &findings) { mandatory.insert(setting) }
            }
        }
        if owner == .administrator, let list = object?["prompters"] {
            let path = ConfigurationPath.file["prompters"]
            for (elementPath, element) in list.elements(atMost: Self.prompterLimit, at: path, &findings) {
                if let program = element.checked(at: elementPath, &findings, AbsolutePath.init) {
                    prompters.append(program)
                }
            }
        }
        self = try findings.accept(self)
    }

    private static func setting(
        _ value: ConfigurationValue, at path: ConfigurationPath, _ findings: inout ConfigurationFindings
    ) -> Setting? {
        guard let name = value.string(at: path, &findings) else { return nil }
        if let setting = Setting(rawValue: name) { return setting }
        let names = Setting.allCases.map(\.name)
        let nearest = name.nearest(of: names).map { "Did you mean \($0.quoted)?" }
        findings.refuse(path, "There is no setting \(name.quoted).", fix: nearest ?? "Write one of \(names.listed).")
        return nil
    }

    /// Names a setting, or with nil leaves it out.
    mutating func set(_ setting: Setting, to value: ConfigurationValue?) throws(ConfigurationMistakes) {
        if let value {
            try settings.set(setting, to: value)
            named.insert(setting)
        } else {
            settings.take(setting, from: DaemonSettings())
            named.remove(setting)
        }
    }
}
