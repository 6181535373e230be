// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// One setting of the service, what is in force, and whose word that is.
public struct AutofillSetting: Hashable, Sendable, Identifiable {
    /// Its name: `autoFill`, `strongPasswords` and others (protocol.md, "Settings").
    public let id: String
    /// What is in force; nil where nothing is set, and where it is hidden.
    public let value: Value?
    /// Whether it tells of other apps or of files, and so is shown with the person's word only.
    public let isHidden: Bool
    /// What is in force where nobody has set anything.
    public let standard: Value?
    /// Whose word it is.
    public let source: Source
    /// Whether the administrator alone can change it.
    public let isMandatory: Bool
    /// What it is for: one sentence for people.
    public let summary: String

    /// Whose word a setting is.
    public struct Source: ProtocolWord {
        /// As it stands on the wire.
        public let rawValue: String

        /// A word as it stands on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nobody has set anything.
        public static let standard = Self(rawValue: "default")
        /// The administrator's.
        public static let administrator = Self(rawValue: "administrator")
        /// The user's.
        public static let user = Self(rawValue: "user")
    }

    /// What a setting is set to.
    public enum Value: Hashable, Sendable {
        /// A switch.
        case bool(Bool)
        /// A number, in the unit that the setting's name has.
        case integer(Int)
        /// A word or a path.
        case string(String)
        /// Switches by bundle ID.
        case switches([String: Bool])
    }

    init(_ report: SettingReport) {
        id = report.setting
        value = report.value.map(Value.init)
        isHidden = report.isHidden
        standard = report.standard.map(Value.init)
        source = Source(rawValue: report.source)
        isMandatory = report.isMandatory
        summary = report.summary
    }
}

extension AutofillSetting.Value {
    init(_ value: SettingValue) {
        self =
            switch value {
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .string(let value): .string(value)
            case .switches(let value): .switches(value)
            }
    }

    var wire: SettingValue {
        switch self {
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .string(let value): .string(value)
        case .switches(let value): .switches(value)
        }
    }
}
