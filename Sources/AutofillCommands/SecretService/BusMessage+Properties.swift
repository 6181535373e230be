// SPDX-License-Identifier: Apache-2.0
import Systemd

/// Properties and their values in messages.
extension BusMessage {
    /// The value of a variant.
    func readVariant<Value>(
        _ type: String, _ body: (BusMessage) throws(BusError) -> Value
    ) throws(BusError) -> Value {
        guard let value = try read("v", of: type, { () throws(BusError) in try body(self) }) else {
            throw BusError(name: "end of the message", text: "")
        }
        return value
    }

    func readPaths() throws(BusError) -> [String] {
        try readVariant("ao") { (value) throws(BusError) in try value.readStrings(type: "o", limit: .max) }
    }

    func readAttributes() throws(BusError) -> [String: String] {
        try readVariant("a{ss}") { (value) throws(BusError) in
            var attributes: [String: String] = [:]
            _ = try value.read("a", of: "{ss}") { () throws(BusError) in
                while try !value.isAtEnd {
                    _ = try value.read("e", of: "ss") { () throws(BusError) in
                        attributes[try value.readString()] = try value.readString()
                    }
                }
            }
            return attributes
        }
    }

    /// Writes a property with its value.
    ///
    /// - Parameter container: `e` in an `a{sv}`, `r` in an `a(sv)`.
    func write(
        _ container: Character, property: String, _ type: String, _ value: () throws(BusError) -> Void
    ) throws(BusError) {
        try write(container, of: "sv") { () throws(BusError) in
            try append(property)
            try write("v", of: type, value)
        }
    }
}
