// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol

/// A setting of the service: its value, and who set it.
public struct AutofillSetting: Hashable, Sendable, Identifiable {
    /// The name of the setting.
    public let id: String
    /// The value; nil if nothing is set, and if it is hidden.
    public let value: Value?
    /// Whether the value is shown with proof only, because it names other apps or files.
    public let isHidden: Bool
    /// The default value.
    public let standard: Value?
    /// `default`, `administrator` or `user`.
    public let source: Source
    /// Whether the administrator alone can change it.
    public let isMandatory: Bool
    /// A sentence for people.
    public let summary: String

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

extension AutofillSetting {
    /// Who set a setting.
    public struct Source: ProtocolWord {
        /// The value on the wire.
        public let rawValue: String

        /// - Parameter rawValue: the value on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nobody.
        public static let standard = Self(rawValue: "default")
        /// The administrator.
        public static let administrator = Self(rawValue: "administrator")
        /// The user.
        public static let user = Self(rawValue: "user")
    }
}
