// SPDX-License-Identifier: Apache-2.0
internal import Systemd

typealias Property = (name: String, value: PropertyValue)

/// The value of a property.
enum PropertyValue {
    case bool(Bool)
    case text(String)
    case seconds(UInt64)
    case paths([String])
    case attributes([String: String])
    case version(UInt32)

    private var signature: String {
        switch self {
        case .bool: "b"
        case .text: "s"
        case .seconds: "t"
        case .paths: "ao"
        case .attributes: "a{ss}"
        case .version: "u"
        }
    }

    /// Appends it as a variant.
    func append(to message: BusMessage) throws(BusError) {
        try message.write("v", of: signature) { () throws(BusError) in
            switch self {
            case .bool(let value): try message.append(value)
            case .text(let text): try message.append(text)
            case .seconds(let number): try message.append(number)
            case .paths(let paths): try message.append(paths, type: "o")
            case .attributes(let attributes): try message.append(attributes)
            case .version(let number): try message.append(number)
            }
        }
    }
}
