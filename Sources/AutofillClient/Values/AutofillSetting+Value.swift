// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

extension AutofillSetting {
    /// The value of a setting.
    public enum Value: Hashable, Sendable {
        /// A switch.
        case bool(Bool)
        /// A number, in the unit that the setting's name has.
        case integer(Int)
        /// A string or a path.
        case string(String)
        /// Switches by bundle ID.
        case switches([String: Bool])
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
