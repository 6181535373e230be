// SPDX-License-Identifier: Apache-2.0

/// The value of a setting, as a settings file has it.
package enum SettingValue: Hashable, Sendable {
    case bool(Bool)
    case integer(Int)
    case string(String)
    /// By bundle ID.
    case switches([String: Bool])

    /// Any other kind of value is refused.
    init(_ value: JSONValue) throws(JSONError) {
        switch value.kind {
        case .bool: self = .bool(try value.bool())
        case .integer: self = .integer(Int(try value.integer()))
        case .string: self = .string(try value.string(maximumBytes: 4096))
        case .object:
            var switches: [String: Bool] = [:]
            for member in try value.members() {
                switches[try member.name.string(maximumBytes: 255)] = try member.value.bool()
            }
            self = .switches(switches)
        default: throw value.error(.notAllowed)
        }
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .bool(let value): writer.bool(value)
        case .integer(let value): writer.integer(value)
        case .string(let value): writer.string(value)
        case .switches(let switches):
            writer.object { writer in
                for (name, value) in switches.sorted(by: { $0.key < $1.key }) {
                    writer.key(string: name)
                    writer.bool(value)
                }
            }
        }
    }
}

/// A value of a setting.
package struct SettingValueType: ScalarType {
    package var schema: ValueSchema {
        .any(
            [
                .boolean, .integer(-0x1F_FFFF_FFFF_FFFF...0x1F_FFFF_FFFF_FFFF), .string(bytes: 0...4096),
                .map(of: .boolean, names: nil),
            ],
            expected: "true, false, an integer, a string, or an object of true and false")
    }
    package var sample: SettingValue { .bool(false) }

    package func read(_ value: JSONValue) throws(JSONError) -> SettingValue { try SettingValue(value) }
    package func write(_ value: SettingValue, to writer: inout JSONWriter) { value.write(to: &writer) }
}
