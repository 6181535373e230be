// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AutofillProtocol
import ConfigurationFiles

extension SettingValue {
    /// A value from the command line: `on` and `off`, a number, an object in JSON; anything else is text.
    init(argument: String) throws(CommandFailure) {
        switch argument.lowercased() {
        case "on", "true", "yes": self = .bool(true)
        case "off", "false", "no": self = .bool(false)
        default:
            if let integer = Int(argument) {
                self = .integer(integer)
            } else if argument.hasPrefix("{") {
                self = .switches(try Self.switches(argument))
            } else {
                self = .string(argument)
            }
        }
    }

    private static func switches(_ text: String) throws(CommandFailure) -> [String: Bool] {
        guard case .object(let members)? = try? ConfigurationValue(json: Array(text.utf8), file: "the value") else {
            throw CommandFailure(
                .usage, "The value is not a JSON object", fix: #"Write it as {"org.example.Shop": false}, in quotes"#)
        }
        var switches: [String: Bool] = [:]
        for member in members {
            guard case .bool(let isOn) = member.value else {
                throw CommandFailure(.usage, "\(member.name) is neither true nor false", fix: "Write true or false")
            }
            switches[member.name] = isOn
        }
        return switches
    }
}

extension SettingValue? {
    /// For users.
    var text: String {
        switch self {
        case nil: "none"
        case .bool(let isOn): isOn ? "on" : "off"
        case .integer(let integer): "\(integer)"
        case .string(let text): text
        case .switches(let switches):
            switches.isEmpty
                ? "none"
                : switches.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value ? "on" : "off")" }
                    .joined(separator: ", ")
        }
    }
}
